// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

/// \file
/// What `.ci/growth` counts the instructions of, at a size and at twice that size.

namespace growth {

/// Twice the input may take so many times the instructions: what is linear, with the logarithm of a
/// sort, takes a little more than 2 times as many.
inline constexpr double linear = 2.5;
/// Where the documentation says so: N changes of a ring of N nodes, or each of N compared with the
/// others.
inline constexpr double square = 4.6;
/// N changes of an exact ring, of which each trades with all nodes.
inline constexpr double cube = 9.2;

struct growing {
    std::string name;
    std::size_t size;
    double bound;
    /// Makes the input of a size, and gives what is counted.
    std::function<std::function<void()>(std::size_t size)> prepare;
};

[[nodiscard]] std::vector<growing> rings();
[[nodiscard]] std::vector<growing> placements();
[[nodiscard]] std::vector<growing> readers();

} // namespace growth
