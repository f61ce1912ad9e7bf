// SPDX-License-Identifier: MIT
#pragma once

#include "movement.hpp"
#include "placement.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tool {

/// One way to place nodes with a load gap of at most so much, and what it costs.
struct advice {
    std::string family;
    std::string scheme; ///< empty if the tool has none for it
    bool corrected = false;
    option_values options;
    bool reaches = false;
    std::string note;                        ///< why it does not, or what else to know
    std::shared_ptr<const placement> placed; ///< null if it was not built
    double load_gap = 0.0;                   ///< on these nodes; this and what follows if built
    double peak_to_mean = 1.0;
    std::size_t points = 0;
    std::size_t memory_bytes = 0;
    std::optional<double> join_times_least;
    std::optional<double> leave_times_least;
    bool by_node = false; ///< whether a look-up goes through all nodes
    std::optional<double> nanoseconds;
};

/// What advice is asked for.
struct advice_request {
    double gap = 0.05;
    std::vector<listed_node> nodes;
    std::string file; ///< where they come from, for messages
};

/// The plain ring, with so many virtual nodes that the load gap is as asked in the mean over
/// clusters like this one, and then as many more as these nodes need.
[[nodiscard]] advice advise_ring(const advice_request& asked);
/// The same ring with its virtual nodes picked.
[[nodiscard]] advice advise_corrected(const advice_request& asked);
[[nodiscard]] advice advise_multi_probe(const advice_request& asked);
[[nodiscard]] advice advise_maglev(const advice_request& asked);
[[nodiscard]] advice advise_rendezvous(const advice_request& asked);
[[nodiscard]] advice advise_jump(const advice_request& asked);
[[nodiscard]] advice advise_anchor(const advice_request& asked);
/// The ring cut to measure, which the library has and the tool has not.
[[nodiscard]] advice advise_exact(const advice_request& asked, const listed_node& fresh);

/// The options to call the tool with: `--scheme xxh3 --vnodes 2560`.
[[nodiscard]] std::string arguments_of(const advice& a);

/// The one to take, and why; null if none of `all` reaches the gap.
struct recommendation {
    const advice* choice = nullptr;
    std::string why;
};
[[nodiscard]] recommendation recommend(const std::vector<advice>& all, std::size_t nodes);

} // namespace tool
