// SPDX-License-Identifier: MIT
#include "advice.hpp"

#include "evenness.hpp"
#include "failure.hpp"
#include "grid.hpp"

#include <hashring/balance/expected_gap.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/table/anchor.hpp>
#include <hashring/table/maglev.hpp>
#include <hashring/table/prime.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace tool {

namespace {

/// As many points as are searched for: more take seconds for each step of the search.
constexpr std::uint64_t most_points_tried = std::uint64_t{1} << 20U;
/// Far fewer where a key looks at 21 places: they have to stay near the processor.
constexpr std::uint64_t most_probed = std::uint64_t{1} << 18U;

/// Builds what `a` says and fills in how even it is; false, and the reason as its note, if the
/// scheme does not take these nodes.
bool build(advice& a, const advice_request& asked) {
    const scheme_entry& plain = find_scheme(a.scheme);
    const scheme_entry& scheme = a.corrected ? *plain.corrected : plain;
    try {
        a.placed = scheme.place(asked.nodes, a.options);
    } catch (const std::invalid_argument& reason) {
        a.note = reason.what();
        return false;
    }
    const hashring::load_measures shares = measure_shares(a.placed->nodes());
    a.load_gap = shares.load_gap;
    a.peak_to_mean = shares.peak_to_mean;
    a.points = a.placed->point_count();
    a.memory_bytes = a.placed->memory_bytes();
    a.reaches = a.load_gap <= asked.gap;
    return true;
}

/// How many virtual nodes a node gets at `vnodes` a unit of weight, also where it is more than a
/// ring holds.
std::uint64_t count_at(const listed_node& node, std::uint64_t vnodes) {
    const std::uint64_t least = node.weight > hashring::weight{0} ? 1 : 0;
    return std::max(least, (node.weight.thousandths() * vnodes + 500) / 1000);
}

/// How many points all have, or some number above `max_points`; who is down keeps its own.
std::uint64_t points_at(const advice_request& asked, std::uint64_t vnodes) {
    std::uint64_t sum = 0;
    for (const listed_node& node : asked.nodes) {
        sum += count_at(node, vnodes); // below 2^60
        if (sum > hashring::max_points) {
            break;
        }
    }
    return sum;
}

/// The mean load gap of rings of so many random points; at most `max_points`.
double expected_gap_at(const advice_request& asked, std::uint64_t vnodes) {
    std::vector<std::uint32_t> counts;
    for (const listed_node& node : asked.nodes) {
        if (!node.down) {
            counts.push_back(static_cast<std::uint32_t>(count_at(node, vnodes)));
        }
    }
    return hashring::expected_load_gap(counts);
}

/// The least number, or little more, of virtual nodes a unit of weight at which the expected load
/// gap is at most that asked for; it falls with the square root of the number.
std::uint64_t expected_vnodes(const advice_request& asked) {
    std::uint64_t vnodes = 1;
    while (points_at(asked, vnodes) <= hashring::max_points) {
        const double factor = expected_gap_at(asked, vnodes) / asked.gap;
        if (factor <= 1.0) {
            break;
        }
        const double wanted = std::ceil(static_cast<double>(vnodes) * factor * factor);
        vnodes = std::max(vnodes + 1, static_cast<std::uint64_t>(std::min(wanted, 1e9)));
    }
    return vnodes;
}

/// The most virtual nodes a unit of weight that a ring has room for; 0 if not even one.
std::uint64_t most_vnodes(const advice_request& asked) {
    std::uint64_t fit = 0;
    std::uint64_t too_many = std::uint64_t{hashring::max_points} * 1000;
    while (too_many - fit > 1) {
        const std::uint64_t middle = fit + (too_many - fit) / 2;
        (points_at(asked, middle) <= hashring::max_points ? fit : too_many) = middle;
    }
    return fit;
}

/// `number` rounded up to two digits and zeros.
std::uint64_t rounded_up(std::uint64_t number) {
    std::uint64_t unit = 1;
    while (number >= 100 * unit) {
        unit *= 10;
    }
    return (number + unit - 1) / unit * unit;
}

advice family(std::string name, std::string scheme) {
    advice a;
    a.family = std::move(name);
    a.scheme = std::move(scheme);
    return a;
}

std::string as_percent(double part) {
    return concat(fixed(100.0 * part, 2), "%");
}

} // namespace

advice advise_ring(const advice_request& asked) {
    advice a = family("ring", "xxh3");
    std::uint64_t vnodes = rounded_up(expected_vnodes(asked));
    while (points_at(asked, vnodes) <= hashring::max_points) {
        a.options = {{"vnodes", decimal(vnodes)}};
        if (!build(a, asked)) {
            return a;
        }
        if (a.reaches) {
            a.note = concat(as_percent(expected_gap_at(asked, vnodes)),
                            " is to be expected of other nodes with as many virtual nodes");
            return a;
        }
        vnodes = rounded_up(vnodes + (vnodes + 9) / 10);
    }
    advice none = family("ring", "xxh3");
    const std::uint64_t most = most_vnodes(asked);
    none.note = most == 0
                    ? "one virtual node a unit of weight makes more points than a ring holds: use "
                      "smaller weights, which are relative"
                    : concat("the most points that a ring holds, ", decimal(hashring::max_points),
                             ", come to a gap of ", as_percent(expected_gap_at(asked, most)));
    return none;
}

advice advise_corrected(const advice_request& asked) {
    constexpr std::size_t most_nodes = 1000;
    advice a = family("corrected ring", "xxh3");
    a.corrected = true;
    if (asked.nodes.size() > most_nodes) {
        a.note = concat("not tried with more than ", decimal(most_nodes),
                        " nodes: it takes long and moves many times the least");
        return a;
    }
    constexpr double preset_reach = 0.005; // what the scheme's own tolerance comes to
    for (std::uint64_t vnodes = 160; points_at(asked, vnodes) <= most_points_tried; vnodes *= 2) {
        a.options = {{"vnodes", decimal(vnodes)}};
        if (asked.gap < preset_reach) {
            const double millionths = asked.gap * 1e6 / 4;
            a.options.emplace_back("tolerance",
                                   decimal(static_cast<std::uint32_t>(std::max(1.0, millionths))));
        }
        if (!build(a, asked) || a.reaches) {
            break;
        }
    }
    if (a.placed) {
        a.note = "virtual nodes are picked for these nodes: a change also moves keys between "
                 "nodes that stay";
    } else if (a.note.empty()) {
        a.note = concat("would need more than ", decimal(most_points_tried), " points");
    }
    return a;
}

advice advise_multi_probe(const advice_request& asked) {
    advice a = family("multi-probe", "multi-probe");
    for (std::uint64_t vnodes = 1; points_at(asked, vnodes) <= most_probed; vnodes *= 2) {
        a.options = {{"vnodes", decimal(vnodes)}};
        if (!build(a, asked) || a.reaches) {
            break;
        }
    }
    if (a.placed) {
        a.note = a.reaches ? "its 21 probes bound the peak, and more points the gap; one node a "
                             "key, no copies"
                           : "its 21 probes bound the peak, not the gap";
    } else if (a.note.empty()) {
        a.note = concat("would need more than ", decimal(most_probed), " points");
    }
    return a;
}

advice advise_maglev(const advice_request& asked) {
    using hashring::schemes::maglev;
    advice a = family("maglev", "maglev");
    for (std::uint32_t size = maglev::preset_size; size <= maglev::max_size;
         size = hashring::next_prime(2 * size)) {
        a.options = {{"table-size", decimal(size)}};
        if (!build(a, asked) || a.reaches) {
            break;
        }
    }
    if (a.placed) {
        a.note = "a change also moves keys between nodes that stay; one node a key, no copies";
    }
    return a;
}

advice advise_rendezvous(const advice_request& asked) {
    advice a = family("rendezvous", "rendezvous");
    a.by_node = true;
    if (build(a, asked)) {
        a.note = "exact in expectation; a look-up asks every node; one node a key, no copies";
    }
    return a;
}

advice advise_jump(const advice_request& asked) {
    advice a = family("jump", "jump");
    if (build(a, asked)) {
        a.note = "exact in expectation; the order of the list is the placement, and only the last "
                 "node can leave; one node a key, no copies";
    }
    return a;
}

advice advise_anchor(const advice_request& asked) {
    advice a = family("anchor", "anchor");
    if (asked.nodes.size() > hashring::schemes::anchor::preset_capacity / 2) {
        a.options = {{"capacity", decimal(2 * asked.nodes.size())}};
    }
    if (build(a, asked)) {
        a.note = "exact in expectation; who left in which order is state, which a program has in "
                 "an anchor_table, so that any node can leave; one node a key, no copies";
    }
    return a;
}

std::string arguments_of(const advice& a) {
    if (a.scheme.empty()) {
        return {};
    }
    std::string text = concat("--scheme ", a.scheme);
    if (a.corrected) {
        text += " --allocator corrected";
    }
    for (const auto& [name, value] : a.options) {
        text += concat(" --", name, " ", value);
    }
    return text;
}

recommendation recommend(const std::vector<advice>& all, std::size_t nodes) {
    const auto reaching = [&](std::string_view name) -> const advice* {
        const auto found = std::find_if(
            all.begin(), all.end(), [&](const advice& a) { return a.family == name && a.reaches; });
        return found == all.end() ? nullptr : &*found;
    };
    constexpr std::size_t few_nodes = 256;
    const advice* const ring = reaching("ring");
    if (ring != nullptr && ring->points <= most_points_tried) {
        return {ring, "moves only what it must, and has copies"};
    }
    const advice* const rendezvous = reaching("rendezvous");
    if (rendezvous != nullptr && nodes <= few_nodes) {
        return {rendezvous,
                "moves only what it must, and to ask so few nodes takes a microsecond at most"};
    }
    const advice* best = nullptr;
    for (const std::string_view name : {"multi-probe", "corrected ring", "maglev", "ring"}) {
        const advice* const a = reaching(name);
        const auto moves = [](const advice& of) {
            return of.join_times_least.value_or(1.0) + of.leave_times_least.value_or(1.0);
        };
        if (a != nullptr && (best == nullptr || moves(*a) < 0.95 * moves(*best))) {
            best = a;
        }
    }
    if (best != nullptr) {
        return {best, "moves the least of those that need not ask every node"};
    }
    return {rendezvous, "nothing else is as even"};
}

} // namespace tool
