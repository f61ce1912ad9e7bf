// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/key.hpp>
#include <hashring/core/uint128.hpp>
#include <hashring/ring/arc.hpp>
#include <hashring/ring/point_list.hpp>

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
/// What moves between two rings: the exact arcs, and totals.

namespace hashring {

/// An arc whose owner differs between two rings. `from` and `to` are indices into
/// `ring_diff::names()`, or `no_node` where that ring has no owner.
template <position_integer Position>
struct moved_arc {
    arc<Position> where;
    std::uint32_t from = no_node;
    std::uint32_t to = no_node;

    friend constexpr bool operator==(const moved_arc&, const moved_arc&) = default;
};

/// All that moves from one node to another: how many arcs, and how many positions in all. `from`
/// and `to` are indices as in `moved_arc`.
struct transfer {
    std::uint32_t from = no_node;
    std::uint32_t to = no_node;
    std::size_t arcs = 0;
    uint128 width;
};

/// The difference of two rings of one scheme.
///
/// Law: a position lies on one of `arcs()` exactly if the two rings name different owners for it,
/// and then the arc names both.
template <placement_scheme Scheme>
class ring_diff {
public:
    using position_type = typename Scheme::position_type;
    using arc_type = moved_arc<position_type>;

    ring_diff(Scheme scheme, std::vector<std::string> names, std::vector<arc_type> arcs,
              double least_fraction)
        : scheme_(std::move(scheme)),
          names_(std::move(names)),
          arcs_(std::move(arcs)),
          least_fraction_(least_fraction) {}

    /// The arcs that changed owner, disjoint, as long as can be, in the order of their ends.
    [[nodiscard]] std::span<const arc_type> arcs() const noexcept { return arcs_; }
    [[nodiscard]] bool empty() const noexcept { return arcs_.empty(); }

    /// The names of the nodes of both rings, each once.
    [[nodiscard]] std::span<const std::string> names() const noexcept { return names_; }
    /// The name behind an index of an arc or a transfer; `nobody` for `no_node`.
    [[nodiscard]] std::string_view name(std::uint32_t index,
                                        std::string_view nobody = {}) const noexcept {
        return index == no_node ? nobody : std::string_view(names_[index]);
    }

    /// The number of positions that changed owner. O(arcs).
    [[nodiscard]] uint128 moved_width() const noexcept {
        uint128 sum;
        for (const arc_type& a : arcs_) {
            sum += width(a.where, Scheme::last_position);
        }
        return sum;
    }
    /// The same as a fraction of the circle, in [0, 1]. O(arcs).
    [[nodiscard]] double moved_fraction() const noexcept {
        return fraction(moved_width(), circle_width(position_type{Scheme::last_position}));
    }
    /// The least that had to move, as a fraction: the sum over nodes of what their wished share
    /// grew by. A node's wished share is its weight over the sum of all weights. A ring that is
    /// less even than wished can move less.
    [[nodiscard]] double least_fraction() const noexcept { return least_fraction_; }

    /// The index among `arcs()` of the one that position `p` is on if its owner changed; else their
    /// number. O(log arcs).
    [[nodiscard]] std::size_t index_at(position_type p) const noexcept {
        auto found =
            std::lower_bound(arcs_.begin(), arcs_.end(), p,
                             [](const arc_type& a, position_type q) { return a.where.last < q; });
        if (found == arcs_.end()) {
            found = arcs_.begin(); // only the first can wrap
        }
        return found != arcs_.end() && found->where.contains(p)
                   ? static_cast<std::size_t>(found - arcs_.begin())
                   : arcs_.size();
    }
    /// The arc that position `p` is on if its owner changed; else nothing. O(log arcs).
    [[nodiscard]] std::optional<arc_type> find_at(position_type p) const noexcept {
        const std::size_t found = index_at(p);
        return found < arcs_.size() ? std::optional(arcs_[found]) : std::nullopt;
    }
    /// The arc that key `k` is on if it moves; else nothing.
    template <key Key>
    [[nodiscard]] std::optional<arc_type> find(const Key& k) const noexcept {
        return find_at(with_key_bytes(
            k, [&](std::string_view bytes) noexcept { return scheme_.position(bytes); }));
    }
    /// Whether key `k` moves.
    template <key Key>
    [[nodiscard]] bool moves(const Key& k) const noexcept {
        return find(k).has_value();
    }

    /// What moves from whom to whom, by the names' places in `names()`, nobody last. O(arcs log
    /// arcs).
    [[nodiscard]] std::vector<transfer> transfers() const {
        std::vector<transfer> result;
        result.reserve(arcs_.size());
        for (const arc_type& a : arcs_) {
            result.push_back({a.from, a.to, 1, width(a.where, Scheme::last_position)});
        }
        std::sort(result.begin(), result.end(), [](const transfer& a, const transfer& b) {
            return a.from != b.from ? a.from < b.from : a.to < b.to;
        });
        std::size_t kept = 0;
        for (std::size_t i = 1; i < result.size(); ++i) {
            transfer& last = result[kept];
            if (result[i].from == last.from && result[i].to == last.to) {
                last.arcs += 1;
                last.width += result[i].width;
            } else {
                result[++kept] = result[i];
            }
        }
        result.resize(result.empty() ? 0 : kept + 1);
        return result;
    }

private:
    Scheme scheme_;
    std::vector<std::string> names_;
    std::vector<arc_type> arcs_;
    double least_fraction_;
};

} // namespace hashring
