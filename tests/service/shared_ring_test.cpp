// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include <hashring/placement/xxh3.hpp>
#include <hashring/ring/node_marks.hpp>
#include <hashring/service/shared_ring.hpp>
#include <hashring/table/maglev.hpp>
#include <hashring/table/table.hpp>

#include <atomic>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using hashring::node_marks;
using hashring::node_spec;
using hashring::ring;
using hashring::shared_ring;
namespace schemes = hashring::schemes;
namespace detail = hashring::detail;
using std::chrono::milliseconds;

namespace {

// The nodes of version `v`: ten, of which one is of this version alone, and some weigh otherwise.
std::vector<node_spec> nodes_of(std::uint64_t v) {
    std::vector<node_spec> nodes;
    for (std::uint64_t i = 0; i < 9; ++i) {
        nodes.emplace_back("node-" + std::to_string(i), hashring::weight{1 + (v + i) % 3});
    }
    nodes.emplace_back("of-" + std::to_string(v));
    return nodes;
}

constexpr std::size_t asked_keys = 64;

std::string key_of(std::uint64_t i) {
    return "key-" + std::to_string(i % asked_keys);
}

// Who owns each of the keys in version `v`.
std::vector<std::string> owners_in(std::uint64_t v) {
    const ring<> alone(nodes_of(v));
    std::vector<std::string> owners;
    for (std::uint64_t i = 0; i < asked_keys; ++i) {
        owners.emplace_back(alone.owner(key_of(i))->name());
    }
    return owners;
}

struct seen {
    std::uint64_t looks = 0;
    std::uint64_t wrong = 0;    // an owner that is not that of its version
    std::uint64_t fell = 0;     // a version after a newer one
    std::uint64_t versions = 0; // how many were seen
};

// Looks up until `stop`, and compares with `expected`, by version modulo its size.
seen read_until(const std::atomic<bool>& stop, shared_ring<>::reader from,
                const std::vector<std::vector<std::string>>& expected) {
    seen all;
    std::uint64_t last = 0;
    for (std::uint64_t i = 0; !stop || all.looks == 0; ++i) {
        const auto answer = from.owner(key_of(i));
        const auto& owners = expected[answer.version % expected.size()];
        ++all.looks;
        all.wrong += answer.node->name() == owners[i % asked_keys] ? 0U : 1U;
        all.fell += answer.version < last ? 1U : 0U;
        all.versions += answer.version != last ? 1U : 0U;
        last = answer.version;
        if (i % 1000 == 999) {
            from.release(); // now and then it holds nothing
        }
    }
    return all;
}

// `readers` threads beside a writer at full speed for `time`.
void check_readers(std::size_t readers, milliseconds time) {
    constexpr std::uint64_t different = 7;
    std::vector<std::vector<std::string>> expected;
    std::vector<ring<>> rings;
    for (std::uint64_t v = 0; v < different; ++v) {
        expected.push_back(owners_in(v));
        rings.emplace_back(nodes_of(v));
    }
    shared_ring<> shared(rings[1]);
    std::atomic<bool> stop{false};
    std::vector<seen> found(readers);
    std::vector<std::thread> threads;
    for (seen& each : found) {
        threads.emplace_back([&, at = shared.read()]() mutable {
            each = read_until(stop, std::move(at), expected);
        });
    }
    const auto end = std::chrono::steady_clock::now() + time;
    std::uint64_t version = 1;
    while (std::chrono::steady_clock::now() < end) {
        version = shared.publish(rings[(version + 1) % different]);
    }
    stop = true;
    for (std::thread& each : threads) {
        each.join();
    }
    CHECK(version > 10);
    CHECK(shared.version() == version);
    std::uint64_t versions = 0;
    for (const seen& each : found) {
        CHECK(each.looks > 0);
        CHECK(each.wrong == 0);
        CHECK(each.fell == 0);
        versions += each.versions;
    }
    CHECK(versions > readers); // some saw a change
}

} // namespace

TEST_CASE("shared_ring: versions count from 1, and each has its ring", "[shared_ring]") {
    shared_ring<> shared;
    CHECK(shared.version() == 1);
    auto reader = shared.read();
    CHECK(reader.look().version == 1);
    CHECK(reader.look().ring.empty());
    CHECK_FALSE(reader.owner("k").node);
    CHECK(shared.publish(ring<>(nodes_of(2))) == 2);
    CHECK(reader.look().version == 2);
    CHECK(reader.look().ring == ring<>(nodes_of(2)));
    CHECK(shared.update([](ring<>& r) { r.remove("of-2"); }) == 3);
    CHECK(reader.look().ring.size() == 9);
    const auto answer = reader.owner("k");
    CHECK(answer.version == 3);
    CHECK(answer.node->name() == shared.newest()->ring.owner("k")->name());
}

TEST_CASE("shared_ring: a table is shared as a ring is", "[shared_ring]") {
    using table = hashring::table<hashring::schemes::maglev>;
    shared_ring<table> shared(table({"a", "b"}));
    auto reader = shared.read();
    CHECK(reader.owner("k").node->name() == table({"a", "b"}).owner("k")->name());
    shared.update([](table& t) { t.add("c"); });
    CHECK(reader.look().ring == table({"a", "b", "c"}));
}

TEST_CASE("shared_ring: every answer is that of the version that it names", "[shared_ring][law]") {
    check_readers(4, milliseconds(300));
}

TEST_CASE("shared_ring: the same by eight readers for half a minute", "[.long][shared_ring]") {
    check_readers(8, milliseconds(30'000));
}

TEST_CASE("shared_ring: writers take turns, and no change of one is lost", "[shared_ring][law]") {
    shared_ring<> shared;
    constexpr int each_adds = 50;
    std::vector<std::thread> writers;
    for (int w = 0; w < 3; ++w) {
        writers.emplace_back([&shared, w] {
            for (int i = 0; i < each_adds; ++i) {
                shared.update(
                    [&](ring<>& r) { r.add(std::to_string(w) + "-" + std::to_string(i)); });
            }
        });
    }
    for (std::thread& each : writers) {
        each.join();
    }
    CHECK(shared.newest()->ring.size() == 3 * each_adds);
    CHECK(shared.version() == 1 + 3 * each_adds);
}

TEST_CASE("shared_ring: nobody waits for a writer that is stopped in the middle of a change",
          "[shared_ring]") {
    shared_ring<> shared{ring<>(nodes_of(1))};
    auto before = shared.read();
    REQUIRE(before.look().version == 1);
    std::mutex held; // what the writer waits for
    std::atomic<bool> in_the_middle{false};
    std::unique_lock hold(held);
    std::thread writer([&] {
        shared.update([&](ring<>& r) {
            r.remove("node-1");
            in_the_middle = true;
            const std::lock_guard waits(held);
            r.remove("node-2");
        });
    });
    while (!in_the_middle) {
        std::this_thread::yield();
    }
    auto during = shared.read();
    int as_before = 0;
    for (int i = 0; i < 1000; ++i) { // each of these returns
        as_before += before.owner(key_of(1)).version == 1 && during.look().ring.size() == 10;
        before.release();
    }
    CHECK(as_before == 1000);
    CHECK(shared.newest()->version == 1);
    CHECK(shared.version() == 1);
    hold.unlock();
    writer.join();
    CHECK(before.look().version == 2);
    CHECK(during.look().ring.size() == 8); // both removals, or none
}

namespace {

// A payload whose end looks at the ring that it was on.
struct looks_at_its_end {
    shared_ring<ring<schemes::xxh3, std::shared_ptr<looks_at_its_end>>>* cluster = nullptr;
    std::atomic<std::uint64_t>* seen = nullptr;

    looks_at_its_end(decltype(cluster) whose, std::atomic<std::uint64_t>& result)
        : cluster(whose), seen(&result) {}
    looks_at_its_end(const looks_at_its_end&) = delete;
    looks_at_its_end& operator=(const looks_at_its_end&) = delete;
    ~looks_at_its_end() { *seen = cluster->newest()->version; }
};

} // namespace

TEST_CASE("shared_ring: what is freed may look at the ring itself", "[shared_ring][edge]") {
    std::atomic<std::uint64_t> seen{0};
    shared_ring<ring<schemes::xxh3, std::shared_ptr<looks_at_its_end>>> cluster;
    cluster.update([&](auto& r) {
        r.add(node_spec("a"), std::make_shared<looks_at_its_end>(&cluster, seen));
    });
    auto reader = cluster.read();
    CHECK(reader.look().version == 2);
    cluster.update([&](auto& r) { r.remove("a"); });
    CHECK(seen == 0); // the reader has it
    SECTION("when a reader moves on") {
        CHECK(reader.look().version == 3);
    }
    SECTION("when a reader lets go") {
        reader.release();
    }
    CHECK(seen == 3);
}

TEST_CASE("shared_ring: who looks after a publication sees it or a later one",
          "[shared_ring][law]") {
    shared_ring<> shared{ring<>(nodes_of(1))};
    std::atomic<bool> stop{false};
    std::vector<std::thread> others;
    for (int i = 0; i < 3; ++i) {
        others.emplace_back([reader = shared.read(), &stop]() mutable {
            while (!stop) {
                static_cast<void>(reader.look());
            }
        });
    }
    auto own = shared.read();
    int older = 0;
    for (int i = 0; i < 20'000; ++i) {
        const std::uint64_t version = shared.publish(ring<>());
        older += own.look().version < version ? 1 : 0;
        older += shared.newest()->version < version ? 1 : 0;
    }
    stop = true;
    for (std::thread& each : others) {
        each.join();
    }
    CHECK(older == 0);
}

TEST_CASE("shared_ring: marks travel with the ring that they are of", "[shared_ring]") {
    struct cluster {
        ring<> nodes;
        node_marks marks;
    };
    const ring<> two{"a", "b"};
    shared_ring<cluster> shared(cluster{two, node_marks(two.size())});
    auto reader = shared.read();
    shared.update([](cluster& c) { c.marks.mark_down(0); });
    shared.update([](cluster& c) {
        const ring<> before = c.nodes;
        c.nodes.add("0");
        c.marks = c.marks.carried_over(before, c.nodes);
    });
    const cluster& seen = reader.look().ring;
    CHECK(seen.nodes.size() == 3);
    CHECK_FALSE(seen.marks.is_up(seen.nodes.index_of("a")));
    CHECK(seen.marks.is_up(seen.nodes.index_of("0")));
    STATIC_REQUIRE_FALSE(std::copy_constructible<shared_ring<>>);
}

namespace {

// A mutex in which the writer is stopped at its `stop_at`-th lock, and holds it.
struct stopping_mutex {
    static inline std::atomic<int> stop_at{0};
    static inline std::atomic<bool> is_stopped{false};
    std::mutex own{};

    void lock() {
        own.lock();
        if (--stop_at == 0) {
            is_stopped = true;
            is_stopped.wait(true);
        }
    }
    bool try_lock() { return own.try_lock(); }
    void unlock() { own.unlock(); }
};

struct numbered_version {
    std::uint64_t version;
};

} // namespace

TEST_CASE("newest_version: wherever a writer is stopped, readers go on", "[shared_ring][law]") {
    detail::newest_version<numbered_version, stopping_mutex> newest;
    const auto put = [&](std::uint64_t n) {
        newest.put(std::make_shared<const numbered_version>(numbered_version{n}));
    };
    put(1);
    put(2);
    for (std::uint64_t n = 3; n < 9; ++n) {
        for (int at = 1; at <= 2; ++at) { // before it is said to be the newest, and after
            CAPTURE(n, at);
            stopping_mutex::stop_at = at;
            std::atomic<bool> is_done{false};
            std::thread writer([&] {
                put(n);
                is_done = true;
            });
            while (!stopping_mutex::is_stopped && !is_done) {
                std::this_thread::yield();
            }
            CHECK_FALSE(is_done);
            const std::uint64_t seen = at == 1 ? n - 1 : n;
            CHECK(newest.number() == seen);
            CHECK(newest.get()->version == seen);
            stopping_mutex::is_stopped = false;
            stopping_mutex::is_stopped.notify_all();
            writer.join();
            CHECK(newest.get()->version == n);
            n += at == 1 ? 1U : 0U;
        }
    }
}

TEST_CASE("shared_ring: an old version is freed when its last reader has moved on",
          "[shared_ring]") {
    shared_ring<> shared{ring<>(nodes_of(1))};
    auto moves_on = shared.read();
    auto idles = shared.read();
    static_cast<void>(moves_on.look());
    static_cast<void>(idles.look());
    const std::weak_ptr old = shared.newest();
    shared.publish(ring<>(nodes_of(2)));
    CHECK_FALSE(old.expired());
    static_cast<void>(moves_on.look());
    CHECK_FALSE(old.expired()); // the other one pins it
    SECTION("when it looks") {
        static_cast<void>(idles.look());
    }
    SECTION("when it lets go") {
        idles.release();
    }
    SECTION("when it ends") {
        const auto ends = std::move(idles);
    }
    CHECK(old.expired());
    CHECK(moves_on.look().version == 2);
}

TEST_CASE("shared_ring: a change that throws publishes nothing", "[shared_ring]") {
    shared_ring<> shared{ring<>(nodes_of(1))};
    CHECK_THROWS_AS(shared.update([](ring<>& r) {
        r.remove("node-1");
        throw std::runtime_error("stopped");
    }),
                    std::runtime_error);
    CHECK_THROWS_AS(shared.update([](ring<>& r) { r.add(""); }), hashring::invalid_node);
    CHECK(shared.version() == 1);
    CHECK(shared.newest()->ring == ring<>(nodes_of(1)));
    CHECK(shared.update([](ring<>& r) { r.remove("node-1"); }) == 2); // and the next one has a turn
}

TEST_CASE("shared_ring: a reader may outlive its ring", "[shared_ring]") {
    auto shared = std::make_unique<shared_ring<>>(ring<>(nodes_of(1)));
    auto reader = shared->read();
    shared.reset();
    CHECK(reader.owner(key_of(3)).node->name() == owners_in(1)[3]);
}
