// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// How a plan explains itself: what came out and what to be warned of.

namespace hashring {

/// What came out of a round.
enum class plan_outcome : std::uint8_t {
    changes,       ///< there is something to do
    balanced,      ///< every node is within its threshold
    waiting,       ///< a node is outside and its cooldown has not ended
    limited,       ///< a node is outside and its limits or whole virtual nodes allow no change
    no_load,       ///< nobody holds any load
    too_few_nodes, ///< fewer than two nodes take part
};

[[nodiscard]] constexpr std::string_view describe(plan_outcome outcome) noexcept {
    switch (outcome) {
    case plan_outcome::changes:
        return "changes";
    case plan_outcome::balanced:
        return "nothing to change: every node is within its threshold";
    case plan_outcome::waiting:
        return "nothing to change yet: a node is outside its threshold, in its cooldown";
    case plan_outcome::limited:
        return "nothing can be changed: a node is outside its threshold, and limits or whole units "
               "allow no change";
    case plan_outcome::no_load:
        return "nothing to change: there is no load";
    case plan_outcome::too_few_nodes:
        return "nothing to change: fewer than two nodes take part";
    }
    return "";
}

/// Something about the settings or the statistics that keeps a rule from working well.
enum class warning_kind : std::uint8_t {
    finer_than_vnodes, ///< a threshold is worth fewer than five virtual nodes
    finer_than_noise,  ///< a threshold is below three standard deviations of the smoothed load
};

struct plan_warning {
    warning_kind kind{};
    std::string node{}; ///< the one that it was found at
    std::string text{};

    friend bool operator==(const plan_warning&, const plan_warning&) = default;
};

} // namespace hashring
