// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/test_schemes.hpp"

#include <hashring/hashring.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Which point a key has whose hash equals that of a point. Programs that are called alike differ.

using namespace hashring;

namespace {

// Of the first `count` keys that hash as a point of node "b" does, those that are that node's.
template <class Scheme, class KeyOf>
std::size_t own_keys(std::size_t count, KeyOf key_of) {
    const ring<Scheme> r{"a", "b", "c"};
    std::size_t own = 0;
    for (std::size_t i = 0; i < count; ++i) {
        own += r.owner(key_of(i))->name() == "b" ? 1U : 0U;
    }
    return own;
}

std::string dashed(std::size_t i) {
    return "b-" + std::to_string(i);
}
std::string joined(std::size_t i) {
    return "b" + std::to_string(i);
}
std::string number_first(std::size_t i) {
    return std::to_string(i) + "b";
}

} // namespace

TEST_CASE("boundary: a point's own position is its own", "[compat][boundary][A1]") {
    const ring<test_schemes::listed<std::uint8_t>> r{"a:10", "b:20"};
    CHECK(r.owner("10")->name() == "a:10");
    CHECK(r.owner("20")->name() == "b:20");
}

// The first word of a digest is a point and where a key of that text stands.
TEST_CASE("boundary: at or after where ketama is libmemcached's, after where it is not",
          "[compat][boundary][A1]") {
    CHECK(own_keys<schemes::ketama_group>(40, joined) == 40);
    CHECK(own_keys<compat::libmemcached_weighted>(40, dashed) == 40);
    CHECK(own_keys<compat::libketama>(40, dashed) == 40);
    CHECK(own_keys<compat::groupcache>(50, number_first) == 50);
    CHECK(own_keys<compat::serialx>(40, dashed) < 30); // the next point, of b once in three
    CHECK(own_keys<compat::stathat>(20, number_first) < 15);
    CHECK(own_keys<compat::uhashring_ketama>(40, dashed) < 30);
}
