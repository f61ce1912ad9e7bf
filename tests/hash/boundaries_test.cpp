// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/mismatches.hpp"
#include "support/text_at_offset.hpp"

#include <hashring/hash/fnv.hpp>
#include <hashring/hash/hsieh.hpp>
#include <hashring/hash/lookup3.hpp>
#include <hashring/hash/murmur2.hpp>
#include <hashring/hash/murmur3.hpp>
#include <hashring/hash/one_at_a_time.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

// Values at every length from 0 to 33, so at every branch that a hash takes by length, of texts
// with and without bytes of 0x80 and above: tests/golden/hashes/boundaries.tsv.

using namespace hashring;
using hash::widening;

namespace {

constexpr std::uint32_t seed = 0x9747b28cU;

// The hash as the table has it: with its seed, if it takes one.
template <class Hash>
constexpr Hash seeded() {
    if constexpr (std::is_same_v<Hash, hash::murmur2> || std::is_same_v<Hash, hash::murmur3_32> ||
                  std::is_same_v<Hash, hash::lookup3>) {
        return {seed};
    } else {
        return {};
    }
}

std::vector<std::vector<std::string>> table() {
    std::vector<std::vector<std::string>> rows;
    for (const std::string& line : golden::lines("hashes/boundaries.tsv")) {
        rows.push_back(golden::fields(line));
    }
    return rows;
}

} // namespace

TEMPLATE_TEST_CASE("hashes: they are those of a second implementation at every length to 33",
                   "[hash][golden]", hash::one_at_a_time<>, hash::one_at_a_time<widening::sign>,
                   hash::fnv1<std::uint32_t>, (hash::fnv1<std::uint32_t, widening::sign>),
                   hash::fnv1<std::uint64_t>, (hash::fnv1<std::uint64_t, widening::sign>),
                   hash::fnv1a<std::uint32_t>, (hash::fnv1a<std::uint32_t, widening::sign>),
                   hash::fnv1a<std::uint64_t>, (hash::fnv1a<std::uint64_t, widening::sign>),
                   hash::hsieh<>, (hash::hsieh<widening::zero, widening::zero>),
                   (hash::hsieh<widening::sign, widening::zero>),
                   (hash::hsieh<widening::zero, widening::sign>), hash::murmur2, hash::murmur3_32,
                   hash::lookup3) {
    const auto rows = table();
    const auto& names = rows.at(0);
    const auto column = static_cast<std::size_t>(
        std::find(names.begin(), names.end(), TestType::name) - names.begin());
    REQUIRE(column < names.size());
    REQUIRE(rows.size() == 1 + 3 * 34);
    test::mismatches wrong;
    std::set<std::size_t> lengths;
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const std::string text = golden::unhex(rows[i].at(0));
        lengths.insert(text.size());
        for (std::size_t offset = 0; offset < 8; ++offset) {
            const test::text_at_offset copy(text, offset);
            wrong.compare(std::to_string(seeded<TestType>()(copy.view())), rows[i].at(column),
                          rows[i][0], offset);
        }
    }
    CHECK(wrong.report() == "");
    CHECK(lengths.size() == 34);
}

TEST_CASE("hashes: each column of the table is another hash", "[hash][golden]") {
    const auto rows = table();
    std::set<std::vector<std::string>> columns;
    for (std::size_t c = 1; c < rows.at(0).size(); ++c) {
        std::vector<std::string> values;
        for (std::size_t i = 1; i < rows.size(); ++i) {
            values.push_back(rows[i].at(c));
        }
        columns.insert(values);
    }
    CHECK(columns.size() == 17);
}
