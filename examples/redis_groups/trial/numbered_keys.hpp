// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/text.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace redis_groups {

/// `key:0`, `key:1` and so on.
[[nodiscard]] inline std::vector<std::string> numbered_keys(std::size_t count) {
    std::vector<std::string> keys;
    keys.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        keys.push_back(hashring::concat("key:", hashring::decimal(i)));
    }
    return keys;
}

} // namespace redis_groups
