// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include <hashring/compat/ip_address.hpp>
#include <hashring/core/text.hpp>

#include <cstddef>
#include <string>
#include <string_view>

using namespace hashring;

namespace {

// The bytes in hexadecimal, or "-".
std::string parsed(std::string_view text) {
    const auto address = compat::parse_ip_address(text);
    if (!address) {
        return "-";
    }
    const auto bytes = address->characters();
    std::string hex;
    append_hex(hex, std::string_view(bytes.data(), address->size));
    return hex;
}

std::string endpoint(std::string_view text) {
    const auto found = compat::parse_ip_endpoint(text);
    if (!found) {
        return "-";
    }
    const auto bytes = found->address.characters();
    std::string hex;
    append_hex(hex, std::string_view(bytes.data(), found->address.size));
    return hex + " " + decimal(found->port);
}

const std::string loopback = "00000000000000000000000000000001";

} // namespace

TEST_CASE("ip address: texts are read as inet_pton reads them", "[ip_address][golden]") {
    CHECK(parsed("127.0.0.1") == "7f000001");
    CHECK(parsed("255.255.255.255") == "ffffffff");
    CHECK(parsed("::") == std::string(32, '0'));
    CHECK(parsed("::1") == loopback);
    CHECK(parsed("1::") == "00010000000000000000000000000000");
    CHECK(parsed("2001:DB8::8:800:200c:417a") == "20010db80000000000080800200c417a");
    CHECK(parsed("1:2:3:4:5:6:7:8") == "00010002000300040005000600070008");
    CHECK(parsed("1:2:3:4:5:6:7::") == "00010002000300040005000600070000");
    CHECK(parsed("::2:3:4:5:6:7:8") == "00000002000300040005000600070008");
    CHECK(parsed("::ffff:192.0.2.1") == "00000000000000000000ffffc0000201");
    CHECK(parsed("1:2:3:4:5:6:192.0.2.1") == "000100020003000400050006c0000201");
}

TEST_CASE("ip address: what is none is not read", "[ip_address][edge]") {
    for (const std::string_view text : {"",
                                        "1",
                                        "1.2.3",
                                        "1.2.3.4.5",
                                        "1.2.3.256",
                                        "1.2.3.",
                                        "1.2.3.0004",
                                        "1.2.3.-4",
                                        "a.b.c.d",
                                        "localhost",
                                        ":",
                                        ":::",
                                        "1:2:3:4:5:6:7",
                                        "1:2:3:4:5:6:7:8:9",
                                        "1:2:3:4::5:6:7:8",
                                        "1::2::3",
                                        "12345::",
                                        "::g",
                                        "1:",
                                        ":1",
                                        "::1:",
                                        "::1.2.3.4:5",
                                        "1.2.3.4::",
                                        " ::1"}) {
        CAPTURE(text);
        CHECK(parsed(text) == "-");
    }
}

TEST_CASE("ip address: a port stands behind the last colon, or in front of nothing",
          "[ip_address][golden]") {
    CHECK(endpoint("127.0.0.1:80") == "7f000001 80");
    CHECK(endpoint("127.0.0.1") == "7f000001 0");
    CHECK(endpoint("[::1]:65535") == loopback + " 65535");
    CHECK(endpoint("[::1]") == loopback + " 0");
    CHECK(endpoint("::1:80") == loopback + " 80");
    CHECK(endpoint("::1") == loopback + " 0");
    CHECK(endpoint("1:2:3:4:5:6:7:8") == "00010002000300040005000600070008 0");
    CHECK(endpoint("127.0.0.1:65536") == "-");
    CHECK(endpoint("localhost:80") == "-");
    CHECK(endpoint("[]:80") == "-");
    CHECK(endpoint("") == "-");
}

// spring-projects/spring-data-redis #3015, redis-rb/redis-cluster-client #490, grpc/grpc #26356:
// one side had brackets around an address and the other had none.
TEST_CASE("ip address: however an address is spelled it is the same bytes", "[ip_address][B91]") {
    const std::string bytes = "20010db8000000000000000000000001";
    for (const std::string_view text :
         {"2001:db8::1", "2001:0db8:0:0:0:0:0:1", "2001:DB8::1", "2001:db8:0::0:1",
          "2001:0db8:0000:0000:0000:0000:0000:0001", "2001:db8::0.0.0.1"}) {
        CAPTURE(text);
        CHECK(parsed(text) == bytes);
        CHECK(endpoint(concat("[", text, "]")) == bytes + " 0");
        CHECK(endpoint(concat("[", text, "]:6379")) == bytes + " 6379");
    }
    CHECK(endpoint("2001:db8::1") == bytes + " 0");
    CHECK(endpoint("2001:0db8:0:0:0:0:0:1") == bytes + " 0");
}
