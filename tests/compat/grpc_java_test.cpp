// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/vnodes_of.hpp"

#include <hashring/compat/grpc_java.hpp>
#include <hashring/compat/java_address.hpp>
#include <hashring/compat/java_hash_map.hpp>
#include <hashring/ring/ring.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using compat::grpc_java_1_41;
using compat::grpc_java_1_49;
using compat::grpc_java_1_68;
using compat::java_socket_address;

namespace {

using codes = std::vector<std::uint32_t>;

std::uint32_t code_of(std::string_view address) {
    return java_socket_address::of(address).hash_code;
}

codes every(std::uint32_t step, std::uint32_t count) {
    codes result;
    for (std::uint32_t i = 0; i < count; ++i) {
        result.push_back(i * step);
    }
    return result;
}

template <class Scheme>
std::string label(std::uint32_t j) {
    return Scheme::label({"127.0.0.1:80", "", weight{1}, 0}, j);
}

} // namespace

TEST_CASE("java: a socket's address is printed as the runtime prints it", "[grpc][golden]") {
    const auto text = [](std::string_view name) {
        return java_socket_address::of(name).text;
    };
    CHECK(text("127.0.0.1:80") == "/127.0.0.1:80");
    CHECK(text("[::1]:80") == "/[0:0:0:0:0:0:0:1]:80");
    CHECK(text("[2001:DB8::a0f]:1") == "/[2001:db8:0:0:0:0:0:a0f]:1");
    CHECK(text("cache/10.0.0.1:80") == "cache/10.0.0.1:80");
    CHECK(text("cache/[::1]:80") == "cache/[0:0:0:0:0:0:0:1]:80");
    CHECK(text("cache:80") == "cache/<unresolved>:80");
    CHECK(text("[::ffff:10.0.0.1]:80") == "/10.0.0.1:80");
    CHECK(text("[::fffe:10.0.0.1]:80") == "/[0:0:0:0:0:fffe:a00:1]:80");
}

TEST_CASE("java: hash codes of addresses and texts", "[grpc][golden]") {
    CHECK(code_of("127.0.0.1:80") == 0x7f000001U + 80);
    CHECK(code_of("name/127.0.0.1:80") == 0x7f000001U + 80);
    CHECK(code_of("[1:2:3:4:5:6:7:8]:9") ==
          0x00010002U + 0x00030004U + 0x00050006U + 0x00070008U + 9);
    CHECK(code_of("[::ff]:0") == 0xffffffffU); // -1
    CHECK(code_of("[::1ff]:0") == 0xffU);
    CHECK(code_of("[::ffff:127.0.0.1]:80") == 0x7f000001U + 80);
    CHECK(code_of("HELLO:3") == 99162322U + 3); // "hello".hashCode()
}

TEST_CASE("java: a map is gone through by bucket", "[grpc][golden]") {
    using order = std::vector<std::uint32_t>;
    CHECK(compat::java_hash_map_order(codes{}) == order{});
    CHECK(compat::java_hash_map_order(codes{5, 3, 4}) == order{1, 2, 0});
    CHECK(compat::java_hash_map_order(codes{16, 1, 32, 0}) == order{0, 2, 3, 1});
    CHECK(compat::java_hash_map_order(codes{0x00020000U, 1}) == order{1, 0}); // 2 by its upper half
    // Twelve fit in 16 buckets; with thirteen there are 32.
    order wanted(12);
    std::iota(wanted.begin(), wanted.end(), 0U);
    codes twelve = every(1, 12);
    twelve[11] = 17;
    CHECK(compat::java_hash_map_order(twelve) == order{0, 1, 11, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    codes thirteen = every(1, 13);
    thirteen[11] = 17;
    CHECK(compat::java_hash_map_order(thirteen).back() == 11);
    // Nine in one bucket of 16 make it 32, where the odd ones part from the even.
    CHECK(compat::java_hash_map_order(every(16, 8)) == order{0, 1, 2, 3, 4, 5, 6, 7});
    CHECK(compat::java_hash_map_order(every(16, 9)) == order{0, 2, 4, 6, 8, 1, 3, 5, 7});
}

// What JDK 17 printed for maps whose keys are lists of one socket address, and socket addresses.
TEST_CASE("java: maps of addresses are gone through as by the runtime", "[grpc][golden]") {
    const std::vector<std::string> addresses = {
        "10.0.5.155:20008",   "[a670:f24d:7d62:d73:93cc:6a25:b06d:4fa8]:31075",
        "10.2.253.251:31047", "[a167:36d9:2a55:c12a:25a8:c32c:22b5:776d]:47822",
        "10.3.159.1:28054",   "[bbf6:9a8e:cead:3709:e92a:ea5d:78b2:bd76]:10157"};
    codes lists;
    codes sockets;
    for (const std::string& address : addresses) {
        sockets.push_back(code_of(address));
        lists.push_back(code_of(address) + 31);
    }
    CHECK(compat::java_hash_map_order(lists) == codes{3, 0, 2, 4, 1, 5});
    CHECK(compat::java_hash_map_order(sockets) == codes{2, 0, 3, 4, 5, 1});
}

// By the same: lists come as 2 0 1 3, sockets as they are. One and a half points each.
TEST_CASE("grpc-java: fractions of points go to addresses in the order of the map",
          "[grpc][golden]") {
    const std::vector<node_spec> nodes = {"10.0.161.223:13605", "10.2.165.168:53566",
                                          "10.0.138.68:31392", "10.2.112.5:32474"};
    const auto vnodes = [&](auto scheme) {
        scheme.set("min-ring-size", "6");
        scheme.set("max-ring-size", "6");
        return support::vnodes_of(ring<decltype(scheme)>(nodes, scheme));
    };
    CHECK(vnodes(grpc_java_1_41()) == codes{1, 2, 2, 1});
    CHECK(vnodes(grpc_java_1_49()) == codes{1, 2, 2, 1});
    CHECK(vnodes(grpc_java_1_68()) == codes{2, 1, 2, 1});
}

TEST_CASE("grpc-java: each version has labels of its own", "[grpc][golden]") {
    CHECK(label<grpc_java_1_49>(0) == "[/127.0.0.1:80]_0");
    CHECK(label<grpc_java_1_49>(123) == "[/127.0.0.1:80]_123");
    CHECK(label<grpc_java_1_68>(123) == "/127.0.0.1:80_123");
    CHECK(label<grpc_java_1_41>(9) == "[/127.0.0.1:80]_9");
    CHECK(label<grpc_java_1_41>(10) == "[/127.0.0.1:80]_10");
    CHECK(label<grpc_java_1_41>(11) == "[/127.0.0.1:80]_111");
    CHECK(label<grpc_java_1_41>(12) == "[/127.0.0.1:80]_1112");
    CHECK(label<grpc_java_1_41>(21) == "[/127.0.0.1:80]_1111111111221");
    const std::string far = label<grpc_java_1_41>(101);
    CHECK(far.size() == label<grpc_java_1_41>(100).size() + 2);
    CHECK(far.ends_with("9910101"));
}

TEST_CASE("grpc-java: positions are in the order of signed numbers", "[grpc][golden]") {
    CHECK(grpc_java_1_49::text(0) == "-9223372036854775808");
    CHECK(grpc_java_1_49::text(0xffffffffffffffffU) == "9223372036854775807");
    CHECK(grpc_java_1_49::position("apple") == (hash::xxh64{}("apple") ^ 0x8000000000000000U));
}

TEST_CASE("grpc-java: from 1.60 on what is behind the last point is the last one's",
          "[grpc][golden]") {
    grpc_java_1_68 now;
    now.set("min-ring-size", "1");
    now.set("max-ring-size", "3");
    grpc_java_1_49 before;
    before.set("min-ring-size", "1");
    before.set("max-ring-size", "3");
    const std::vector<node_spec> nodes = {"127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3"};
    const ring<grpc_java_1_68> r(nodes, now);
    const ring<grpc_java_1_49> wraps(nodes, before);
    REQUIRE(r.point_count() == 3);
    CHECK(r.point_position(2) == 0xffffffffffffffffU);
    CHECK(r.owner_index_at(0xffffffffffffffffU) == r.point_owner(2));
    CHECK(r.owner_index_at(0) == r.point_owner(0));
    CHECK(r.owner_index_at(r.point_position(0) + 1) == r.point_owner(1));
    CHECK(wraps.owner_index_at(0xffffffffffffffffU) == wraps.point_owner(0));
    CHECK(ring<grpc_java_1_68>({"127.0.0.1:1"}, now).owner_at(~std::uint64_t{0})->name() ==
          "127.0.0.1:1");
    ring<grpc_java_1_68> by_hand(nodes, now);
    CHECK(by_hand.set_vnodes("127.0.0.1:2", 0));
    CHECK(by_hand.find("127.0.0.1:2")->vnodes() == 0);
    CHECK(by_hand.point_position(by_hand.point_count() - 1) == 0xffffffffffffffffU);
    CHECK_THROWS_AS(by_hand.set_vnodes("127.0.0.1:2", max_points), invalid_point_count);
}

TEST_CASE("grpc-java: sizes that contradict each other are refused", "[grpc][error]") {
    grpc_java_1_68 scheme;
    scheme.set("min-ring-size", "9");
    scheme.set("max-ring-size", "8");
    CHECK_THROWS_AS(ring<grpc_java_1_68>({"127.0.0.1:1"}, scheme), invalid_option);
    CHECK_THROWS_AS(ring<grpc_java_1_49>({{"127.0.0.1:1", weight{0.5}}}), invalid_weight);
}
