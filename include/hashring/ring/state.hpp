// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/node.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/ring/build.hpp>
#include <hashring/ring/node_order.hpp>
#include <hashring/ring/node_ref.hpp>
#include <hashring/ring/point_list.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// The nodes and points of a ring, and the one way in which they change.

namespace hashring::detail {

/// A node of the list that a ring is to become. Its texts and its payload stay where they are until
/// nothing can fail any more.
template <class Payload>
struct slot {
    std::string* name = nullptr;
    std::string* address = nullptr;
    Payload* payload = nullptr;
    hashring::weight weight{};
    std::optional<std::uint32_t> count_by_hand{};
    std::uint32_t vnodes = 0;
    std::uint32_t keeps_points_of = no_node; ///< the member whose points are still right
};

template <placement_scheme Scheme, class Payload>
struct ring_state {
    using slot_type = slot<Payload>;
    using slots = std::vector<slot_type>;
    using points_type = points_of<Scheme>;

    std::vector<member<Payload>> members;
    points_type points;
    std::size_t placed = 0; ///< how many members have points

    ring_state() = default;
    ring_state(const ring_state&)
        requires std::copy_constructible<Payload>
    = default;
    ring_state& operator=(const ring_state& other)
        requires std::copy_constructible<Payload>
    {
        if (this != &other) {
            ring_state copy(other); // so that running out of memory changes nothing
            swap(copy);
        }
        return *this;
    }
    ring_state(ring_state&& other) noexcept { swap(other); }
    ring_state& operator=(ring_state&& other) noexcept {
        ring_state emptied;
        swap(other);
        emptied.swap(other); // so that a ring moved from is an empty ring
        return *this;
    }
    ~ring_state() = default;

    void swap(ring_state& other) noexcept {
        members.swap(other.members);
        points.swap(other.points);
        std::swap(placed, other.placed);
    }

    /// The index of the member called `name`, or `no_node`. O(log nodes), or O(nodes) where they
    /// are not in the order of their names.
    [[nodiscard]] std::uint32_t find(std::string_view name) const noexcept {
        return find_member<Scheme>(members, name);
    }

    /// The list as it is, for a change to start from.
    [[nodiscard]] slots current() {
        slots result;
        result.reserve(members.size() + 1);
        for (member<Payload>& m : members) {
            result.push_back({&m.name, &m.address, &m.payload, m.weight, m.count_by_hand, m.vnodes,
                              static_cast<std::uint32_t>(result.size())});
        }
        return result;
    }

    /// Puts `next` in the order of a ring: by name or as the scheme says, unless the order of the
    /// list matters.
    static void arrange(slots& next) { arrange_nodes<Scheme>(next); }

    /// `next` as the scheme sees it.
    [[nodiscard]] static std::vector<placed_node> view(const slots& next) {
        std::vector<placed_node> nodes;
        nodes.reserve(next.size());
        for (const slot_type& s : next) {
            nodes.push_back(
                {*s.name, *s.address, s.weight, static_cast<std::uint32_t>(nodes.size())});
        }
        return nodes;
    }

    /// How the points of this list become those of another.
    struct rewriting {
        std::vector<std::uint32_t> renamed; ///< by old index the new one, `no_node` for no longer
        fresh_points<typename Scheme::position_type> fresh;
    };

    /// What becomes of the points in `next`, whose names are good and whose counts it fills in.
    /// Throws `invalid_point_count` for too many points.
    [[nodiscard]] rewriting plan(const Scheme& scheme, slots& next) const {
        const std::vector<placed_node> nodes = view(next);
        if constexpr (list_scheme<Scheme>) {
            return {std::vector<std::uint32_t>(members.size(), no_node),
                    place(scheme, nodes, next)};
        }
        const std::vector<std::uint32_t> counts = count(scheme, nodes, next);
        check_point_count(counts);
        std::vector<std::uint32_t> renamed(members.size(), no_node);
        const auto keeps = [&](std::uint32_t i) {
            return !Scheme::points_depend_on_list && next[i].keeps_points_of != no_node;
        };
        for (std::uint32_t i = 0; i < next.size(); ++i) {
            if (keeps(i)) {
                renamed[next[i].keeps_points_of] = i;
            }
        }
        auto fresh = make_points(scheme, nodes, counts, [&](std::uint32_t i) { return !keeps(i); });
        return {std::move(renamed), std::move(fresh)};
    }

    /// Becomes `next`, its points rewritten in place as `plan` says.
    void become(slots& next, const rewriting& plan) {
        std::vector<member<Payload>> result;
        result.reserve(next.size());
        points.rewrite(plan.renamed, plan.fresh); // the last thing that can throw
        take(next, result);
    }
    /// Becomes `next` with points made before.
    void become(slots& next, points_type&& next_points) {
        std::vector<member<Payload>> result;
        result.reserve(next.size()); // the last thing that can throw
        points.swap(next_points);
        take(next, result);
    }

private:
    /// Moves the slots' texts and payloads into `result`, which has room, and that into place.
    void take(slots& next, std::vector<member<Payload>>& result) noexcept {
        placed = 0;
        for (const slot_type& s : next) {
            placed += s.vnodes > 0 ? 1 : 0;
            result.push_back({std::move(*s.name), std::move(*s.address), s.weight, s.vnodes,
                              s.count_by_hand, std::move(*s.payload)});
        }
        members.swap(result);
    }

    /// The points of a scheme that picks those of all nodes together.
    [[nodiscard]] static fresh_points<typename Scheme::position_type>
    place(const Scheme& scheme, std::vector<placed_node> nodes, slots& next) {
        std::vector<std::optional<std::uint32_t>> by_hand;
        for (const slot_type& s : next) {
            by_hand.push_back(s.count_by_hand);
        }
        leave_out_counted(nodes, next);
        auto placed = scheme.place(nodes, by_hand);
        check_point_count(placed.counts);
        fresh_points<typename Scheme::position_type> fresh;
        for (std::uint32_t i = 0; i < next.size(); ++i) {
            next[i].vnodes = placed.counts[i];
            fresh.runs.push_back({i, placed.counts[i]});
        }
        fresh.positions = std::move(placed.positions);
        return fresh;
    }

    /// A node counted by hand takes no part in the scheme's counting, whatever its weight.
    static void leave_out_counted(std::vector<placed_node>& nodes, const slots& next) {
        for (std::size_t i = 0; i < next.size(); ++i) {
            if (next[i].count_by_hand) {
                nodes[i].weight = hashring::weight{0};
            }
        }
    }

    [[nodiscard]] static std::vector<std::uint32_t>
    count(const Scheme& scheme, std::vector<placed_node> nodes, slots& next) {
        leave_out_counted(nodes, next);
        std::vector<std::uint32_t> counts = scheme.counts(nodes);
        for (std::size_t i = 0; i < next.size(); ++i) {
            counts[i] = next[i].count_by_hand.value_or(counts[i]);
            next[i].vnodes = counts[i];
        }
        return counts;
    }
};

} // namespace hashring::detail
