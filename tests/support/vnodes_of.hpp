// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace support {

// How many virtual nodes each node of a ring or table has, in its order.
std::vector<std::uint32_t> vnodes_of(const auto& placed) {
    std::vector<std::uint32_t> counts;
    for (std::uint32_t i = 0; i < placed.size(); ++i) {
        counts.push_back(placed.node(i).vnodes());
    }
    return counts;
}

} // namespace support
