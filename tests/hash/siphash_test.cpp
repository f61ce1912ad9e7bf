// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/mismatches.hpp"

#include <hashring/core/text.hpp>
#include <hashring/hash/siphash.hpp>
#include <hashring/placement/describe.hpp>
#include <hashring/placement/labelled.hpp>
#include <hashring/placement/xxh3.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/table/saved.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using hash::siphash13;
using hash::siphash24;

TEST_CASE("siphash: it is OpenSSL's at every length", "[siphash][golden]") {
    constexpr std::uint64_t low = 0x0706050403020100U;
    constexpr std::uint64_t high = 0x0f0e0d0c0b0a0908U;
    std::string bytes;
    test::mismatches found;
    std::size_t count = 0;
    for (const std::string& line : golden::lines("hashes/siphash.tsv")) {
        const auto row = golden::fields(line);
        found.compare(decimal(bytes.size()), row.at(0));
        found.compare(decimal(siphash24{low, high}(bytes)), row.at(1), bytes.size());
        found.compare(decimal(siphash13{low, high}(bytes)), row.at(2), bytes.size());
        bytes += static_cast<char>(bytes.size());
        ++count;
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(count == 64);
}

TEST_CASE("siphash: every bit of the key counts", "[siphash][law]") {
    const std::uint64_t without = siphash24{}("user:42");
    test::mismatches found;
    for (unsigned bit = 0; bit < 64; ++bit) {
        found.expect(siphash24{std::uint64_t{1} << bit, 0}("user:42") != without, bit);
        found.expect(siphash24{0, std::uint64_t{1} << bit}("user:42") != without, bit);
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(siphash24{1, 2} == siphash24{1, 2});
    CHECK_FALSE(siphash24{1, 2} == siphash24{2, 1});
    CHECK(siphash24::name == "siphash-2-4");
    CHECK(siphash13::name == "siphash-1-3");
}

// Hash flooding: without a secret anybody can compute the owners, and choose keys of one of them.
TEST_CASE("siphash: keys chosen against the default ring spread over one with a secret key",
          "[siphash][law]") {
    const std::vector<std::string> nodes{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
    using keyed = schemes::labelled<siphash24>;
    const ring<> open(nodes);
    const ring<keyed> secret(nodes, keyed(siphash24{0x243f6a8885a308d3U, 0x13198a2e03707344U}));
    const ring<keyed> other(nodes, keyed(siphash24{0x243f6a8885a308d3U, 0x13198a2e03707345U}));
    std::map<std::string_view, int> owned;
    int chosen = 0;
    int alike = 0;
    for (int i = 0; chosen < 1000; ++i) {
        const std::string key = concat("key ", decimal(i));
        if (open.owner(key) == "a") {
            ++chosen;
            ++owned[secret.owner(key)->name()];
            alike += secret.owner(key)->name() == other.owner(key)->name() ? 1 : 0;
        }
    }
    REQUIRE(owned.size() == nodes.size());
    // Of 1,000 keys on shares of 0.1 with a deviation of 8 %, of either ring.
    for (const auto& [node, keys] : owned) {
        CAPTURE(node, keys);
        CHECK((keys > 40 && keys < 180));
    }
    CHECK(alike < 180);
}

TEST_CASE("siphash: the key stands neither in a saved ring nor in a description", "[siphash]") {
    using keyed = schemes::labelled<siphash24>;
    const keyed scheme(siphash24{0x243f6a8885a308d3U, 0x13198a2e03707344U});
    const ring<keyed> nodes({"a", "b"}, scheme);
    const std::string text = concat(save(nodes), describe(scheme));
    for (const char* const digits :
         {"243f6a88", "2611923443488327891", "13198a2e", "1376283091369227076"}) {
        CAPTURE(digits);
        CHECK(text.find(digits) == std::string::npos);
    }
    CHECK(load<ring<keyed>>(save(nodes), scheme) == nodes);
}

TEST_CASE("siphash: a length counts by its last byte, which the tail cannot", "[siphash][edge]") {
    CHECK(siphash24{}("") != siphash24{}(std::string_view("\0", 1)));
    CHECK(siphash24{}(std::string(256, 'a')) != siphash24{}(std::string(257, 'a')));
    CHECK(siphash24{}(std::string_view("a\0", 2)) != siphash24{}("a"));
}
