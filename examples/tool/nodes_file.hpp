// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/node.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tool {

/// One line of a nodes file.
struct listed_node {
    std::size_t line = 0;
    std::string name;
    hashring::weight weight{};
    std::string zone;
    std::string rack;
    std::string host;
    std::string addr;
    std::string guid;
    std::optional<std::uint32_t> id;
    bool down = false;
};

/// How much a nodes file may hold.
struct nodes_file_limits {
    std::size_t line_bytes = std::size_t{64} << 10U;
    std::size_t nodes = std::size_t{1} << 20U;
};

/// The nodes of `file` (`-` is standard input) in order, checked whole.
///
/// A line is `NAME [WEIGHT] [key=value …]`, separated by blanks or TABs; a CR at its end and a byte
/// order mark before the first are dropped; `#` opens a comment at the start or after a blank;
/// `%20` stands for a blank in a name and `%25` for a percent sign. Throws `usage_failure` with
/// file and line for anything else, for a name that comes twice, for a file without nodes, and for
/// what is beyond `limits`.
[[nodiscard]] std::vector<listed_node> read_nodes_file(const std::string& file,
                                                       const nodes_file_limits& limits = {});

} // namespace tool
