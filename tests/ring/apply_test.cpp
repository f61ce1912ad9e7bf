// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"
#include "support/schemes.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using hashring::test::mismatches;

namespace {

struct new_count {
    std::string name;
    std::uint32_t before = 0;
    std::uint32_t vnodes = 0;
};
struct new_weight {
    std::string_view name;
    hashring::weight weight;
};
/// Made as the plans of `balance/` are.
struct counts_plan {
    std::vector<new_count> changes;
    int warnings = 0;
};

template <class Diff>
std::vector<typename Diff::arc_type> arcs_of(const Diff& moved) {
    return {moved.arcs().begin(), moved.arcs().end()};
}

} // namespace

TEMPLATE_TEST_CASE("apply: as new counts and weights one by one, and what that moves",
                   "[apply][law]", all_schemes::xxh3, all_schemes::murmur_shard,
                   all_schemes::narrow_last, schemes::corrected<all_schemes::xxh3>) {
    dice random(0xa991);
    ring<TestType> ring(node_names(8, 1), with_vnodes<TestType>(30));
    mismatches found;
    for (int round = 0; round < 25; ++round) {
        const hashring::ring<TestType> before(ring);
        hashring::ring<TestType> by_step(ring);
        std::vector<std::string> names = node_names(8, 1);
        random.shuffle(names);
        names.resize(random.below(5));
        counts_plan counts;
        std::vector<new_weight> weights;
        for (const std::string& name : names) {
            if (round % 2 == 0) {
                counts.changes.push_back({name, 0, static_cast<std::uint32_t>(random.below(60))});
                by_step.set_vnodes(name, counts.changes.back().vnodes);
            } else {
                weights.push_back({name, weight::from_thousandths(500 * random.below(5))});
                by_step.set_weight(name, weights.back().weight);
            }
        }
        const auto moved = round % 2 == 0 ? ring.apply(counts) : ring.apply(weights);
        found.expect(ring == by_step, "ring", round);
        found.expect(arcs_of(moved) == arcs_of(before.changes_to(by_step)), "arcs", round);
    }
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("apply: a node_spec sets the weight, and the count if it has one", "[apply][law]") {
    ring<> ring({"a", "b", "c"});
    ring.set_vnodes("c", 7);
    const std::vector<node_spec> plan{{"a", weight{2}}, {"b", weight{3}, {}, 50}, {"c", weight{1}}};
    CHECK_FALSE(ring.apply(plan).empty());
    CHECK(ring.find("a")->vnodes() == 320);
    CHECK(ring.find("b")->vnodes() == 50);
    CHECK(ring.find("b")->weight() == weight{3});
    CHECK(ring.find("c")->vnodes() == 160);
}

TEST_CASE("apply: a plan without changes moves nothing", "[apply][edge]") {
    ring<> ring({"a", "b"});
    const auto before = ring;
    CHECK(ring.apply(counts_plan{}).empty());
    CHECK(ring.apply(counts_plan{{{"a", 160, 160}}}).empty());
    CHECK(ring == before);
    CHECK(hashring::ring<>().apply(counts_plan{}).empty());
}

TEST_CASE("apply: a plan for others is refused whole", "[apply][error]") {
    ring<> ring({"a", "b"});
    const auto before = ring;
    CHECK_THROWS_AS(ring.apply(counts_plan{{{"a", 0, 10}, {"x", 0, 10}}}), unknown_node);
    CHECK_THROWS_AS(ring.apply(counts_plan{{{"a", 0, 10}, {"a", 0, 11}}}), invalid_node);
    CHECK_THROWS_AS(ring.apply(counts_plan{{{"a", 0, 10}, {"b", 0, max_points}}}),
                    invalid_point_count);
    CHECK(ring == before);
}
