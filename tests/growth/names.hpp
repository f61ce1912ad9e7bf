// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace growth {

inline std::vector<hashring::node_spec> nodes(std::size_t count, std::string_view prefix = "10.") {
    std::vector<hashring::node_spec> list;
    for (std::size_t i = 0; i < count; ++i) {
        list.emplace_back(hashring::concat(prefix, hashring::decimal(i / 65536), ".",
                                           hashring::decimal(i / 256 % 256), ".",
                                           hashring::decimal(i % 256), ":11211"));
    }
    return list;
}

} // namespace growth
