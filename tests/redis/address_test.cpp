// SPDX-License-Identifier: MIT

#include "redis_groups/store/address.hpp"
#include "redis_groups/store/settings.hpp"
#include "support/catch.hpp"

#include <stdexcept>
#include <string>

using redis_groups::address;
using redis_groups::describe;
using redis_groups::group_spec;
using redis_groups::parse_address;
using redis_groups::parse_group;

namespace {

// What `parse` complains of, empty if of nothing.
template <class Parse>
std::string complaint(Parse parse, const std::string& text) {
    try {
        static_cast<void>(parse(text));
        return "";
    } catch (const std::invalid_argument& e) {
        return e.what();
    }
}

} // namespace

TEST_CASE("address: a host, a port, and brackets around colons", "[redis][golden]") {
    CHECK(parse_address("10.0.0.1:7000") == address{"10.0.0.1", 7000});
    CHECK(parse_address("cache-a") == address{"cache-a", 6379});
    CHECK(parse_address("[fe80::1]:65535") == address{"fe80::1", 65535});
    CHECK(parse_address("[::1]") == address{"::1", 6379});
}

TEST_CASE("address: what is described is parsed to the same", "[redis][law]") {
    for (const address& where : {address{"localhost", 1}, address{"::1", 26379}}) {
        CHECK(parse_address(describe(where)) == where);
    }
}

TEST_CASE("address: a text that is none is quoted", "[redis][errors]") {
    for (const char* text : {"", ":1", "host:", "host:0", "host:65536", "host:-1", "host:1x", "::1",
                             "[::1", "[::1]7", "[]:7"}) {
        CAPTURE(text);
        CHECK(complaint(parse_address, text).find("'" + std::string(text) + "'") !=
              std::string::npos);
    }
}

TEST_CASE("group: a name and its copies", "[redis][golden]") {
    const group_spec group = parse_group("group01=127.0.0.1:7000,127.0.0.1:7001");
    CHECK(group.name == "group01");
    CHECK(group.copies == std::vector<address>{{"127.0.0.1", 7000}, {"127.0.0.1", 7001}});
}

TEST_CASE("group: a text that is none is quoted", "[redis][errors]") {
    CHECK(complaint(parse_group, "group01").find("'group01'") != std::string::npos);
    CHECK(complaint(parse_group, "=a:1").find("'=a:1'") != std::string::npos);
    CHECK(complaint(parse_group, "g=").find("''") != std::string::npos);
    CHECK(complaint(parse_group, "g=a:1,").find("''") != std::string::npos);
    CHECK(complaint(parse_group, "g=a:1,a:1").find("twice") != std::string::npos);
}
