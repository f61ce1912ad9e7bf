// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

// Balance and movement of the tables beside the figures of this library's study of load balance,
// section 5, whose simulations share no code with it and ran over 2 to 12 seeds.

using namespace hashring;
using schemes::jump;
using schemes::maglev;
using schemes::multi_probe;
using schemes::rendezvous;

namespace {

// (most - least) / mean, in percent.
double gap_of(const std::vector<double>& loads) {
    const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
    return 100 * (*most - *least) * static_cast<double>(loads.size()) /
           std::accumulate(loads.begin(), loads.end(), 0.0);
}

double mean(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// What `measure` says of each of the seeds from 1 on.
template <class Measure>
std::vector<double> over_seeds(std::uint64_t seeds, Measure measure) {
    std::vector<double> values;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        values.push_back(measure(seed));
    }
    return values;
}

bool within(double value, double least, double most) {
    return least <= value && value <= most;
}

table<multi_probe> probed(std::size_t nodes, std::uint32_t vnodes, std::uint64_t seed) {
    multi_probe scheme;
    scheme.set("vnodes", std::to_string(vnodes));
    return table<multi_probe>(node_names(nodes, seed), scheme);
}

double peak_of(const std::vector<double>& shares) {
    return *std::max_element(shares.begin(), shares.end()) * static_cast<double>(shares.size());
}

struct movement {
    double multiple = 0;    // of the least that has to move
    std::size_t others = 0; // keys that moved between nodes that stay
};

// What moves of `keys` keys where `less` becomes `more`, with one node more, the last by name or
// in the list. The way back moves the same.
template <class Table>
movement moved(const Table& less, const Table& more, const std::string& newcomer,
               std::uint64_t keys, std::uint64_t seed) {
    dice random(seed);
    movement result;
    for (std::uint64_t i = 0; i < keys; ++i) {
        const std::uint64_t at = random.next();
        const std::string_view from = *less.owner_at(at);
        const std::string_view to = *more.owner_at(at);
        result.multiple += from != to ? 1.0 : 0.0;
        result.others += from != to && to != newcomer ? 1U : 0U;
    }
    result.multiple *= static_cast<double>(more.size()) / static_cast<double>(keys);
    return result;
}

// Slots of `before` that have another owner in `after`, as a multiple of a node's part of them.
double moved_slots(const table<maglev>& before, const table<maglev>& after, std::size_t nodes) {
    double changed = 0;
    for (std::size_t i = 0; i < before.slot_count(); ++i) {
        changed +=
            before.node(before.slot_owner(i)).name() != after.node(after.slot_owner(i)).name()
                ? 1.0
                : 0.0;
    }
    return changed * static_cast<double>(nodes) / static_cast<double>(before.slot_count());
}

// The load gap, in percent, of `a_node` keys for each node.
template <class Table>
double gap_of_keys(std::size_t nodes, std::uint64_t a_node, std::uint64_t seed) {
    const Table t(node_names(nodes, seed));
    std::vector<double> counts(nodes);
    dice random(seed);
    for (std::uint64_t i = 0; i < a_node * nodes; ++i) {
        ++counts[t.owner_index_at(random.next())];
    }
    return gap_of(counts);
}

} // namespace

// A node behind a wide arc has k / (k - 1) of the mean, which the widest of 1,000 arcs comes near:
// 1.0526 with 20 probes, 1.0476 with 22. The peaks of single seeds scatter by 0.006.
TEST_CASE("multi-probe: of many nodes with one point the peak is that of 21 probes",
          "[table][multi-probe][figures]") {
    const double peak = mean(over_seeds(
        201, [](std::uint64_t seed) { return peak_of(probed(1000, 1, seed).shares()); }));
    CAPTURE(peak);
    CHECK(std::fabs(peak - 21.0 / 20) < 0.0013);
}

// 37, 88 and 103 %, and peaks of 1.05, 1.04 and 1.05. The gap of ten points is under 1 % for one
// seed in ten and over 95 for another, so that its mean says more than its median.
TEST_CASE("multi-probe: with one point a node the gap is large although the peak is low",
          "[table][multi-probe][figures]") {
    const auto gaps = [](std::size_t nodes, std::uint64_t seeds) {
        return mean(over_seeds(
            seeds, [&](std::uint64_t seed) { return gap_of(probed(nodes, 1, seed).shares()); }));
    };
    CHECK(within(gaps(10, 601), 31, 39));
    CHECK(within(gaps(100, 201), 83, 92));
    CHECK(within(gaps(1000, 41), 101, 105));
    const auto peaks = [](std::size_t nodes, std::uint64_t seeds) {
        return mean(over_seeds(
            seeds, [&](std::uint64_t seed) { return peak_of(probed(nodes, 1, seed).shares()); }));
    };
    CHECK(within(peaks(10, 601), 1.040, 1.060));
    CHECK(within(peaks(100, 201), 1.042, 1.053));
}

// 4.5, 6.5 and 9.4 %; single seeds scatter by 1.1, 0.75 and 0.5.
TEST_CASE("multi-probe: with 128 points a node the gap is a few percent",
          "[table][multi-probe][figures]") {
    const auto gaps = [](std::size_t nodes, std::uint64_t seeds) {
        return median(over_seeds(
            seeds, [&](std::uint64_t seed) { return gap_of(probed(nodes, 128, seed).shares()); }));
    };
    CHECK(within(gaps(10, 101), 3.8, 4.6));
    CHECK(within(gaps(100, 11), 6.4, 7.5));
    CHECK(within(gaps(1000, 1), 7.5, 9.5));
}

// 1.0 at all sizes: the least, and nothing between those that stay.
TEST_CASE("multi-probe: a change moves the least, times one", "[table][multi-probe][figures]") {
    const std::size_t nodes = GENERATE(10U, 100U);
    CAPTURE(nodes);
    const std::uint64_t seeds = 11;
    std::size_t others = 0;
    const double multiple = mean(over_seeds(seeds, [&](std::uint64_t seed) {
        table<multi_probe> more = probed(nodes + 1, 128, seed);
        table<multi_probe> less = more;
        const std::string newcomer = node_names(nodes + 1, seed).back();
        less.remove(newcomer);
        const movement m = moved(less, more, newcomer, 100 * nodes, seed);
        others += m.others;
        return m.multiple;
    }));
    CHECK(others == 0);
    CHECK(within(multiple, 0.88, 1.12)); // 1,100 keys that move: by 4 deviations
}

// 0.78 % with 128 slots a node and 0.19 with 512: one slot, where they do not divide evenly.
TEST_CASE("maglev: the gap is one slot", "[table][maglev][figures]") {
    for (const std::size_t nodes : {10U, 100U, 1000U}) {
        for (const std::size_t slots : {128U, 512U}) {
            CAPTURE(nodes, slots);
            const std::uint32_t size = next_prime(static_cast<std::uint32_t>(nodes * slots));
            const table<maglev> t(node_names(nodes, 1), maglev(size));
            const double gap = gap_of(t.shares());
            CHECK(std::fabs(gap - 100.0 * static_cast<double>(nodes) / size) < 1e-9);
            CHECK(std::fabs(gap - (slots == 128 ? 0.78 : 0.19)) < 0.01);
        }
    }
}

// Adding one moves 1.28, 2.5 and 6.7 times the least with 128 slots a node, and 1.12, 1.6 and 4.9
// with 512; removing one the same. The spread of seeds: at most 0.2, 0.1 and 0.1.
TEST_CASE("maglev: a change moves more than the least, the more so the more nodes",
          "[table][maglev][figures]") {
    struct figures {
        std::size_t nodes;
        std::size_t slots;
        std::uint64_t seeds;
        double least;
        double most;
    };
    const auto of = GENERATE(figures{10, 128, 101, 1.18, 1.32}, figures{10, 512, 51, 1.07, 1.15},
                             figures{100, 128, 11, 2.40, 2.60}, figures{100, 512, 5, 1.55, 1.70},
                             figures{1000, 128, 2, 6.35, 6.95}, figures{1000, 512, 1, 4.75, 5.10});
    CAPTURE(of.nodes, of.slots);
    std::vector<double> removed;
    const double added = median(over_seeds(of.seeds, [&](std::uint64_t seed) {
        const auto names = node_names(of.nodes + 1, seed);
        const maglev scheme(next_prime(static_cast<std::uint32_t>(of.nodes * of.slots)));
        const table<maglev> more(names, scheme);
        table<maglev> less = more;
        less.remove(names.back());
        table<maglev> fewer = less;
        fewer.remove(names[of.nodes / 2]);
        removed.push_back(moved_slots(less, fewer, of.nodes));
        return moved_slots(less, more, of.nodes + 1);
    }));
    CHECK(within(added, of.least, of.most));
    CHECK(within(median(removed), of.least, of.most));
}

// None but the noise of the keys, which is d2 / sqrt(keys a node), d2 the mean range of n normal
// numbers: 3.08, 5.02 and 6.48. With 10^6 keys that is 1.0 % and 5.0; the study drew 1.2 and 5.1.
TEST_CASE("rendezvous, jump and anchor: the gap is the noise of the keys", "[table][figures]") {
    struct figures {
        std::size_t nodes;
        std::uint64_t seeds;
        double range;
    };
    constexpr std::uint64_t keys = 300; // a node
    const auto noise = [&](double range) {
        return 100 * range / std::sqrt(static_cast<double>(keys));
    };
    for (const figures& of : {figures{10, 61, 3.08}, figures{100, 5, 5.02}}) {
        CAPTURE(of.nodes);
        const double gap = median(over_seeds(of.seeds, [&](std::uint64_t seed) {
            return gap_of_keys<table<rendezvous>>(of.nodes, keys, seed);
        }));
        CHECK(std::fabs(gap / noise(of.range) - 1) < 0.2);
    }
    for (const figures& of :
         {figures{10, 61, 3.08}, figures{100, 11, 5.02}, figures{1000, 1, 6.48}}) {
        CAPTURE(of.nodes);
        const double gap = median(over_seeds(of.seeds, [&](std::uint64_t seed) {
            return gap_of_keys<table<jump>>(of.nodes, keys, seed);
        }));
        CHECK(std::fabs(gap / noise(of.range) - 1) < 0.2);
    }
    for (const figures& of : {figures{10, 61, 3.08}, figures{100, 11, 5.02}}) {
        CAPTURE(of.nodes);
        const double gap = median(over_seeds(of.seeds, [&](std::uint64_t seed) {
            return gap_of_keys<anchor_table<>>(of.nodes, keys, seed);
        }));
        CHECK(std::fabs(gap / noise(of.range) - 1) < 0.2);
    }
}

TEMPLATE_TEST_CASE("rendezvous, jump and anchor: a change moves the least, times one",
                   "[table][figures]", table<rendezvous>, table<jump>, anchor_table<>) {
    const std::size_t nodes = GENERATE(10U, 100U);
    CAPTURE(nodes);
    std::size_t others = 0;
    const double multiple = mean(over_seeds(5, [&](std::uint64_t seed) {
        const auto names = node_names(nodes + 1, seed);
        const TestType more(names);
        TestType less = more;
        less.remove(names.back());
        const movement m = moved(less, more, names.back(), 500 * nodes, seed);
        others += m.others;
        return m.multiple;
    }));
    CHECK(others == 0);
    CHECK(within(multiple, 0.92, 1.08)); // 2,500 keys that move: by 4 deviations
}
