// SPDX-License-Identifier: MIT

#include "redis_groups/store/copy_check.hpp"
#include "running_groups.hpp"
#include "support/catch.hpp"

#include <chrono>
#include <string>
#include <vector>

using redis_groups::client;
using redis_groups::copy_comparison;
using redis_groups::group_spec;
using redis_groups::settings;
using std::chrono::milliseconds;
using support::call;
using support::compared;
using support::running_groups;
using support::write_keys;

namespace {

constexpr milliseconds patience{5000};

} // namespace

TEST_CASE("copies: equal copies are equal, and what differs in any type is found", "[redis]") {
    running_groups groups(1, 1);
    const group_spec group = groups.specs()[0];
    const auto& master = group.copies[0];
    client both(groups.specs(), {});
    write_keys(both, 300, "v");
    call(master, {"RPUSH", "list", "1", "2"});
    call(master, {"SADD", "set", "a", "b", "c"});
    call(master, {"HSET", "hash", "f", "1", "g", "2"});
    call(master, {"ZADD", "scores", "1", "a"});
    call(master, {"XADD", "stream", "1-1", "f", "v"});
    call(master, {"SET", "expiring", "v", "PX", "600000"});
    groups[0].await_ready(0, patience);
    const copy_comparison equal = compared(group);
    CHECK(equal.keys == 307); // and the version that the group gave out last
    CHECK(equal.copies == 1);
    CHECK(equal.which == std::vector<std::string>{});

    const auto& replica = group.copies[1];
    call(replica, {"CONFIG", "SET", "replica-read-only", "no"});
    call(replica, {"SET", "key:7", "other"});
    call(replica, {"DEL", "key:8"});
    call(replica, {"SET", "more", "v"});
    call(replica, {"LMOVE", "list", "list", "LEFT", "RIGHT"}); // the same, in another order
    call(replica, {"SREM", "set", "b"});
    call(replica, {"HSET", "hash", "f", "2", "g", "1"}); // and with other fields
    call(replica, {"ZADD", "scores", "2", "a"});
    call(replica, {"XADD", "stream", "1-2", "f", "v"});
    call(replica, {"PERSIST", "expiring"});
    const copy_comparison unequal = compared(group);
    CHECK(unequal.different == 9);
    CHECK(unequal.which == std::vector<std::string>{"expiring", "hash", "key:7", "key:8", "list",
                                                    "more", "scores", "set", "stream"});
    groups[0].copy(1).kill();
    CHECK(compared(group).copies == 0);
}

TEST_CASE("copies: what cannot be compared is not equal", "[redis][errors]") {
    running_groups groups(1, 2);
    const group_spec group = groups.specs()[0];
    client all(groups.specs(), {});
    write_keys(all, 10, "v");
    groups[0].await_ready(0, patience);
    SECTION("as a copy does not answer") {
        groups[0].copy(2).kill();
        const copy_comparison half = compared(group);
        CHECK(half.copies == 1);
        CHECK(half.different == 0);
        CHECK(half.silent == std::vector<std::string>{describe(group.copies[2])});
        CHECK_FALSE(half.is_equal());
    }
    SECTION("as a server does not say when a key expires") {
        for (const auto& copy : group.copies) {
            call(copy, {"ACL", "SETUSER", "default", "-pexpiretime"});
        }
        CHECK_THROWS_AS(compared(group), redis_groups::server_failure);
    }
    SECTION("as the master does not say whether it has what a copy has") {
        call(group.copies[0], {"ACL", "SETUSER", "default", "-exists"});
        CHECK_THROWS_AS(compared(group), redis_groups::server_failure);
    }
}
