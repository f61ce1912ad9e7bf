// SPDX-License-Identifier: MIT
#pragma once

#include "laws/operations.hpp"

#include <hashring/core/node.hpp>
#include <hashring/core/uint128.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace laws {

using hashring::uint128;

// What a ring or a table must make of a history: a list of nodes, and who is down. Plain enough to
// be seen right.
struct reference {
    std::vector<node_spec> nodes{}; // in the order in which they came
    std::set<std::string> down{};
    std::map<std::string, std::uint32_t> came_back{}; // how often, by name

    std::vector<node_spec>::iterator find(const std::string& name) {
        return std::ranges::find(nodes, name, &node_spec::name);
    }
    bool has(const std::string& name) { return find(name) != nodes.end(); }

    // What the call returns: how many nodes are new, or whether the name is a member. Throws what
    // derives from `std::invalid_argument` for what must be refused.
    std::size_t apply(const operation& op) {
        const std::vector<node_spec> list = op.specs();
        if (op.what == verb::add || is_list(op.what)) {
            check_names(list);
        }
        std::size_t result = 0;
        if (op.what == verb::add || op.what == verb::add_list) {
            for (const node_spec& node : list) {
                if (!has(node.name)) {
                    nodes.push_back(node);
                    ++result;
                }
            }
        } else if (op.what == verb::assign) {
            nodes = list;
        } else if (op.what == verb::plan) {
            for (const node_spec& change : list) {
                member(change.name) = change;
            }
        } else if (!has_no_node(op.what) && has(op.name())) {
            result = change_one(op, list);
        }
        std::erase_if(down, [&](const std::string& name) { return !has(name); });
        std::erase_if(came_back, [&](const auto& count) { return !has(count.first); });
        return result;
    }

private:
    static void check_names(const std::vector<node_spec>& list) {
        std::set<std::string> seen;
        for (const node_spec& node : list) {
            if (node.name.empty() || !seen.insert(node.name).second) {
                throw std::invalid_argument("a name");
            }
        }
    }
    node_spec& member(const std::string& name) {
        if (!has(name)) {
            throw std::invalid_argument("no member");
        }
        return *find(name);
    }
    // A change of the member that the operation names.
    std::size_t change_one(const operation& op, const std::vector<node_spec>& list) {
        node_spec& changed = member(op.name());
        switch (op.what) {
        case verb::remove:
            nodes.erase(find(op.name()));
            return 1;
        case verb::set_weight:
            changed = node_spec(op.name(), list[0].weight);
            return 1;
        case verb::set_vnodes:
            changed.vnodes = list[0].vnodes;
            return 1;
        case verb::replace:
            if (list[1].name.empty() || (list[1].name != op.name() && has(list[1].name))) {
                throw std::invalid_argument("the new name");
            }
            changed = list[1];
            return 1;
        case verb::mark_down:
            return down.insert(op.name()).second ? 1 : 0;
        default:
            came_back[op.name()] += down.contains(op.name()) ? 1U : 0U;
            return down.erase(op.name());
        }
    }
};

// A point of a ring, and the place of its node in the list.
struct point {
    uint128 position;
    std::uint32_t owner = 0;
    friend bool operator==(const point&, const point&) = default;
};

// What a ring must look like: nodes in their order with their counts, points in that of the circle.
struct placement {
    std::vector<node_spec> nodes{};
    std::vector<std::uint32_t> counts{};
    std::vector<point> points{};
    uint128 last_position{};

    // The first point at or after `p`, after the last one the first. There are points.
    std::size_t first_at(const uint128& p) const {
        std::size_t i = 0;
        while (i < points.size() && points[i].position < p) {
            ++i;
        }
        return i < points.size() ? i : 0;
    }
    // The nodes clockwise from `p`, each once.
    std::vector<std::uint32_t> clockwise(const uint128& p) const {
        std::vector<std::uint32_t> order;
        const std::size_t first = points.empty() ? 0 : first_at(p);
        for (std::size_t i = 0; i < points.size() && order.size() < nodes.size(); ++i) {
            const std::uint32_t owner = points[(first + i) % points.size()].owner;
            if (std::ranges::find(order, owner) == order.end()) {
                order.push_back(owner);
            }
        }
        return order;
    }
    // The name of the owner of `p`, or "" without points.
    std::string_view owner_name(const uint128& p) const {
        return points.empty() ? std::string_view() : nodes[points[first_at(p)].owner].name;
    }
    // The positions from after `before` up to `p`, all of them if these are the same; on a circle
    // of 128 bits in units of 2^64.
    uint128 width(const uint128& before, const uint128& p) const {
        if (last_position.high > 0) {
            return before.high < p.high || (before.high == p.high && before < p)
                       ? uint128(p.high - before.high)
                       : uint128(1, 0) - uint128(before.high - p.high);
        }
        return before < p ? p - before : last_position + 1 - before + p;
    }
    uint128 circle() const { return last_position.high > 0 ? uint128(1, 0) : last_position + 1; }

    // How much each node owns.
    std::vector<uint128> widths() const {
        std::vector<uint128> owned(nodes.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            const uint128 before = points[(i + points.size() - 1) % points.size()].position;
            if (i == 0 || before != points[i].position) {
                owned[points[i].owner] += width(before, points[i].position);
            }
        }
        return owned;
    }
};

} // namespace laws
