// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/balance/proportion.hpp>
#include <hashring/balance/round_robin.hpp>
#include <hashring/core/error.hpp>
#include <hashring/core/text.hpp>
#include <hashring/core/uint128.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// Step 3 of the weighted round robin: one node after the other, in proportion to their weights and
/// as evenly mixed as can be.

namespace hashring {

/// A node's place in a smooth weighted order.
struct turn {
    std::string name{};
    /// Its part of all weights, times 2^32.
    std::uint64_t share = 0;
    /// How many turns it is owed, times 2^32; below 0 if it had more than its part.
    std::int64_t credit = 0;

    friend bool operator==(const turn&, const turn&) = default;
};

/// Hands out turns in proportion to weights. A regular value: its state is what it is made of.
///
/// Laws: after k turns with the same weights a node had less than k · share + 1; what a node is
/// owed survives `refresh`, so that weights may be new for every turn and the proportions still
/// hold; the order of the nodes does not matter, as ties go to the lesser name.
///
/// Source: the smooth weighted round robin of nginx (ngx_http_upstream_round_robin.c, 2012), on
/// shares in place of weights so that what is owed keeps its meaning when the weights change.
class smooth_order {
public:
    smooth_order() = default;
    explicit smooth_order(std::span<const store_weight> weights) { refresh(weights); }

    /// Takes new weights. A node that is new is owed nothing, one that is gone is forgotten, and
    /// one of weight 0 gets no turn but keeps its credit or debt. Throws `invalid_node` for a name
    /// that comes twice, and then nothing has changed. O(n log n).
    void refresh(std::span<const store_weight> weights) {
        std::vector<turn> next = arrange(weights);
        for (turn& t : next) {
            const auto old = std::lower_bound(
                turns_.begin(), turns_.end(), t.name,
                [](const turn& a, const std::string& name) { return a.name < name; });
            if (old != turns_.end() && old->name == t.name) {
                t.credit = old->credit;
            }
        }
        turns_ = std::move(next);
    }

    /// The node whose turn it is; nothing if no weight is above 0. The name is valid until the next
    /// refresh. O(n).
    [[nodiscard]] std::optional<std::string_view> next() noexcept {
        turn* chosen = nullptr;
        std::uint64_t all = 0;
        for (turn& t : turns_) {
            if (t.share == 0) {
                continue;
            }
            t.credit += static_cast<std::int64_t>(t.share);
            all += t.share;
            if (chosen == nullptr || t.credit > chosen->credit) {
                chosen = &t;
            }
        }
        if (chosen == nullptr) {
            return std::nullopt;
        }
        chosen->credit -= static_cast<std::int64_t>(all);
        return chosen->name;
    }

    /// The nodes by name.
    [[nodiscard]] std::span<const turn> turns() const noexcept { return turns_; }

    friend bool operator==(const smooth_order&, const smooth_order&) = default;

private:
    [[nodiscard]] static std::vector<turn> arrange(std::span<const store_weight> weights) {
        uint128 sum;
        for (const store_weight& w : weights) {
            sum += w.weight;
        }
        std::vector<turn> result;
        for (const store_weight& w : weights) {
            const std::uint64_t share =
                w.weight == 0 ? 0 : proportion(std::uint64_t{1} << 32U, w.weight, sum);
            // A weight above 0 gets a turn some day.
            result.push_back({w.name, w.weight == 0 ? 0 : std::max<std::uint64_t>(share, 1), 0});
        }
        std::sort(result.begin(), result.end(),
                  [](const turn& a, const turn& b) { return a.name < b.name; });
        for (std::size_t i = 1; i < result.size(); ++i) {
            if (result[i].name == result[i - 1].name) {
                throw invalid_node(concat("node '", result[i].name, "' has two weights"));
            }
        }
        return result;
    }

    std::vector<turn> turns_;
};

} // namespace hashring
