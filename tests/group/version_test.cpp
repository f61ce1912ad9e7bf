// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <hashring/group/version.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

using namespace hashring;
using group::next_version;
using group::version;

namespace {

constexpr std::uint64_t most = ~std::uint64_t{0};

// A server: what it holds of the last version made, and its reign if it is a master.
struct server {
    version last{};
    std::uint64_t origin = 0;
};

} // namespace

TEST_CASE("version: known values", "[version][golden]") {
    // The same four as a script in Redis 7.0.15 made them: see the records' test.
    const version a = next_version({}, 5, 0xfedcba9876543210U);
    CHECK(a == version{5, 1, 0xfedcba9876543210U});
    const version b = next_version(a, 5, 0xfedcba9876543210U);
    CHECK(b == version{5, 2, 0xfedcba9876543210U});
    const version c = next_version(b, 0, 0x0123456789abcdefU);
    CHECK(c == version{6, 3, 0x0123456789abcdefU});
    const version d = next_version(c, 9007199254740990U, most);
    CHECK(d == version{9007199254740990U, 4, most});
    CHECK(next_version({7, 9, 1}, 3, 1) == version{7, 10, 1});
    CHECK(next_version({7, 9, 1}, 8, 2) == version{8, 10, 2});
    CHECK(next_version({7, 9, 1}, 7, 2) == version{8, 10, 2});
}

TEST_CASE("version: the order is by epoch, then counter, then origin", "[version][golden]") {
    const std::vector<version> rising = {{},        {0, 0, 1},       {0, 1, 0}, {0, 1, most},
                                         {0, 2, 0}, {0, most, most}, {1, 0, 0}, {most, 0, 0}};
    for (std::size_t i = 0; i < rising.size(); ++i) {
        for (std::size_t j = 0; j < rising.size(); ++j) {
            CHECK((rising[i] < rising[j]) == (i < j));
        }
    }
}

TEST_CASE("version: the origin is the first 16 digits", "[version][golden]") {
    CHECK(group::origin_of("8371b4fb1155b71f4a04d3e1bc3e18c4a990aeeb") == 0x8371b4fb1155b71fU);
    CHECK(group::origin_of("00000000000000FF") == 255U);
    CHECK(group::origin_of("ffffffffffffffff") == most);
    CHECK(group::origin_of("") == std::nullopt);
    CHECK(group::origin_of("8371b4fb1155b71") == std::nullopt);
    CHECK(group::origin_of("8371b4fb1155b71g") == std::nullopt);
    CHECK(group::origin_of("-371b4fb1155b71f") == std::nullopt);
    CHECK(group::origin_of("0x71b4fb1155b71f") == std::nullopt);
}

// Masters die, are frozen and go on, are replaced by servers that lag, come back; writers know the
// epoch or an old one. Nothing that a version was made of is ever the same again.
TEST_CASE("version: two writers never make the same one", "[version][law]") {
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
        CAPTURE(seed);
        dice random(seed);
        std::vector<server> servers(4);
        std::set<version> made;
        test::mismatches wrong;
        std::uint64_t reigns = 0;
        std::uint64_t epoch = 0;
        for (int step = 0; step < 3000; ++step) {
            server& one = servers[random.below(servers.size())];
            const std::uint64_t kind = random.below(10);
            if (kind == 0) { // promoted: whatever it holds; others may go on as masters
                one.origin = ++reigns * 0x9e3779b97f4a7c15U;
                ++epoch;
            } else if (kind == 1) { // follows another one and takes over what that has
                one = {servers[random.below(servers.size())].last, 0};
            } else if (one.origin != 0) {
                const version before = one.last;
                const std::uint64_t known = random.below(epoch + 1); // an old one, often
                one.last = next_version(before, known, one.origin);
                wrong.expect(one.last > before, step);
                wrong.expect(made.insert(one.last).second, step, "made twice");
            }
        }
        CHECK(wrong.report() == "");
        CHECK(made.size() > 500);
    }
}

TEST_CASE("version: what a new master writes is above all that the old one wrote",
          "[version][law]") {
    constexpr std::uint64_t seed = 12;
    CAPTURE(seed);
    dice random(seed);
    test::mismatches wrong;
    for (int round = 0; round < 500; ++round) {
        const std::uint64_t epoch = 1 + random.below(5);
        server old_master{{epoch, 1 + random.below(9), 1}, 1};
        // The new one had followed some writes of the reign. Its writer knows the epoch, or not.
        server new_master{{epoch, random.below(old_master.last.counter + 1), 1}, 2};
        const std::uint64_t known = random.below(epoch + 2);
        new_master.last = next_version(new_master.last, known, 2);
        for (int later = 0; later < 20; ++later) {
            old_master.last = next_version(old_master.last, random.below(epoch + 1), 1);
        }
        wrong.expect(new_master.last > old_master.last, round);
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("version: a counter that is full passes to the next epoch", "[version][edge]") {
    CHECK(next_version({3, most, 1}, 0, 1) == version{4, 1, 1});
    CHECK(next_version({3, most, 1}, 9, 1) == version{9, 1, 1});
    CHECK(next_version({3, most - 1, 1}, 0, 1) == version{3, most, 1});
    CHECK(next_version({most, 5, 1}, most, 1) == version{most, 6, 1});
    CHECK(next_version({}, 0, 0) == version{0, 1, 0});
    CHECK(next_version({}, 0, 7) == version{0, 1, 7});
    CHECK(next_version({}, most, 7) == version{most, 1, 7});
}

TEST_CASE("version: after the last one there is none", "[version][error]") {
    CHECK_THROWS_AS(next_version({most, most, 1}, 0, 1), invalid_record);
    CHECK_THROWS_AS(next_version({most, 5, 1}, 0, 2), invalid_record);
}

TEST_CASE("version: its bytes are big-endian, and are read back", "[group][golden]") {
    const version v{0x0102030405060708U, 9, ~std::uint64_t{0}};
    std::string bytes = "x"; // it is appended to what is there
    hashring::group::append_version(bytes, v);
    CHECK(bytes == std::string("x\1\2\3\4\5\6\7\10\0\0\0\0\0\0\0\11"
                               "\xff\xff\xff\xff\xff\xff\xff\xff",
                               25));
    CHECK(hashring::group::read_version(std::string_view(bytes).substr(1)) == v);
    CHECK(hashring::group::version_bytes == 24);
    CHECK_FALSE(hashring::group::read_version(bytes));
    CHECK_FALSE(hashring::group::read_version(std::string_view(bytes).substr(2)));
    CHECK_FALSE(hashring::group::read_version(""));
}
