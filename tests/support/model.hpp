// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/node.hpp>
#include <hashring/placement/scheme.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

// A ring without any of the library's own ring: all points in one list, sorted anew for every
// question, and answered by walking it from its start. Slow, and short enough to be seen right.
template <class Scheme>
struct model_ring {
    struct point {
        typename Scheme::position_type position;
        std::string node;
        friend bool operator==(const point&, const point&) = default;
    };

    Scheme scheme{};
    std::vector<hashring::node_spec> nodes;

    // All points in the order of their positions, on one position who owns it first.
    std::vector<point> points() const {
        std::vector<hashring::node_spec> list = nodes;
        if (!Scheme::order_matters) {
            std::ranges::sort(list, {}, &hashring::node_spec::name);
        }
        std::vector<hashring::placed_node> placed;
        for (std::uint32_t i = 0; i < list.size(); ++i) {
            placed.push_back({list[i].name, list[i].address, list[i].weight, i});
        }
        const std::vector<std::uint32_t> counts = scheme.counts(with_counts_by_hand_left_out(list));
        std::vector<std::tuple<typename Scheme::position_type, std::int64_t, std::string>> all;
        for (std::size_t i = 0; i < list.size(); ++i) {
            std::vector<typename Scheme::position_type> own(list[i].vnodes.value_or(counts[i]));
            scheme.points(placed[i], own);
            const auto rank = static_cast<std::int64_t>(i);
            for (const auto p : own) {
                all.emplace_back(p, Scheme::ties == hashring::tie_rule::first ? rank : -rank,
                                 list[i].name);
            }
        }
        std::ranges::sort(all);
        std::vector<point> result;
        for (const auto& [position, rank, name] : all) {
            result.push_back({position, name});
        }
        return result;
    }

private:
    // The list as a scheme sees it that counts: who is counted by hand asks for nothing.
    static std::vector<hashring::placed_node>
    with_counts_by_hand_left_out(const std::vector<hashring::node_spec>& list) {
        std::vector<hashring::placed_node> asking;
        for (std::uint32_t i = 0; i < list.size(); ++i) {
            const hashring::weight w = list[i].vnodes ? hashring::weight{0} : list[i].weight;
            asking.push_back({list[i].name, list[i].address, w, i});
        }
        return asking;
    }
};

// The points of a ring in the same form.
template <class Ring>
std::vector<typename model_ring<typename Ring::scheme_type>::point> points_of(const Ring& ring) {
    std::vector<typename model_ring<typename Ring::scheme_type>::point> result;
    for (const auto& p : ring.points()) {
        result.push_back({p.position, std::string(p.node.name())});
    }
    return result;
}

// Who owns position `p` of sorted points: the first at or after it, else the first of all. Empty
// without points.
template <class Point, class Position>
std::string owner_among(const std::vector<Point>& points, Position p) {
    for (const Point& candidate : points) {
        if (candidate.position >= p) {
            return candidate.node;
        }
    }
    return points.empty() ? std::string() : points.front().node;
}
