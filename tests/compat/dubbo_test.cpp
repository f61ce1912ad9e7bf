// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/vnodes_of.hpp"

#include <hashring/compat/dubbo.hpp>
#include <hashring/hash/md5.hpp>
#include <hashring/placement/ketama_group.hpp>
#include <hashring/ring/ring.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using compat::dubbo;

namespace {

using counts = std::vector<std::uint32_t>;

dubbo with_vnodes(std::string_view count) {
    dubbo scheme;
    scheme.set("vnodes", count);
    return scheme;
}

// ":2088" "10" is ":20881" "0", and so on to 19: forty points.
const std::string shorter = "10.0.0.1:2088";
const std::string longer = "10.0.0.1:20881";

} // namespace

TEST_CASE("dubbo: points are the words of the MD5 of the address and a number", "[dubbo][golden]") {
    std::vector<std::uint32_t> points(5);
    dubbo::points({"10.0.0.1:20880", "", weight{1}, 0}, points);
    const auto first = hash::md5::digest("10.0.0.1:208800").words;
    CHECK(points == std::vector<std::uint32_t>{first[0], first[1], first[2], first[3],
                                               hash::md5{}("10.0.0.1:208801")});
    CHECK(dubbo::position("apple") == 0xbe70381f);
    CHECK(dubbo::label({"a:1", "", weight{1}, 0}, 41) == "a:110 word 1");
}

// What the program's own tree map holds.
TEST_CASE("dubbo: addresses that continue each other in digits share points, which are the later's",
          "[dubbo][golden]") {
    const auto positions = [](const ring<dubbo>& r) {
        std::set<std::uint32_t> distinct;
        for (std::size_t i = 0; i < r.point_count(); ++i) {
            distinct.insert(r.point_position(i));
        }
        return distinct.size();
    };
    CHECK(positions(ring<dubbo>({shorter, longer})) == 280);
    CHECK(positions(ring<dubbo>({shorter, longer, "10.0.0.1:20882"})) == 400);
    const std::uint32_t shared = hash::md5{}("10.0.0.1:208810");
    CHECK(ring<dubbo>({shorter, longer}).owner_at(shared)->name() == longer);
    CHECK(ring<dubbo>({longer, shorter}).owner_at(shared)->name() == shorter);
}

TEST_CASE("dubbo: every provider has as many points, a multiple of four", "[dubbo][law]") {
    const std::vector<node_spec> nodes = {
        {"a:1"}, {"b:1", weight{9}}, {"c:1", weight{0}}, {"d:1", weight{0.25}}};
    CHECK(support::vnodes_of(ring<dubbo>(nodes)) == counts{160, 160, 0, 160});
    CHECK(support::vnodes_of(ring<dubbo>(nodes, with_vnodes("10"))) == counts{8, 8, 0, 8});
    CHECK(support::vnodes_of(ring<dubbo>(nodes, with_vnodes("4"))) == counts{4, 4, 0, 4});
    auto taken = nodes;
    dubbo::take(taken);
    CHECK(taken[2].weight == weight{1});
}

TEST_CASE("dubbo: where all weigh 1 it is the ring of Redis groups", "[dubbo][law]") {
    const std::vector<node_spec> nodes = {shorter, longer, "10.0.0.2:20880"};
    const ring<dubbo> ours(nodes);
    const ring<schemes::ketama_group> theirs(nodes);
    REQUIRE(ours.point_count() == theirs.point_count());
    for (std::size_t i = 0; i < ours.point_count(); ++i) {
        if (ours.point_position(i) != theirs.point_position(i)) {
            FAIL_CHECK(i);
        }
    }
    CHECK(ours.fingerprint() != theirs.fingerprint());
}

TEST_CASE("dubbo: less than a digest, and other options, are refused", "[dubbo][error]") {
    dubbo scheme;
    CHECK(scheme.get("vnodes") == "160");
    CHECK_THROWS_AS(scheme.set("vnodes", "3"), invalid_option);
    CHECK_THROWS_AS(scheme.set("vnodes", "16777217"), invalid_option);
    CHECK_THROWS_AS(scheme.set("hash", "md5"), invalid_option);
    CHECK_THROWS_AS(scheme.get("hash"), invalid_option);
    CHECK(scheme == dubbo());
    CHECK(with_vnodes("10").get("vnodes") == "10");
    CHECK_THROWS_AS(ring<dubbo>({"a:1", "b:1"}, with_vnodes("16777216")), invalid_point_count);
}
