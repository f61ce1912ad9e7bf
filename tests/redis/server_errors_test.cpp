// SPDX-License-Identifier: MIT

#include "redis_groups/store/client.hpp"
#include "redis_groups/store/script_texts.hpp"
#include "running_groups.hpp"
#include "support/catch.hpp"

#include <chrono>
#include <filesystem>
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
using redis_groups::write_result;
using std::chrono::milliseconds;
using support::call;
using support::running_groups;

namespace {

void set_option(const address& server, std::string_view name, std::string_view value) {
    const auto answer = call(server, {"CONFIG", "SET", name, value});
    CAPTURE(name, value);
    REQUIRE(answer.text == "OK");
}

// Whether the write of `key` is refused with a reason that begins so.
bool is_refused(client& by, std::string_view key, std::string_view why) {
    const write_result written = by.set(key, "after");
    const write_result erased = by.erase(key);
    CAPTURE(written.why, erased.why);
    const bool is_so = written.what == outcome::refused && written.why.find(why) == 0 &&
                       erased.what == outcome::refused && erased.why.find(why) == 0;
    CHECK(is_so);
    return is_so;
}

// Whether INFO says so within two seconds.
bool comes_to(const address& server, std::string_view name, std::string_view value) {
    for (int tries = 0; tries < 200; ++tries) {
        const auto info = call(server, {"INFO"});
        if (redis_groups::info_field(info.text, name) == value) {
            return true;
        }
        std::this_thread::sleep_for(milliseconds(10));
    }
    return false;
}

} // namespace

TEST_CASE("redis: what a real master refuses was not applied, and it serves again afterwards",
          "[redis][errors]") {
    redis_groups::server_setup setup;
    setup.more = {"enable-protected-configs local"}; // as `dir` is one
    running_groups groups(1, 1, setup);
    const address master = groups[0].copy(0).where();
    client both(groups.specs(), {});
    REQUIRE(both.set("k", "before").is_done());
    SECTION("OOM") {
        set_option(master, "maxmemory", "1");
        CHECK(is_refused(both, "k", "OOM"));
        CHECK(both.get("k").value == "before"); // it is still read
        set_option(master, "maxmemory", "0");
    }
    SECTION("NOREPLICAS") {
        set_option(master, "min-replicas-to-write", "2");
        CHECK(is_refused(both, "k", "NOREPLICAS"));
        set_option(master, "min-replicas-to-write", "0");
    }
    SECTION("MISCONF") {
        const redis_groups::scratch_folder folder;
        std::filesystem::create_directory(folder.path() / "gone");
        const auto dir = call(master, {"CONFIG", "GET", "dir"}).items.at(1).text;
        set_option(master, "dir", folder.path_of("gone"));
        std::filesystem::remove(folder.path() / "gone"); // so that it cannot save
        set_option(master, "save", "3600 1");
        call(master, {"BGSAVE"});
        REQUIRE(comes_to(master, "rdb_last_bgsave_status", "err"));
        CHECK(is_refused(both, "k", "MISCONF"));
        CHECK(both.get("k").value == "before");
        set_option(master, "save", "");
        set_option(master, "dir", dir);
    }
    SECTION("NOPERM") {
        call(master, {"ACL", "SETUSER", "default", "-evalsha"});
        CHECK(is_refused(both, "k", "NOPERM"));
        call(master, {"ACL", "SETUSER", "default", "+evalsha"});
    }
    SECTION("NOSCRIPT") {
        call(master, {"SCRIPT", "FLUSH"}); // it is told the script again
    }
    SECTION("WRONGTYPE, of our own record") {
        const std::string last = call(master, {"GET", redis_groups::version_key}).text;
        call(master, {"DEL", redis_groups::version_key});
        call(master, {"RPUSH", redis_groups::version_key, "x"});
        CHECK(is_refused(both, "k", "WRONGTYPE"));
        CHECK(both.get("k").value == "before");
        call(master, {"SET", redis_groups::version_key, last});
    }
    CHECK(both.get("k").value == "before");
    const write_result again = both.set("k", "again");
    CAPTURE(again.why);
    CHECK(again.is_done());
    CHECK(both.get("k").value == "again");
}

TEST_CASE("redis: a master that has just become a replica refuses, and the new one is found",
          "[redis][errors]") {
    running_groups groups(1, 1);
    settings chosen;
    chosen.look_every = milliseconds(3'600'000); // a refusal alone tells it
    client both(groups.specs(), chosen);
    REQUIRE(both.set("k", "before").is_done());
    groups[0].promote(1);
    const write_result refused = both.set("k", "after");
    CHECK(refused.what == outcome::refused);
    CHECK(refused.why.find("READONLY") == 0);
    CHECK(both.set("k", "by the new master").is_done()); // it has looked
    CHECK(both.get("k").value == "by the new master");
}

TEST_CASE("redis: while a master loads its data writes are refused, and tried again with patience",
          "[redis][errors]") {
    running_groups groups(1, 0);
    const address master = groups[0].copy(0).where();
    settings chosen;
    client both(groups.specs(), chosen);
    chosen.patience = milliseconds(20'000);
    client patient(groups.specs(), chosen);
    REQUIRE(support::undone(
                both.write_many(support::writes_of(support::numbered_keys(500), "v"))) == 0);
    REQUIRE(both.set("k", "before").is_done());
    REQUIRE(patient.get("k").value == "before");
    set_option(master, "key-load-delay", "3000"); // microseconds
    set_option(master, "loading-process-events-interval-bytes", "1024");
    redis_groups::connection reloading(master, {});
    reloading.append({"DEBUG", "RELOAD"});
    reloading.send();
    REQUIRE(comes_to(master, "loading", "1"));
    CHECK(is_refused(both, "k", "LOADING"));
    const read_value read = both.get("k");
    CHECK(read.state == read_state::failed);
    CHECK(read.why.find("LOADING") == 0);
    set_option(master, "key-load-delay", "0");
    CHECK(patient.get("k").value == "before");
    CHECK(patient.set("k", "after").is_done());
    CHECK(reloading.receive(milliseconds(20'000)).text == "OK");
    CHECK(both.get("k").value == "after");
}

TEST_CASE("redis: a value of another type fails its read alone, and is replaced by a write",
          "[redis][errors]") {
    running_groups groups(1, 1);
    client both(groups.specs(), {});
    REQUIRE(both.set("k", "v").is_done());
    call(groups[0].copy(0).where(), {"RPUSH", "list", "1"});
    const std::vector<std::string_view> keys = {"k", "list"};
    const std::vector<read_value> values = both.read_many(keys);
    CHECK(values[0].value == "v");
    CHECK(values[1].state == read_state::failed);
    CHECK(values[1].why.find("WRONGTYPE") == 0);
    CHECK(both.set("list", "text").is_done());
    CHECK(both.get("list").value == "text");
}

TEST_CASE("redis: without the password nothing is written, with it all goes on",
          "[redis][errors]") {
    running_groups groups(1, 0);
    const address master = groups[0].copy(0).where();
    set_option(master, "requirepass", "secret");
    settings chosen;
    for (const std::string_view password : {"", "wrong"}) {
        CAPTURE(password);
        chosen.connections.password = password;
        client stranger(groups.specs(), chosen);
        CHECK(stranger.set("k", "v").what == outcome::refused);
        CHECK(stranger.get("k").state == read_state::failed);
    }
    chosen.connections.password = "secret";
    client known(groups.specs(), chosen);
    CHECK(known.get("k").state == read_state::absent);
    CHECK(known.set("k", "v").is_done());
    CHECK(known.key_counts() == std::vector<std::uint64_t>{1});
}

TEST_CASE("redis: too few acknowledgements leave a write unknown", "[redis][errors]") {
    running_groups groups(1, 1);
    settings quick;
    quick.wait_timeout = milliseconds(100);
    quick.look_every = milliseconds(60'000);
    client other(groups.specs(), quick);
    REQUIRE(other.set("k", "before").is_done());
    groups[0].copy(1).freeze();
    const write_result result = other.set("k", "maybe");
    groups[0].copy(1).thaw();
    CHECK(result.what == outcome::unknown);
    CHECK(result.why.find("only 0 of 1 replicas") == 0);
}

TEST_CASE("redis: a record that is passed on is refused before it is written, or not at all",
          "[redis][errors]") {
    running_groups groups(1, 0);
    const address master = groups[0].copy(0).where();
    client both(groups.specs(), {});
    REQUIRE(both.set("k", "before").is_done());
    redis_groups::write_request passed_on{"k"};
    const std::string newer =
        hashring::group::encode({{9, 9, 9}, hashring::group::record_kind::value, 0, "passed on"});
    passed_on.record = newer;
    call(master, {"DEL", redis_groups::version_key});
    call(master, {"RPUSH", redis_groups::version_key, "x"});
    const write_result refused = both.write_many({&passed_on, 1}).front();
    CHECK(refused.what == outcome::refused);
    CHECK(refused.why.find("WRONGTYPE") == 0);
    CHECK(both.get("k").value == "before");
    call(master, {"DEL", redis_groups::version_key});
    CHECK(both.write_many({&passed_on, 1}).front().is_done());
    CHECK(both.get("k").value == "passed on");
}
