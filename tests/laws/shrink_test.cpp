// SPDX-License-Identifier: MIT
#include "laws/operations.hpp"
#include "laws/shrink.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

using numbers = std::vector<int>;

namespace {

numbers shrunk(const numbers& failing, bool (*fails)(const numbers&)) {
    const auto lower = [](const int& n) {
        return n == 0 ? numbers{} : numbers{0, n / 2, n - 1};
    };
    return laws::shrinker<int>(fails, lower).shrunk(failing);
}

numbers drawn(std::uint64_t seed) {
    dice random(seed);
    numbers result;
    while (result.size() < 40) {
        result.push_back(static_cast<int>(random.below(100)));
    }
    return result;
}

std::string text_of(const std::vector<laws::operation>& history) {
    std::string text;
    for (const laws::operation& op : history) {
        text += laws::text_of(op) + "; ";
    }
    return text;
}

// A set of names with two faults: a node that leaves while another has a weight above 1 stays.
bool a_node_stays(const std::vector<laws::operation>& history) {
    std::vector<laws::drawn_node> members;
    for (const laws::operation& op : history) {
        if (op.what == laws::verb::add || op.what == laws::verb::add_list) {
            members.insert(members.end(), op.nodes.begin(), op.nodes.end());
        } else if (op.what == laws::verb::remove) {
            const auto is_it = [&](const laws::drawn_node& n) {
                return n.name == op.node().name;
            };
            const bool is_member = std::ranges::any_of(members, is_it);
            std::erase_if(members, is_it);
            if (is_member &&
                std::ranges::any_of(members, [](const auto& n) { return n.halves > 2; })) {
                return true;
            }
        }
    }
    return false;
}

} // namespace

TEST_CASE("shrink: of forty numbers the two that fail are left, as low as can be",
          "[law][shrink]") {
    const auto two_are_high = [](const numbers& all) {
        return std::ranges::count_if(all, [](int n) { return n >= 60; }) >= 2;
    };
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
        CAPTURE(seed);
        REQUIRE(two_are_high(drawn(seed)));
        CHECK(shrunk(drawn(seed), two_are_high) == numbers{60, 60});
    }
}

TEST_CASE("shrink: a pair that is needed in its order is found wherever it stands",
          "[law][shrink]") {
    const auto sevens_around_a_three = [](const numbers& all) {
        const auto first = std::ranges::find(all, 7);
        const auto three = std::find(first, all.end(), 3);
        return std::find(three, all.end(), 7) != all.end();
    };
    for (std::size_t gap = 0; gap < 12; ++gap) {
        numbers all(gap, 9);
        all.push_back(7);
        all.resize(all.size() + gap, 3);
        all.push_back(3);
        all.resize(all.size() + 2 * gap, 8);
        all.push_back(7);
        CAPTURE(gap);
        CHECK(shrunk(all, sevens_around_a_three) == numbers{7, 3, 7});
    }
}

TEST_CASE("shrink: a failure that needs nothing has no history", "[law][shrink]") {
    CHECK(shrunk(drawn(6), [](const numbers&) { return true; }) == numbers{});
}

// As the laws find a fault in a ring: among a hundred operations three matter.
TEST_CASE("shrink: a planted fault is left with the three operations that show it",
          "[law][shrink]") {
    using laws::verb;
    const std::vector<verb> verbs{verb::add,    verb::add_list, verb::remove, verb::set_weight,
                                  verb::assign, verb::copy,     verb::reload};
    const laws::shrinker<laws::operation> shorter(a_node_stays, laws::simpler_operations,
                                                  laws::renamed_histories);
    std::size_t failing = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const auto history = laws::draw_history(seed, 100, verbs);
        if (!a_node_stays(history)) {
            continue;
        }
        ++failing;
        const auto shortest = shorter.shrunk(history);
        CAPTURE(seed, text_of(shortest));
        CHECK(a_node_stays(shortest));
        CHECK(shortest.size() <= 3); // a node, a heavy one, and the first leaves
        CHECK(shortest.back().what == verb::remove);
        CHECK(shortest.back().node().name <= 1); // the others are called so throughout
        for (std::size_t left_out = 0; left_out < shortest.size(); ++left_out) {
            auto shorter_still = shortest;
            shorter_still.erase(shorter_still.begin() + static_cast<std::ptrdiff_t>(left_out));
            CHECK_FALSE(a_node_stays(shorter_still));
        }
    }
    CHECK(failing > 40);
}

TEST_CASE("operations: a history is printed to be read", "[law][shrink]") {
    using laws::verb;
    CHECK(text_of({{verb::add_list, {{0, 3, {}}, {1, 2, 4U}}},
                   {verb::remove, {{2, 6, {}}}},
                   {verb::set_vnodes, {{6, 2, 0U}}},
                   {verb::reload, {}}}) ==
          "add_list '10.0.0.2:80' weight 1.5 '10.0.0.1:80' vnodes 4; remove '10.0.0.1:8080'; "
          "set_vnodes '' vnodes 0; reload; ");
}
