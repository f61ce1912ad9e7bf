// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <hashring/hashring.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

using namespace hashring;

namespace {

std::vector<std::string> drawn_keys(std::size_t count, std::uint64_t seed) {
    dice random(seed);
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < count; ++i) {
        keys.push_back("user:" + std::to_string(random.below(count)));
    }
    return keys;
}

using places = std::vector<std::size_t>;

places of(std::span<const std::size_t> group) {
    return {group.begin(), group.end()};
}

} // namespace

TEMPLATE_TEST_CASE("group_by_owner: a node's keys are those that it owns, in their order",
                   "[table][groups][law]", ring<>, table<schemes::jump>,
                   table<schemes::rendezvous>) {
    const std::size_t nodes = GENERATE(0U, 1U, 2U, 7U, 300U);
    const std::size_t count = GENERATE(0U, 1U, 1000U);
    CAPTURE(nodes, count);
    const TestType placed(node_names(nodes, 3));
    const std::vector<std::string> keys = drawn_keys(count, 4);
    std::vector<places> expected(nodes + 1);
    for (std::size_t k = 0; k < keys.size(); ++k) {
        const std::uint32_t owner = placed.owner_index_at(placed.position(keys[k]));
        expected[owner == no_node ? nodes : owner].push_back(k);
    }
    const owner_groups groups = group_by_owner(placed, keys);
    test::mismatches found;
    for (std::uint32_t i = 0; i < nodes; ++i) {
        found.expect(of(groups.of(i)) == expected[i], i);
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(of(groups.of_nobody()) == expected[nodes]);
    CHECK(groups == group_by_owner(placed, keys));
}

TEST_CASE("group_by_owner: known owners, and nobody among them", "[table][groups][edge]") {
    const std::vector<std::uint32_t> owners = {2, no_node, 0, 2, 2};
    const owner_groups groups(owners, 3);
    CHECK(of(groups.of(0)) == places{2});
    CHECK(of(groups.of(1)).empty());
    CHECK(of(groups.of(2)) == places{0, 3, 4});
    CHECK(of(groups.of_nobody()) == places{1});
    CHECK(owner_groups().of_nobody().empty());
}
