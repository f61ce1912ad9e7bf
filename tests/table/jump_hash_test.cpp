// SPDX-License-Identifier: MIT
#include "support/bucket_laws.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <hashring/table/jump_hash.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

using namespace hashring;

namespace {

constexpr std::int32_t most_buckets = std::numeric_limits<std::int32_t>::max();

// The step as the paper writes it, in doubles; `volatile`, so that no option of a compiler merges
// the two roundings.
std::int64_t step_in_doubles(std::int64_t a, std::int64_t d) {
    const volatile double quotient = 2147483648.0 / static_cast<double>(d);
    const volatile double product = static_cast<double>(a) * quotient;
    return static_cast<std::int64_t>(product);
}

std::int32_t as_printed(std::uint64_t key, std::int32_t buckets) {
    std::int64_t b = -1;
    std::int64_t j = 0;
    while (j < buckets) {
        b = j;
        key = key * 2862933555777941757U + 1;
        j = step_in_doubles(b + 1, static_cast<std::int64_t>(key >> 33U) + 1);
    }
    return static_cast<std::int32_t>(b);
}

// x with x · 2^31 ≡ 1 modulo an odd d: halving 1, thirty-one times.
std::int64_t inverse_of_2_to_31(std::int64_t d) {
    std::int64_t x = 1;
    for (int i = 0; i < 31; ++i) {
        x = (x % 2 == 0 ? x : x + d) / 2;
    }
    return x % d;
}

} // namespace

TEST_CASE("jump_hash: it gives the values that Guava and go-jump publish", "[table][golden]") {
    const std::vector<std::int32_t> of_100 = {0,  55, 62, 8,  45, 59, 86, 97, 82, 59,
                                              73, 37, 17, 56, 86, 21, 90, 37, 38, 83};
    std::vector<std::int32_t> got;
    for (std::uint64_t key = 0; key < of_100.size(); ++key) {
        got.push_back(jump_hash(key, 100));
    }
    CHECK(got == of_100);
    STATIC_REQUIRE(jump_hash(10863919174838991U, 11) == 6);
    STATIC_REQUIRE(jump_hash(2016238256797177309U, 11) == 3);
    STATIC_REQUIRE(jump_hash(1673758223894951030U, 11) == 5);
    CHECK(jump_hash(2, 100001) == 80343);
    CHECK(jump_hash(2201, 100001) == 22152);
    CHECK(jump_hash(2202, 100001) == 15018);
}

// Where a program that rounds once, such as Guava, gives another bucket. All that go-jump is known
// to place: compat/clients_test.cpp.
TEST_CASE("jump_hash: it rounds twice, as the paper's program does", "[table][golden]") {
    STATIC_REQUIRE(jump_hash(2046972062561595299U, 131072) == 131071);
}

TEST_CASE("jump_hash: it is the paper's loop in doubles", "[table][law]") {
    constexpr std::uint64_t seed = 11;
    CAPTURE(seed);
    dice random(seed);
    hashring::test::mismatches found;
    for (int i = 0; i < 100'000; ++i) {
        const std::uint64_t key = random.next();
        const auto buckets =
            static_cast<std::int32_t>(1 + (random.next() >> 33U >> random.below(31)));
        found.compare(jump_hash(key, buckets), as_printed(key, buckets), key, buckets);
    }
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("jump_hash: its step in integers is the step in doubles", "[table][law]") {
    constexpr std::uint64_t seed = 12;
    CAPTURE(seed);
    dice random(seed);
    const auto any = [&] {
        return static_cast<std::int64_t>(1 + (random.next() >> 33U >> random.below(31)));
    };
    hashring::test::mismatches found;
    for (int i = 0; i < 50'000; ++i) {
        const std::int64_t a = any();
        const std::int64_t d = any();
        const auto exact =
            detail::jump_step_exactly(static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(d));
        found.compare(exact, step_in_doubles(a, d), a, d);
        found.compare(detail::jump_step(a, d), exact, a, d);
    }
    CHECK_NO_MISMATCHES(found);
}

// a · 2^31 / d within a few d-ths of a whole number: there the roundings decide.
TEST_CASE("jump_hash: its step is right next to whole numbers", "[table][law]") {
    constexpr std::uint64_t seed = 13;
    CAPTURE(seed);
    dice random(seed);
    hashring::test::mismatches found;
    std::size_t rounded_away = 0;
    for (int i = 0; i < 20'000; ++i) {
        const auto d = static_cast<std::int64_t>((random.next() >> 33U >> random.below(20)) | 1U);
        const std::int64_t unit = inverse_of_2_to_31(d);
        for (std::int64_t rest = -3; rest <= 3; ++rest) {
            std::int64_t a = (rest * unit % d + d) % d; // then a · 2^31 ≡ rest (mod d)
            a = a == 0 ? d : a;
            const std::int64_t want = step_in_doubles(a, d);
            found.compare(detail::jump_step(a, d), want, a, d);
            // Doubles that are rounded once, or with more digits, guess one of these.
            found.compare(detail::jump_step_near(want - 1, a, d), want, a, d);
            found.compare(detail::jump_step_near(want + 1, a, d), want, a, d);
            rounded_away += want != (a << 31U) / d ? 1U : 0U;
        }
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(rounded_away > 100); // so the cases are the hard ones
}

TEST_CASE("jump_hash: one more bucket takes keys and moves none else", "[table][law]") {
    CHECK_NO_MISMATCHES(hashring::test::growing_moves(jump_hash, 14, 2'000));
}

TEST_CASE("jump_hash: every bucket gets its share", "[table][law]") {
    constexpr std::int32_t buckets = 10;
    constexpr int keys = 100'000;
    std::vector<int> count(buckets);
    dice random(15);
    for (int i = 0; i < keys; ++i) {
        ++count[static_cast<std::size_t>(jump_hash(random.next(), buckets))];
    }
    const auto [least, most] = std::minmax_element(count.begin(), count.end());
    CHECK(*least > 9'600); // four standard deviations of 95
    CHECK(*most < 10'400);
}

// [B88]: a weak generator inside leaves buckets empty from about 1000 on.
TEST_CASE("jump_hash: no bucket stays empty", "[table][law][B88]") {
    const std::int32_t buckets = GENERATE(1'000, 2'000, 65'536);
    const int keys_a_bucket = buckets > 2'000 ? 25 : 100; // e^-25 · 65,536 is one in a million
    std::vector<bool> used(static_cast<std::size_t>(buckets));
    dice random(16);
    for (std::int64_t i = 0; i < std::int64_t{buckets} * keys_a_bucket; ++i) {
        used[static_cast<std::size_t>(jump_hash(random.next(), buckets))] = true;
    }
    CHECK(std::count(used.begin(), used.end(), false) == 0);
}

TEST_CASE("jump_hash: without buckets the answer is -1", "[table][edge]") {
    STATIC_REQUIRE(noexcept(jump_hash(1, 1)));
    const std::uint64_t key = GENERATE(std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0});
    CHECK(jump_hash(key, 0) == -1);
    CHECK(jump_hash(key, -1) == -1);
    CHECK(jump_hash(key, std::numeric_limits<std::int32_t>::min()) == -1);
    CHECK(jump_hash(key, 1) == 0);
}

TEST_CASE("jump_hash: the first key, the last and the most buckets are no trouble",
          "[table][edge]") {
    CHECK(jump_hash(0, most_buckets) == as_printed(0, most_buckets));
    CHECK(jump_hash(0, most_buckets) == 0);
    hashring::test::mismatches found;
    dice random(17);
    std::int32_t furthest = 0;
    for (int i = 0; i < 2'000; ++i) {
        const std::uint64_t key = i == 0 ? ~std::uint64_t{0} : random.next();
        const std::int32_t bucket = jump_hash(key, most_buckets);
        found.compare(bucket, as_printed(key, most_buckets), key);
        furthest = std::max(furthest, bucket);
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(furthest > most_buckets / 100 * 99);
    // The extremes of a step: 2^31 buckets on, and the smallest and largest of all divisors.
    constexpr std::int64_t last = std::int64_t{1} << 31U;
    CHECK(detail::jump_step(last, 1) == last << 31U);
    CHECK(detail::jump_step(1, 1) == last);
    CHECK(detail::jump_step(1, last) == 1);
    CHECK(detail::jump_step(last, last) == last);
    // Halfway between two doubles, where the even one is the lower, and the higher.
    CHECK(detail::jump_step_exactly(5U << 28U, 7) == 411757680216731008);
    CHECK(detail::jump_step_exactly(3U << 29U, 3) == std::int64_t{1} << 60U);
}
