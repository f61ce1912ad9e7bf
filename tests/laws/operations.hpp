// SPDX-License-Identifier: MIT
#pragma once

#include "support/dice.hpp"

#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/core/weight.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace laws {

using hashring::node_spec;

// What can be done to a ring or a table.
enum class verb : std::uint8_t {
    add,
    add_list,
    remove,
    set_weight,
    set_vnodes,
    assign,
    plan,
    replace,  // the first node by the second
    transfer, // a part of what the first node owns to the second
    mark_down,
    mark_up,
    copy,  // go on with a copy
    reload // go on with what was saved and loaded
};

// A form of name that every program takes; one is the beginning of another, and the order of the
// names is not that of the list.
inline constexpr std::array<std::string_view, 6> names{
    "10.0.0.2:80", "10.0.0.1:80", "10.0.0.1:8080", "10.0.0.12:80", "10.0.0.3:80", "10.0.0.11:80"};

struct drawn_node {
    unsigned name = 0;   // its place in `names`; at their end the empty name, which nobody may have
    unsigned halves = 2; // of a unit of weight
    std::optional<std::uint32_t> vnodes{};

    std::string name_text() const {
        return name < names.size() ? std::string(names[name]) : std::string();
    }
    node_spec spec() const {
        return {name_text(),
                hashring::weight::from_thousandths(500 * std::uint64_t{halves}),
                {},
                vnodes};
    }
};

// One step of a history.
struct operation {
    verb what = verb::add;
    std::vector<drawn_node> nodes{}; // as many as the verb says

    const drawn_node& node() const { return nodes.front(); }
    std::string name() const { return nodes.front().name_text(); }
    std::vector<node_spec> specs() const {
        std::vector<node_spec> result;
        for (const drawn_node& n : nodes) {
            result.push_back(n.spec());
        }
        return result;
    }
};

inline bool is_list(verb what) {
    return what == verb::add_list || what == verb::assign || what == verb::plan;
}
inline bool has_no_node(verb what) {
    return what == verb::copy || what == verb::reload;
}

inline std::string text_of(const operation& op) {
    constexpr std::array<std::string_view, 13> verbs{
        "add",     "add_list", "remove",    "set_weight", "set_vnodes", "assign", "plan",
        "replace", "transfer", "mark_down", "mark_up",    "copy",       "reload"};
    std::string text(verbs[static_cast<std::size_t>(op.what)]);
    for (const drawn_node& n : op.nodes) {
        const node_spec spec = n.spec();
        text += hashring::concat(" '", spec.name, "'");
        if (op.what != verb::remove && op.what != verb::set_vnodes && n.halves != 2) {
            text += hashring::concat(" weight ", spec.weight.text());
        }
        if (n.vnodes) {
            text += hashring::concat(" vnodes ", hashring::decimal(*n.vnodes));
        }
    }
    return text;
}

// `odd_eighths` is how many eighths of all nodes get a weight other than the plain one at random.
inline drawn_node draw_node(dice& random, unsigned odd_eighths) {
    constexpr std::array<unsigned, 8> halves{2, 2, 2, 4, 6, 0, 1, 4};
    drawn_node drawn;
    drawn.name = static_cast<unsigned>(random.below(names.size()));
    if (random.below(40) == 0) {
        drawn.name = names.size();
    }
    if (random.below(8) < odd_eighths) {
        drawn.halves = halves[random.below(halves.size())];
    }
    if (random.below(16) == 0) {
        drawn.vnodes = static_cast<std::uint32_t>(random.below(5));
    }
    return drawn;
}

// One that is refused now and then: an empty name, one that comes twice, more points than a ring
// may hold.
inline operation draw_operation(dice& random, const std::vector<verb>& verbs,
                                unsigned odd_eighths) {
    operation op{random.pick(verbs), {}};
    if (has_no_node(op.what)) {
        return op;
    }
    std::size_t count = op.what == verb::replace || op.what == verb::transfer ? 2 : 1;
    count = is_list(op.what) ? random.below(names.size()) : count;
    while (op.nodes.size() < count) {
        const drawn_node drawn = draw_node(random, odd_eighths);
        bool is_known = false;
        for (const drawn_node& n : op.nodes) {
            is_known = is_known || n.name == drawn.name;
        }
        if (!is_known || !is_list(op.what) || random.below(40) == 0) {
            op.nodes.push_back(drawn);
        }
    }
    if (op.what == verb::set_vnodes) {
        op.nodes.front().vnodes =
            random.below(30) == 0 ? (1U << 24U) + 1 : static_cast<std::uint32_t>(random.below(12));
    }
    return op;
}

inline std::vector<operation> draw_history(std::uint64_t seed, std::size_t length,
                                           const std::vector<verb>& verbs,
                                           unsigned odd_eighths = 8) {
    dice random(seed);
    std::vector<operation> history;
    while (history.size() < length) {
        operation op = draw_operation(random, verbs, odd_eighths);
        // Often with the same node again, as most faults need two changes of one.
        if (!history.empty() && !history.back().nodes.empty() && op.nodes.size() == 1 &&
            random.below(2) == 0) {
            op.nodes.front().name = history.back().node().name;
        }
        history.push_back(std::move(op));
    }
    return history;
}

// Simpler forms of one node: without a count or with a lower one, of weight 1, an earlier name.
inline std::vector<drawn_node> simpler_nodes(const drawn_node& n, bool needs_count) {
    std::vector<drawn_node> simpler;
    const auto with = [&](unsigned name, unsigned halves, std::optional<std::uint32_t> vnodes) {
        simpler.push_back({name, halves, vnodes});
    };
    if (n.vnodes && !needs_count) {
        with(n.name, n.halves, std::nullopt);
    }
    if (n.vnodes.value_or(0) > 0) {
        with(n.name, n.halves, 0);
        with(n.name, n.halves, *n.vnodes / 2);
        with(n.name, n.halves, *n.vnodes - 1);
    }
    if (n.halves != 2) {
        with(n.name, 2, n.vnodes);
    }
    if (n.halves > 4) {
        with(n.name, 4, n.vnodes);
    }
    for (unsigned name = 0; name < n.name; ++name) {
        with(name, n.halves, n.vnodes);
    }
    return simpler;
}

// Simpler forms of an operation: fewer nodes, or simpler ones.
inline std::vector<operation> simpler_operations(const operation& op) {
    std::vector<operation> simpler;
    for (std::size_t i = 0; is_list(op.what) && i < op.nodes.size(); ++i) {
        operation& less = simpler.emplace_back(op);
        less.nodes.erase(less.nodes.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (op.what == verb::add_list && op.nodes.size() == 1) {
        simpler.push_back({verb::add, op.nodes});
    }
    for (std::size_t i = 0; i < op.nodes.size(); ++i) {
        for (const drawn_node& n : simpler_nodes(op.nodes[i], op.what == verb::set_vnodes)) {
            simpler.emplace_back(op).nodes[i] = n;
        }
    }
    return simpler;
}

// The history with a node called otherwise throughout: by an earlier name that nobody has.
inline std::vector<std::vector<operation>>
renamed_histories(const std::vector<operation>& history) {
    std::set<unsigned> used;
    for (const operation& op : history) {
        for (const drawn_node& n : op.nodes) {
            used.insert(n.name);
        }
    }
    std::vector<std::vector<operation>> result;
    for (const unsigned from : used) {
        for (unsigned to = 0; to < from; ++to) {
            if (used.contains(to)) {
                continue;
            }
            for (operation& op : result.emplace_back(history)) {
                for (drawn_node& n : op.nodes) {
                    n.name = n.name == from ? to : n.name;
                }
            }
        }
    }
    return result;
}

} // namespace laws
