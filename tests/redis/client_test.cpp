// SPDX-License-Identifier: MIT

#include "redis_groups/store/client.hpp"
#include "redis_groups/store/script_texts.hpp"
#include "running_groups.hpp"
#include "support/catch.hpp"

#include <hashring/group/record.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using hashring::group::outcome;
using redis_groups::address;
using redis_groups::client;
using redis_groups::read_state;
using redis_groups::read_value;
using redis_groups::settings;
using redis_groups::write_request;
using redis_groups::write_result;
using std::chrono::milliseconds;
using support::call;
using support::running_groups;

TEST_CASE("redis: what the master writes is the library's record, version by version",
          "[redis][golden]") {
    running_groups groups(1, 0);
    client writer(groups.specs(), {});
    const address master = groups[0].copy(0).where();
    const auto id = std::string(
        redis_groups::info_field(call(master, {"INFO", "replication"}).text, "master_replid"));
    const std::uint64_t origin = hashring::group::origin_of(id).value();
    hashring::group::version last;
    for (int i = 0; i < 300; ++i) { // also past the first byte of the counter
        const std::string value(static_cast<std::size_t>(i), 'v');
        const write_result result = writer.set("k", value);
        last = hashring::group::next_version(last, 0, origin);
        REQUIRE(result.version == last);
        const std::string stored = call(master, {"GET", "k"}).text;
        REQUIRE(stored ==
                hashring::group::encode({last, hashring::group::record_kind::value, 0, value}));
    }
    CHECK(writer.erase("k").is_done());
    const std::string stored = call(master, {"GET", "k"}).text;
    const hashring::group::decoded dead = hashring::group::decode(stored);
    CHECK(dead.error == hashring::group::damage::none);
    CHECK(dead.record.kind == hashring::group::record_kind::tombstone);
    CHECK(dead.record.version == hashring::group::next_version(last, 0, origin));
    CHECK(stored == hashring::group::encode(dead.record));
}

TEST_CASE("redis: a value is gone after its time, and its record stays a while", "[redis][law]") {
    running_groups groups(1, 1);
    settings chosen;
    chosen.retention = milliseconds(400);
    client both(groups.specs(), chosen);
    CHECK(both.set("k", "short", milliseconds(100)).is_done());
    CHECK(both.get("k").value == "short");
    std::this_thread::sleep_for(milliseconds(150));
    const read_value gone = both.get("k");
    CHECK(gone.state == read_state::absent);
    CHECK_FALSE(gone.record.empty()); // still there, as a mark for copies that missed it
    std::this_thread::sleep_for(milliseconds(500));
    CHECK(both.get("k").record.empty());
    CHECK(both.key_counts() == std::vector<std::uint64_t>{0});
}

TEST_CASE("redis: a time to live beyond what a server counts is for ever", "[redis][edges]") {
    running_groups groups(1, 0);
    client both(groups.specs(), {});
    CHECK(both.set("k", "v", milliseconds::max()).is_done());
    CHECK(both.get("k").value == "v");
    CHECK(call(groups[0].copy(0).where(), {"PTTL", "k"}).number == -1);
    CHECK(both.set("past", "v", milliseconds(-1)).is_done());
    CHECK(both.get("past").state == read_state::absent);
}

TEST_CASE("redis: a deletion is a record that is newer than what it deletes", "[redis][law]") {
    running_groups groups(1, 1);
    settings chosen;
    chosen.retention = milliseconds(300);
    client both(groups.specs(), chosen);
    const write_result set = both.set("k", "v");
    const write_result erased = both.erase("k");
    CHECK(erased.is_done());
    CHECK(erased.version > set.version);
    CHECK(both.get("k").state == read_state::absent);
    std::this_thread::sleep_for(milliseconds(400));
    CHECK(both.get("k").record.empty());
    CHECK(both.erase("never was").is_done());
}

TEST_CASE("redis: values of other programs are read as they are, and replaced", "[redis][law]") {
    running_groups groups(1, 0);
    client both(groups.specs(), {});
    call(groups[0].copy(0).where(), {"SET", "plain", "text"});
    CHECK(both.get("plain").value == "text");
    CHECK(both.get("plain").version == hashring::group::version{});
    CHECK(both.set("plain", "ours").is_done());
    CHECK(both.get("plain").value == "ours");
    call(groups[0].copy(0).where(), {"RPUSH", "list", "1"});
    CHECK(both.get("list").state == read_state::failed);
    CHECK(both.get("list").why.find("WRONGTYPE") == 0);
}

TEST_CASE("redis: a majority read gives a copy what it lacks", "[redis][law]") {
    running_groups groups(1, 1);
    client both(groups.specs(), {});
    const address master = groups[0].copy(0).where();
    const address replica = groups[0].copy(1).where();
    call(replica, {"CONFIG", "SET", "replica-read-only", "no"});
    CHECK(both.set("k", "old").is_done());
    const std::string old = call(replica, {"GET", "k"}).text;
    CHECK(both.set("k", "new").is_done());
    SECTION("nothing") {
        call(replica, {"DEL", "k"});
    }
    SECTION("something older") {
        call(replica, {"SET", "k", old});
    }
    const read_value value = both.get("k");
    CHECK(value.value == "new");
    CHECK(value.is_settled);
    CHECK(call(replica, {"GET", "k"}) == call(master, {"GET", "k"}));
}

TEST_CASE("redis: the key that versions are counted under is not for users", "[redis][edges]") {
    running_groups groups(1, 0);
    client both(groups.specs(), {});
    const std::vector<write_request> writes = {
        {"a", "1"}, {redis_groups::version_key, "x"}, {"b", "2"}};
    const std::vector<write_result> results = both.write_many(writes);
    CHECK(results[0].is_done());
    CHECK(results[1].what == outcome::refused);
    CHECK(results[1].why.find("its own record") != std::string::npos);
    CHECK(results[2].is_done());
    CHECK(both.erase(redis_groups::version_key).what == outcome::refused);
    CHECK(both.get(redis_groups::version_key).state == read_state::failed);
    CHECK(both.get(redis_groups::version_key).why.find("its own record") != std::string::npos);
    CHECK(both.set("a", "2").version.counter == 3);
}

TEST_CASE("redis: groups that cannot be are refused at once", "[redis][errors]") {
    CHECK_THROWS_AS(client(std::vector<redis_groups::group_spec>{}, {}), std::invalid_argument);
    CHECK_THROWS_AS(client({{"group01", {}, {}}}, {}), std::invalid_argument);
    const std::vector<redis_groups::group_spec> twice = {{"a", {{"h", 1}}, {}},
                                                         {"a", {{"h", 2}}, {}}};
    CHECK_THROWS_AS(client(twice, {}), hashring::invalid_node);
}
