// SPDX-License-Identifier: MIT

#include "fake_redis.hpp"
#include "redis_groups/store/key_scan.hpp"
#include "support/catch.hpp"

#include <string>
#include <vector>

using redis_groups::connection;
using redis_groups::key_scan;
using support::fake_redis;
using texts = std::vector<std::string>;

namespace {

// A page of SCAN: where to go on, and one key or none.
std::string page(const std::string& cursor, const std::string& key) {
    const std::string keys = key.empty() ? "*0\r\n" : "*1\r\n" + support::bulk(key);
    return "*2\r\n" + support::bulk(cursor) + keys;
}

} // namespace

TEST_CASE("key scan: pages without keys are not the end", "[redis]") {
    fake_redis server;
    server.say("SCAN", {{page("5", "")}, {page("7", "a")}, {page("9", "")}, {page("0", "b")}});
    connection link(server.where(), {});
    key_scan scan(10);
    CHECK(scan.next(link) == texts{"a"});
    CHECK(scan.next(link) == texts{"b"});
    CHECK(scan.next(link) == texts{});
    CHECK(scan.next(link) == texts{});
    CHECK(server.heard("SCAN") == 4);
}

TEST_CASE("key scan: another server is asked from the beginning", "[redis]") {
    fake_redis first;
    fake_redis second;
    first.say("SCAN", {{page("0", "a")}});
    second.say("SCAN", {{page("0", "b")}});
    connection to_first(first.where(), {});
    connection to_second(second.where(), {});
    key_scan scan(10);
    CHECK(scan.next(to_first) == texts{"a"});
    CHECK(scan.next(to_second) == texts{"b"});
    CHECK(scan.next(to_second) == texts{});
}

TEST_CASE("key scan: what is no page is an error", "[redis][errors]") {
    fake_redis server;
    server.say("SCAN", {{"*1\r\n$1\r\n0\r\n"}, {"-NOPERM no\r\n"}});
    connection link(server.where(), {});
    key_scan scan(10);
    CHECK_THROWS_AS(scan.next(link), redis_groups::server_failure);
    CHECK_THROWS_AS(scan.next(link), redis_groups::server_failure);
}
