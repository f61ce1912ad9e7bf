// SPDX-License-Identifier: MIT
#pragma once

#include "support/dice.hpp"

#include <hashring/hash/bkdr.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

// Sorted positions of every kind: what a hash can do at its best and at its worst.
template <class Position>
std::vector<std::vector<Position>> skews(std::size_t count) {
    constexpr int digits = std::numeric_limits<Position>::digits;
    dice random(count);
    std::vector<std::vector<Position>> kinds(8);
    for (std::size_t i = 0; i < count; ++i) {
        const auto any = static_cast<Position>(random.next());
        kinds[0].push_back(any);
        kinds[1].push_back(static_cast<Position>(any >> 12U)); // equal top bits
        kinds[2].push_back(static_cast<Position>(any | (Position{1} << (digits - 1)))); // one half
        kinds[3].push_back(static_cast<Position>(7U + (i % 3)));              // three values
        kinds[4].push_back(static_cast<Position>(i));                         // at the start
        kinds[5].push_back(static_cast<Position>(~static_cast<Position>(i))); // at the end
        kinds[6].push_back(static_cast<Position>(
            hashring::hash::bkdr<131>{}("node-" + std::to_string(i)))); // neighbours
        // A few on each of many values that differ, if at all, in the lower half alone.
        kinds[7].push_back(static_cast<Position>(
            (Position{1} << (digits / 2)) * static_cast<Position>(i / 5) + any % 3U));
    }
    for (std::vector<Position>& kind : kinds) {
        std::sort(kind.begin(), kind.end());
    }
    return kinds;
}
