// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/fraction.hpp>
#include <hashring/balance/node_stats.hpp>
#include <hashring/balance/proportion.hpp>
#include <hashring/balance/thresholds.hpp>
#include <hashring/core/error.hpp>
#include <hashring/core/text.hpp>
#include <hashring/core/uint128.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// \file
/// The loads that a plan is made from.

namespace hashring::detail {

/// The nodes that take part, by name, and what each holds of the load; `vnodes` of 0 stay out if
/// asked for. Throws `invalid_node` for an empty name or one that comes twice, and for a node
/// without requests where plans go by them. Refers to the statistics.
struct measured_loads {
    measured_loads(std::span<const node_stats> stats, load_kind kind, bool with_vnodes_only) {
        check_names(stats);
        for (const node_stats& node : stats) {
            if (node.takes_part() && (node.vnodes > 0 || !with_vnodes_only)) {
                nodes.push_back(&node);
            }
        }
        std::sort(nodes.begin(), nodes.end(),
                  [](const auto* a, const auto* b) { return a->name < b->name; });
        for (const node_stats* node : nodes) {
            amounts.push_back(kind == load_kind::requests ? requests_of(*node) : node->stored());
            amount += amounts.back();
            capacity += node->total;
        }
    }

    [[nodiscard]] std::size_t size() const noexcept { return nodes.size(); }

    /// Node i's load over the cluster's; there is some load.
    [[nodiscard]] relative_load relative(std::size_t i) const noexcept {
        // Products of a sum and a number stay below 2^125; only sums above 2^61 lose bits, each
        // those that it has too many of.
        const unsigned up = excess(capacity);
        const unsigned down = excess(amount);
        const std::uint64_t one = up >= down ? relative_load::one_bits << std::min(up - down, 31U)
                                             : relative_load::one_bits >> std::min(down - up, 32U);
        return {proportion(one, multiply(amounts[i], shifted(capacity, up)),
                           multiply(nodes[i]->total, shifted(amount, down)))};
    }
    /// The cluster's load factor; utilisation only.
    [[nodiscard]] fraction64 cluster() const noexcept {
        return fraction64::ratio(amount, capacity);
    }

    std::vector<const node_stats*> nodes;
    std::vector<std::uint64_t> amounts; ///< used, or requests
    uint128 amount;
    uint128 capacity;

private:
    static void check_names(std::span<const node_stats> stats) {
        std::vector<const std::string*> names;
        for (const node_stats& node : stats) {
            if (node.name.empty()) {
                throw invalid_node("statistics of a node without a name");
            }
            names.push_back(&node.name);
        }
        std::sort(names.begin(), names.end(), [](const auto* a, const auto* b) { return *a < *b; });
        for (std::size_t i = 1; i < names.size(); ++i) {
            if (*names[i] == *names[i - 1]) {
                throw invalid_node(concat("two statistics of node '", *names[i], "'"));
            }
        }
    }

    static std::uint64_t requests_of(const node_stats& node) {
        if (!node.requests) {
            throw invalid_node(concat("no requests are known of node '", node.name, "'"));
        }
        return *node.requests;
    }

    /// The bits of `sum` above the lowest 61.
    static unsigned excess(const uint128& sum) noexcept {
        const auto width = static_cast<unsigned>(sum.high != 0 ? 64 + std::bit_width(sum.high)
                                                               : std::bit_width(sum.low));
        return width > 61 ? width - 61 : 0;
    }
    static std::uint64_t shifted(const uint128& sum, unsigned shift) noexcept {
        return shift == 0 ? sum.low : (sum.high << (64U - shift)) | (sum.low >> shift);
    }
};

/// The middle one of loads that belong to nodes sorted by name, the upper of two: a node's own
/// load.
template <class Load>
[[nodiscard]] Load upper_median(std::vector<Load> loads) {
    const auto middle = loads.begin() + static_cast<std::ptrdiff_t>(loads.size() / 2);
    std::nth_element(loads.begin(), middle, loads.end());
    return *middle;
}

/// How far apart two loads are.
[[nodiscard]] constexpr relative_load distance(relative_load a, relative_load b) noexcept {
    return {a > b ? a.bits - b.bits : b.bits - a.bits};
}

} // namespace hashring::detail
