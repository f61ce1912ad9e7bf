// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <hashring/table/prime.hpp>
#include <hashring/table/slots.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

using namespace hashring;

namespace {

using numbers = std::vector<std::uint32_t>;

// Turns by going round: in round r of `most` a node takes one if it has fewer than r · count /
// most.
numbers turns_by_rounds(const numbers& counts) {
    const std::uint64_t most = *std::max_element(counts.begin(), counts.end());
    numbers taken(counts.size());
    numbers turns;
    for (std::uint64_t round = 1; round <= most; ++round) {
        for (std::uint32_t i = 0; i < counts.size(); ++i) {
            if (taken[i] * most < round * counts[i]) {
                ++taken[i];
                turns.push_back(i);
            }
        }
    }
    return turns;
}

} // namespace

TEST_CASE("prime: the primes below 50 are known", "[table][golden]") {
    numbers primes;
    for (std::uint32_t n = 0; n < 50; ++n) {
        if (is_prime(n)) {
            primes.push_back(n);
        }
    }
    CHECK(primes == numbers{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47});
    STATIC_REQUIRE(is_prime(65537));
    CHECK(is_prime(655373)); // the Maglev paper's larger table
    CHECK(is_prime(16777213));
    CHECK(is_prime(4294967291U));
    CHECK_FALSE(is_prime(65537U * 65521U));
    CHECK_FALSE(is_prime(4294967295U));
}

TEST_CASE("prime: the next one is the least at or above", "[table][law]") {
    CHECK(next_prime(0) == 2);
    CHECK(next_prime(2) == 2);
    CHECK(next_prime(8) == 11);
    CHECK(next_prime(65536) == 65537);
    CHECK(next_prime(100 * 1000) == 100003);
    CHECK(next_prime(4294967291U) == 4294967291U);
    CHECK(next_prime(4294967292U) == 0);
    CHECK(next_prime(4294967295U) == 0);
}

TEST_CASE("slots: turns for equal counts go round and round", "[table][golden]") {
    CHECK(even_turns(numbers{2, 2, 2}) == numbers{0, 1, 2, 0, 1, 2});
    CHECK(even_turns(numbers{3, 2, 2}) == numbers{0, 1, 2, 0, 1, 2, 0});
    CHECK(even_turns(numbers{1, 4, 2}) == numbers{0, 1, 2, 1, 1, 2, 1});
    CHECK(even_turns(numbers{5}) == numbers{0, 0, 0, 0, 0});
    CHECK(even_turns(numbers{}).empty());
}

TEST_CASE("slots: turns are those that going round would give", "[table][law]") {
    constexpr std::uint64_t seed = 21;
    CAPTURE(seed);
    dice random(seed);
    hashring::test::mismatches found;
    for (int i = 0; i < 300; ++i) {
        numbers counts(1 + random.below(12));
        for (std::uint32_t& count : counts) {
            count = 1 + static_cast<std::uint32_t>(random.below(random.below(8) == 0 ? 300 : 9));
        }
        found.expect(even_turns(counts) == turns_by_rounds(counts), i);
    }
    CHECK_NO_MISMATCHES(found);
}

// The example of the paper: seven slots, three nodes, the permutations of its table 1.
TEST_CASE("slots: the Maglev paper's example comes out", "[table][golden]") {
    const std::vector<slot_preference> wishes = {{3, 4}, {0, 2}, {3, 1}};
    const auto fill = [](const std::vector<slot_preference>& nodes, const numbers& turns) {
        return fill_slots(nodes, 7, [turn = turns.begin()]() mutable { return *turn++; });
    };
    CHECK(fill(wishes, even_turns(numbers{3, 2, 2})) == numbers{1, 0, 1, 0, 2, 2, 0});
    // Without the second node, one slot of the others changes hands: the last.
    CHECK(fill({wishes[0], wishes[2]}, even_turns(numbers{4, 3})) == numbers{0, 0, 0, 0, 1, 1, 1});
}

TEST_CASE("slots: owners are kept in two bytes or in four", "[table][edge]") {
    const std::uint32_t most = GENERATE(0U, 255U, 65535U, 65536U, 16777215U);
    const numbers owners{0, most, most / 2, 1};
    const slot_list slots{numbers(owners)};
    CHECK(slots.size() == 4);
    numbers read;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        read.push_back(slots.owner(i));
    }
    CHECK(read == owners);
    CHECK(slots == slot_list{numbers(owners)});
    CHECK_FALSE(slots == slot_list{numbers{0, most, most / 2, 2}});
    CHECK(slot_list().size() == 0);
}
