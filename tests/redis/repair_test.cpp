// SPDX-License-Identifier: MIT

#include "redis_groups/farm/delay_proxy.hpp"
#include "redis_groups/store/copy_check.hpp"
#include "redis_groups/store/repairer.hpp"
#include "redis_groups/trial/traffic.hpp"
#include "running_groups.hpp"
#include "support/catch.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using hashring::group::read_strategy;
using hashring::group::write_strategy;
using redis_groups::client;
using redis_groups::copy_comparison;
using redis_groups::group_servers;
using redis_groups::group_spec;
using redis_groups::repairer;
using redis_groups::settings;
using std::chrono::milliseconds;
using support::call;
using support::compared;
using support::running_groups;
using support::write_keys;

namespace {

constexpr milliseconds patience{5000};

} // namespace

TEST_CASE("repair: a dead master is replaced, and completed when it is back", "[redis]") {
    running_groups groups(1, 2);
    group_servers& servers = groups[0];
    const group_spec group = groups.specs()[0];
    client both(groups.specs(), {});
    write_keys(both, 500, "before");
    repairer repair(group, {});
    CHECK(repair.run(patience).copied == 0); // nothing to do

    servers.copy(0).kill();
    const repairer::report first = repair.run(patience);
    CHECK(first.promoted == 1);
    CHECK(first.down == 1);
    both.begin_anew();
    write_keys(both, 500, "after");

    servers.copy(0).restart({}); // empty, and takes itself for a master
    call(group.copies[0], {"CONFIG", "SET", "key-load-delay", "500"}); // microseconds
    const repairer::report second = repair.run(patience);
    CHECK(repair.view().copies().complete() == 3);
    CHECK(second.promoted == 0);
    CHECK(second.copied == 1);
    CHECK(second.down == 0);
    servers.await_ready(repair.view().copies().master(), patience);
    const copy_comparison all = compared(group);
    CHECK(all.keys == 501);
    CHECK(all.copies == 2);
    CHECK(all.which == std::vector<std::string>{});
    CHECK(both.get("key:1").value == "after");
}

TEST_CASE("repair: where nobody has all, each key's newest value is brought together", "[redis]") {
    running_groups groups(1, 1);
    group_servers& servers = groups[0];
    const group_spec group = groups.specs()[0];
    settings alone;
    alone.rules.write = write_strategy::master_first_async;
    alone.rules.read = read_strategy::master;
    alone.look_every = milliseconds(20);
    client both(groups.specs(), alone);
    write_keys(both, 100, "both");
    servers.await_ready(0, patience);

    // The replica is cut off and becomes a master of its own: each goes on alone.
    call(group.copies[1], {"REPLICAOF", "NO", "ONE"});
    client first({group_spec{"group01", {group.copies[0]}, {}}}, alone);
    client second({group_spec{"group01", {group.copies[1]}, {}}}, alone);
    CHECK(first.set("first", "1").is_done());
    CHECK(second.set("second", "2").is_done());
    CHECK(first.set("key:1", "older").is_done());
    CHECK(second.set("key:1", "newer").is_done()); // of a later reign
    call(group.copies[0], {"RPUSH", "list", "of another program"});
    call(group.copies[0], {"SET", "long", std::string(100'000, 'x')}); // so it is the furthest
    CHECK(second.erase("key:2").is_done());

    settings strict;
    repairer repair(group, strict);
    // Two masters that nobody follows: none is the master, so nobody vouches for anything.
    const repairer::report report = repair.run(patience);
    const std::size_t master = repair.view().copies().master();
    // The second one has three that the first lacks or has older, the first one two.
    CHECK(report.merged == (master == 0 ? 3 : 2));
    servers.await_ready(master, patience);
    CHECK(compared(group).which == std::vector<std::string>{});
    client after(groups.specs(), strict);
    CHECK(after.get("first").value == "1");
    CHECK(after.get("second").value == "2");
    CHECK(master == 0);
    const auto merged = after.get("key:1");
    CHECK(merged.value == "newer");
    // What is written from now on is above what came from another reign.
    CHECK(after.set("key:1", "newest").version > merged.version);
    CHECK_FALSE(after.get("key:2").is_found());
    CHECK(after.get("key:3").value == "both");
    CHECK(call(group.copies[master], {"LLEN", "list"}).number == 1);
}

TEST_CASE("repair: what a replica has that lost its master is kept, though nobody vouches for it",
          "[redis]") {
    running_groups groups(1, 1);
    group_servers& servers = groups[0];
    const group_spec group = groups.specs()[0];
    client both(groups.specs(), {});
    write_keys(both, 50, "v");
    repairer repair(group, {});
    CHECK(repair.run(patience).promoted == 0);
    call(group.copies[1], {"REPLICAOF", "127.0.0.1", "1"});
    call(group.copies[1], {"DEBUG", "CHANGE-REPL-ID"});
    servers.copy(0).kill();
    servers.copy(0).restart({}); // the master, and empty
    const repairer::report report = repair.run(patience);
    CHECK(report.promoted == 1);
    CHECK(report.merged == 0); // there was nothing on the other one
    CHECK(repair.view().copies().master() == 1);
    servers.await_ready(1, patience);
    both.begin_anew();
    CHECK(both.get("key:49").value == "v");
    CHECK(compared(group).keys == 51);
}

// Sets keys `name:0`, `name:1` and so on until the server says no; `count` is how many are set.
void set_until_refused(const redis_groups::address& server, std::string_view name,
                       std::atomic<std::size_t>& count) {
    try {
        redis_groups::connection link(server, {});
        const auto key = [&] {
            return hashring::concat(name, ":", hashring::decimal(count.load()));
        };
        while (link.call({"SET", key(), "v"}).text == "OK") {
            ++count;
        }
    } catch (const redis_groups::connection_failure&) {
        return; // it was told to follow another one
    }
}

TEST_CASE("repair: what is written to a copy while it is merged is refused, or not lost",
          "[redis][law]") {
    running_groups groups(1, 1);
    const group_spec group = groups.specs()[0];
    client both(groups.specs(), {});
    write_keys(both, 3000, "v");
    groups[0].await_ready(0, patience);
    call(group.copies[1], {"REPLICAOF", "NO", "ONE"});
    call(group.copies[0], {"SET", "long", std::string(5'000'000, 'x')}); // so it is the furthest
    std::atomic<std::size_t> done = 0;
    std::thread other([&] { set_until_refused(group.copies[1], "other", done); });
    while (done == 0) {
        std::this_thread::yield();
    }
    repairer repair(group, {});
    CHECK(repair.run(patience).merged > 0);
    other.join();
    CHECK(repair.view().copies().master() == 0);
    std::size_t lost = 0;
    for (std::size_t i = 0; i < done; ++i) {
        const std::string key = hashring::concat("other:", hashring::decimal(i));
        lost += call(group.copies[0], {"EXISTS", key}).number == 1 ? 0U : 1U;
    }
    CHECK(lost == 0);
    call(group.copies[1], {"REPLICAOF", "NO", "ONE"}); // and it takes writes again
    CHECK(call(group.copies[1], {"SET", "k", "v"}).text == "OK");
}

// The repairer does not reach the master, which clients go on to write to.
TEST_CASE("repair: what a master acknowledges that only the repairer does not reach is not lost",
          "[redis][law]") {
    for (int i = 0; i < 5; ++i) {
        CAPTURE(i);
        running_groups groups(1, 2);
        const group_spec group = groups.specs()[0];
        redis_groups::delay_proxy way(group.copies[0], milliseconds(0));
        const group_spec seen{group.name, {way.where(), group.copies[1], group.copies[2]}, {}};
        repairer repair(seen, {});
        CHECK(repair.run(patience).copied == 0);
        const settings chosen;
        redis_groups::traffic writers(std::make_shared<redis_groups::placement>(groups.specs()),
                                      chosen, support::numbered_keys(200'000), {});
        std::this_thread::sleep_for(milliseconds(200));
        way.cut();
        CHECK(repair.run(patience).promoted == 1);
        writers.stop();
        const std::size_t master = repair.view().copies().master();
        client reader({group_spec{group.name, {seen.copies[master]}, {}}}, chosen);
        CHECK(writers.counts().done > 500);
        CHECK(writers.lost(reader) == 0);
    }
}

TEST_CASE("repair: a group of which nobody that answers has all is not repaired", "[redis]") {
    running_groups groups(1, 2);
    group_servers& servers = groups[0];
    client both(groups.specs(), {});
    write_keys(both, 10, "v");
    repairer repair(groups.specs()[0], {});
    static_cast<void>(repair.run(patience));
    servers.copy(0).kill();
    servers.copy(1).kill(); // and a majority with it
    CHECK_THROWS_AS(repair.run(milliseconds(300)), redis_groups::repair_failure);
    CHECK(call(groups.specs()[0].copies[2], {"ROLE"}).items.at(0).text == "slave");
}
