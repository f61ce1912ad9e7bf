// SPDX-License-Identifier: MIT
#pragma once

#include "commands.hpp"
#include "evenness.hpp"
#include "movement.hpp"

#include <hashring/balance/measures.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tool {

/// What one scheme makes of the nodes and keys.
struct compared_scheme {
    const scheme_entry* scheme = nullptr;
    option_values options;
    bool corrected = false;
    std::string refusal; ///< why it takes no such nodes; all that follows is empty then
    std::shared_ptr<const placement> placed;
    std::vector<tool::placed> nodes;
    key_counts keys;
    movements moves;
    double nanoseconds = 0.0; ///< a look-up; 0 if it was not measured

    [[nodiscard]] hashring::load_measures over_shares() const { return measure_shares(nodes); }
    [[nodiscard]] hashring::load_measures over_keys() const { return measure_keys(nodes, keys); }
};

/// All schemes on the same nodes and keys.
struct compare_table {
    std::size_t nodes = 0;
    std::size_t keys = 0;
    bool keys_are_made_up = false;
    listed_node fresh;                 ///< the node that comes
    std::vector<std::string> names;    ///< of the nodes of the file
    std::size_t timed_keys = 0;        ///< 0 if nothing was timed
    std::vector<compared_scheme> rows; ///< in the order of the schemes
};

/// So many keys, `key-0`, `key-1`, …, where a file gives none.
inline constexpr std::size_t made_up_keys = 100'000;

[[nodiscard]] std::vector<std::string> make_up_keys();

/// Throws `input_failure` if no node of `file` can own keys.
void check_somebody_takes_keys(const std::vector<listed_node>& nodes, const std::string& file);

/// Places the nodes by each of the schemes that were asked for, or by all. Throws `usage_failure`.
[[nodiscard]] compare_table make_compare_table(const request& asked);

} // namespace tool
