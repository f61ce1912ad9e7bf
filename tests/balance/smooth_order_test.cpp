// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <hashring/balance/smooth_order.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

using namespace hashring;

namespace {

using weights = std::vector<store_weight>;

std::string turns(smooth_order& order, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) {
        out += order.next().value_or("-");
    }
    return out;
}

weights drawn_weights(dice& d, std::size_t count) {
    weights result;
    for (std::size_t i = 0; i < count; ++i) {
        result.push_back({decimal(i), d.below(5) == 0 ? 0 : 1 + d.below(1'000)});
    }
    result.front().weight = 500; // somebody has one
    return result;
}

double share_of(const weights& all, std::size_t i) {
    double sum = 0.0;
    for (const store_weight& w : all) {
        sum += static_cast<double>(w.weight);
    }
    return static_cast<double>(all[i].weight) / sum;
}

} // namespace

TEST_CASE("smooth order: the order that nginx has", "[smooth_order][golden]") {
    // Its commit gives { a 5, b 1, c 1 } as the example.
    smooth_order order(weights{{"a", 5}, {"b", 1}, {"c", 1}});
    CHECK(turns(order, 7) == "aabacaa");
    smooth_order of_two(weights{{"a", 2}, {"b", 1}});
    CHECK(turns(of_two, 9) == "abaabaaba");
    smooth_order equal(weights{{"c", 9}, {"a", 9}, {"b", 9}});
    CHECK(turns(equal, 6) == "abcabc");
}

TEST_CASE("smooth order: nobody is ahead by a whole turn, nor far behind", "[smooth_order][law]") {
    constexpr std::uint64_t seed = 241;
    CAPTURE(seed);
    dice d(seed);
    test::mismatches wrong;
    for (int round = 0; round < 40; ++round) {
        const std::size_t n = 1 + d.below(12);
        const weights all = drawn_weights(d, n);
        smooth_order order(all);
        std::map<std::string, int, std::less<>> had;
        for (int k = 1; k <= 300; ++k) {
            had[std::string(*order.next())] += 1;
            for (std::size_t i = 0; i < n; ++i) {
                const double due = k * share_of(all, i);
                const double lead = had[all[i].name] - due;
                wrong.expect(lead < 1.0 + 1e-6, round, k, i, lead);
                wrong.expect(lead > -1.0 - std::log2(static_cast<double>(n)), round, k, i, lead);
            }
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("smooth order: what a node is owed survives new weights", "[smooth_order][law]") {
    constexpr std::uint64_t seed = 242;
    CAPTURE(seed);
    dice d(seed);
    test::mismatches wrong;
    for (int round = 0; round < 40; ++round) {
        const std::size_t n = 2 + d.below(10);
        smooth_order order;
        std::vector<double> due(n, 0.0);
        std::vector<double> had(n, 0.0);
        for (int k = 1; k <= 300; ++k) {
            weights all; // new ones for every turn
            for (std::size_t i = 0; i < n; ++i) {
                all.push_back({decimal(i), 1 + d.below(50)});
            }
            d.shuffle(all);
            order.refresh(all);
            const std::size_t chosen = *parse_decimal<std::size_t>(*order.next());
            had[chosen] += 1.0;
            for (std::size_t i = 0; i < n; ++i) {
                due[*parse_decimal<std::size_t>(all[i].name)] += share_of(all, i);
            }
        }
        for (std::size_t i = 0; i < n; ++i) {
            wrong.expect(std::abs(had[i] - due[i]) < 4.0, round, i, had[i], due[i]);
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("smooth order: a refresh with the same weights changes nothing", "[smooth_order][law]") {
    constexpr std::uint64_t seed = 243;
    CAPTURE(seed);
    dice d(seed);
    weights all = drawn_weights(d, 9);
    smooth_order order(all);
    smooth_order refreshed(all);
    test::mismatches wrong;
    for (int k = 0; k < 500; ++k) {
        d.shuffle(all);
        refreshed.refresh(all);
        wrong.expect(refreshed == order, k);
        wrong.compare(*refreshed.next(), *order.next(), k);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("smooth order: a common factor of the weights changes nothing", "[smooth_order][law]") {
    constexpr std::uint64_t factor = 1'000'000'007;
    smooth_order small(weights{{"a", 3}, {"b", 5}, {"c", 1}});
    smooth_order large(weights{{"a", 3 * factor}, {"b", 5 * factor}, {"c", factor}});
    CHECK(turns(small, 100) == turns(large, 100));
}

TEST_CASE("smooth order: weight 0 gets no turn and keeps what it is owed", "[smooth_order][edge]") {
    smooth_order order(weights{{"a", 1}, {"b", 1}, {"c", 1}});
    CHECK(turns(order, 1) == "a");
    order.refresh(weights{{"a", 1}, {"b", 0}, {"c", 1}});
    CHECK(turns(order, 4) == "caca");
    order.refresh(weights{{"a", 1}, {"b", 1}, {"c", 1}});
    CHECK(turns(order, 1) == "b");
}

TEST_CASE("smooth order: who left is forgotten", "[smooth_order][edge]") {
    smooth_order order(weights{{"a", 1}, {"b", 1}});
    CHECK(turns(order, 1) == "a");
    order.refresh(weights{{"b", 1}});
    CHECK(turns(order, 2) == "bb");
    CHECK(order.turns().size() == 1);
    order.refresh(weights{{"a", 1}});
    CHECK(order.turns()[0].credit == 0);
}

TEST_CASE("smooth order: without weights nobody has a turn", "[smooth_order][edge]") {
    smooth_order none;
    CHECK(turns(none, 2) == "--");
    smooth_order zeros(weights{{"a", 0}, {"b", 0}});
    CHECK(turns(zeros, 2) == "--");
}

TEST_CASE("smooth order: weights far apart and beyond 64 bits in all", "[smooth_order][edge]") {
    constexpr std::uint64_t most = 0xffffffffffffffffU;
    smooth_order order(weights{{"a", most}, {"b", most}, {"c", 1}});
    CHECK(turns(order, 8) == "abababab");
    CHECK(order.turns()[2].share == 1);
    CHECK(order.turns()[0].share == 0x7fffffffU);
}

TEST_CASE("smooth order: a name that comes twice", "[smooth_order][error]") {
    smooth_order order(weights{{"a", 2}, {"b", 1}});
    const smooth_order before = order;
    CHECK_THROWS_AS(order.refresh(weights{{"b", 1}, {"a", 1}, {"b", 2}}), invalid_node);
    CHECK(order == before);
}
