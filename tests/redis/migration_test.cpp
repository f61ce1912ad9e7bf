// SPDX-License-Identifier: MIT

#include "redis_groups/store/mover.hpp"
#include "redis_groups/trial/traffic.hpp"
#include "running_groups.hpp"
#include "support/catch.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

using redis_groups::client;
using redis_groups::group_ring;
using redis_groups::group_spec;
using redis_groups::mover;
using redis_groups::placement;
using redis_groups::read_state;
using redis_groups::read_value;
using redis_groups::settings;
using std::chrono::milliseconds;
using support::call;
using support::running_groups;

namespace {

settings patient() {
    settings chosen;
    chosen.patience = milliseconds(3000);
    return chosen;
}

std::vector<group_spec> some(const std::vector<group_spec>& all, std::initializer_list<int> which) {
    std::vector<group_spec> result;
    for (const int i : which) {
        result.push_back(all[static_cast<std::size_t>(i)]);
    }
    return result;
}

group_ring ring_of(const std::vector<group_spec>& specs) {
    group_ring ring;
    for (const group_spec& spec : specs) {
        ring.add(spec.name);
    }
    return ring;
}

// How many keys lie on arcs that change hands, by the library's own account.
std::uint64_t on_moved_arcs(const std::vector<group_spec>& from, const std::vector<group_spec>& to,
                            const std::vector<std::string>& keys) {
    const group_ring before = ring_of(from);
    const auto changes = hashring::diff(before, ring_of(to));
    std::uint64_t count = 0;
    for (const std::string& key : keys) {
        const std::uint32_t at = before.position(key);
        for (const auto& change : changes.arcs()) {
            count += change.where.contains(at) ? 1U : 0U;
        }
    }
    return count;
}

} // namespace

TEST_CASE("migration: while groups come and go each key has its last acknowledged value",
          "[redis][law]") {
    running_groups groups(3, 1);
    const std::vector<group_spec> all = groups.specs();
    const auto ring = std::make_shared<placement>(some(all, {0, 1}));
    const std::vector<std::string> keys = support::numbered_keys(5'000);
    client writer(ring, patient());
    REQUIRE(support::undone(writer.write_many(support::writes_of(keys, "1"))) == 0);
    redis_groups::traffic_options how;
    how.writers = 1;
    how.readers = 1;
    how.batch = 1;
    how.deletion_every = 5;
    how.first_write = 2;
    redis_groups::traffic others(ring, patient(), keys, how);
    mover moves(ring, patient());

    moves.begin(all); // the third group joins
    CHECK(moves.run().moved == on_moved_arcs(some(all, {0, 1}), all, keys));
    moves.begin(some(all, {0, 2})); // and the second leaves
    CHECK(moves.run().moved == on_moved_arcs(all, some(all, {0, 2}), keys));
    others.stop();

    const redis_groups::traffic_counts counted = others.counts();
    CHECK(counted.refused + counted.unknown + counted.failed_reads == 0);
    CHECK(counted.done > 50);
    CHECK(counted.reads > 50);
    CHECK(counted.wrong_reads == 0);
    CHECK(others.wrong() == std::vector<std::string>{});
    CHECK(others.lost(writer) == 0);
    // Nothing is left behind, but the version that the group gave out last.
    CHECK(call(all[1].copies[0], {"DBSIZE"}).number == 1);
    const std::vector<std::uint64_t> counts = writer.key_counts();
    CHECK(counts[0] + counts[1] == keys.size());
}

TEST_CASE("migration: every type moves with its time to live, and deletions move too",
          "[redis][law]") {
    running_groups groups(2, 0);
    const std::vector<group_spec> all = groups.specs();
    const auto ring = std::make_shared<placement>(some(all, {0}));
    client both(ring, {});
    const auto& old_master = all[0].copies[0];
    const auto& new_master = all[1].copies[0];
    call(old_master, {"RPUSH", "list", "1", "2"});
    call(old_master, {"HSET", "hash", "field", "value"});
    call(old_master, {"SET", "plain", "text", "PX", "60000"});
    call(old_master, {"ZADD", "scores", "1.5", "a"});
    CHECK(both.set("ours", "value", milliseconds(60'000)).is_done());
    CHECK(both.set("gone", "value").is_done());
    const auto erased = both.erase("gone");

    mover moves(ring, {});
    moves.begin(some(all, {1}));
    CHECK(both.get("plain").value == "text");   // still where it was
    CHECK(both.set("hash", "newer").is_done()); // written to the new owner before it is moved
    CHECK(moves.run().moved == 6);
    std::this_thread::sleep_for(milliseconds(10)); // what lives for ever does so

    CHECK(call(new_master, {"LRANGE", "list", "0", "-1"}).items.size() == 2);
    CHECK(call(new_master, {"ZSCORE", "scores", "a"}).text == "1.5");
    const auto left = call(new_master, {"PTTL", "plain"}).number;
    CHECK(left > 50'000);
    CHECK(left <= 60'000);
    CHECK(both.get("plain").value == "text");
    CHECK(both.get("hash").value == "newer");
    CHECK(both.get("ours").value == "value");
    CHECK(both.get("ours").expires_at > redis_groups::now_ms());
    CHECK(both.get("gone").state == read_state::absent);
    CHECK(both.get("gone").version == erased.version);
    CHECK(both.set("gone", "back").version > erased.version);
    CHECK(call(old_master, {"DBSIZE"}).number == 1);
}

TEST_CASE("migration: keys that expire at that very moment do not become everlasting",
          "[redis][law]") {
    running_groups groups(2, 0);
    const std::vector<group_spec> all = groups.specs();
    const auto ring = std::make_shared<placement>(some(all, {0}));
    redis_groups::connection old_master(all[0].copies[0], {});
    mover moves(ring, {});
    for (int i = 0; i < 600; ++i) { // each a little later than the one before
        const std::string key = "key:" + hashring::decimal(i);
        old_master.append({"SET", key, "v", "PX", hashring::decimal(20 + i / 8)});
    }
    old_master.send();
    moves.begin(some(all, {1}));
    static_cast<void>(moves.run());
    std::this_thread::sleep_for(milliseconds(120));
    CHECK(call(all[1].copies[0], {"RANDOMKEY"}).is_nil()); // it drops what has expired
}

TEST_CASE("migration: what is written while keys move is newer than all before", "[redis][law]") {
    running_groups groups(2, 0);
    const std::vector<group_spec> all = groups.specs();
    const auto ring = std::make_shared<placement>(some(all, {0}));
    client both(ring, {});
    for (int i = 0; i < 100; ++i) { // versions of the old group run ahead of the new one's
        static_cast<void>(both.set("k", "old"));
    }
    const auto last = both.set("k", "old");
    mover moves(ring, {});
    moves.begin(some(all, {1}));
    const auto first = both.set("k", "new");
    CHECK(first.version > last.version);
    static_cast<void>(moves.run());
    CHECK(both.get("k").value == "new");
}

TEST_CASE("migration: a key that arrives between two questions is found", "[redis][law]") {
    running_groups groups(2, 0);
    const std::vector<group_spec> all = groups.specs();
    const auto ring = std::make_shared<placement>(some(all, {0}));
    client reader(ring, {});
    const std::vector<std::string> keys = support::numbered_keys(2'000);
    REQUIRE(support::undone(reader.write_many(support::writes_of(keys, "v"))) == 0);
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    settings slow;
    slow.pipeline = 20;
    mover moves(ring, slow);
    moves.begin(some(all, {1}));
    std::atomic<bool> is_over{false};
    std::thread moving([&] {
        static_cast<void>(moves.run());
        is_over = true;
    });
    std::size_t missing = 0;
    std::size_t rounds = 0;
    for (; !is_over; ++rounds) { // some at a time, so that many reads meet keys on their way
        const std::size_t first = 100 * (rounds % 20);
        for (const read_value& value : reader.read_many(std::span(views).subspan(first, 100))) {
            missing += value.is_found() ? 0U : 1U;
        }
    }
    moving.join();
    CHECK(missing == 0);
    CHECK(rounds > 5);
}

TEST_CASE("migration: a key stays where it was until a majority has it elsewhere", "[redis][law]") {
    running_groups groups(2, 1);
    const std::vector<group_spec> all = groups.specs();
    const auto ring = std::make_shared<placement>(some(all, {0}));
    settings quick;
    quick.wait_timeout = milliseconds(50);
    quick.look_every = milliseconds(60'000);
    call(all[0].copies[0], {"RPUSH", "list", "1"});
    mover moves(ring, quick);
    moves.begin(some(all, {1}));
    groups[1].copy(1).freeze();
    CHECK_THROWS_AS(moves.run(), redis_groups::move_failure);
    CHECK(call(all[0].copies[0], {"EXISTS", "list"}).number == 1);
    groups[1].copy(1).thaw();
    groups[1].await_ready(0, milliseconds(5000));
    mover again(ring, patient());
    CHECK(again.run().moved == 1);
    CHECK(call(all[0].copies[0], {"EXISTS", "list"}).number == 0);
    CHECK(call(all[1].copies[0], {"LLEN", "list"}).number == 1);
}

TEST_CASE("migration: one that cannot go on is taken up again", "[redis][errors]") {
    running_groups groups(2, 1);
    const std::vector<group_spec> all = groups.specs();
    const auto ring = std::make_shared<placement>(some(all, {0}));
    settings quick;
    quick.patience = milliseconds(200);
    quick.wait_timeout = milliseconds(100);
    quick.look_every = milliseconds(50);
    quick.rules.read = hashring::group::read_strategy::master; // half of the copies are no majority
    client both(ring, quick);
    const std::vector<std::string> keys = support::numbered_keys(200);
    REQUIRE(support::undone(both.write_many(support::writes_of(keys, "v"))) == 0);
    mover moves(ring, quick);
    moves.begin(all);
    groups[1].copy(1).kill(); // the new owner is in safe mode
    CHECK_THROWS_AS(moves.run(), redis_groups::move_failure);
    std::size_t missing = 0;
    for (const std::string& key : keys) {
        missing += both.get(key).is_found() ? 0U : 1U;
    }
    CHECK(missing == 0);
    CHECK_THROWS_AS(moves.begin(all), std::logic_error); // it has begun already
    groups[1].copy(1).restart(groups[1].copy(0).where());
    groups[1].await_ready(0, milliseconds(5000));
    std::this_thread::sleep_for(milliseconds(100));
    quick.patience = milliseconds(3000);
    mover again(ring, quick);
    CHECK(again.run().moved > 0);
    const std::vector<std::uint64_t> counts = both.key_counts();
    CHECK(counts[0] + counts[1] == 200);
    CHECK_THROWS_AS(ring->end_move(), std::logic_error);
}

TEST_CASE("migration: a move to groups that cannot be changes nothing", "[redis][errors]") {
    running_groups groups(1, 0);
    const auto ring = std::make_shared<placement>(groups.specs());
    client both(ring, {});
    CHECK(both.set("k", "v").is_done());
    mover moves(ring, {});
    auto twice = groups.specs();
    twice.push_back(twice.front());
    CHECK_THROWS_AS(moves.begin(twice), hashring::invalid_node);
    CHECK_FALSE(placement::use(*ring).is_moving());
    CHECK(both.get("k").value == "v");
}
