// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/golden.hpp"
#include "support/mismatches.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace hashring;
using hashring::test::mismatches;
using schemes::anchor;

namespace {

std::vector<node_spec> numbered(std::size_t count, std::string_view prefix = "n") {
    std::vector<node_spec> nodes;
    for (std::size_t i = 0; i < count; ++i) {
        nodes.emplace_back(concat(prefix, decimal(i)));
    }
    return nodes;
}

// The paper's first form: for each bucket that stopped, the list of those that then worked.
class bucket_model {
public:
    explicit bucket_model(std::uint32_t capacity) : when_stopped_(capacity) {
        for (std::uint32_t i = 0; i < capacity; ++i) {
            working_.push_back(i);
        }
        while (!working_.empty()) {
            stop(working_.back());
        }
    }

    [[nodiscard]] const std::vector<std::uint32_t>& working() const { return working_; }

    void stop(std::uint32_t bucket) {
        before_.push_back(working_);
        stopped_.push_back(bucket);
        *std::find(working_.begin(), working_.end(), bucket) = working_.back();
        working_.pop_back();
        when_stopped_[bucket] = working_;
    }
    std::uint32_t start() {
        const std::uint32_t bucket = stopped_.back();
        stopped_.pop_back();
        working_ = before_.back();
        before_.pop_back();
        return bucket;
    }
    [[nodiscard]] std::uint32_t bucket_of(std::uint64_t hash) const {
        auto bucket =
            static_cast<std::uint32_t>(multiply(hash::mix(hash), when_stopped_.size()).high);
        while (std::count(working_.begin(), working_.end(), bucket) == 0) {
            const auto& then = when_stopped_[bucket];
            const std::uint64_t drawn = anchor_buckets::draw(hash, bucket);
            bucket = then[static_cast<std::size_t>(multiply(drawn, then.size()).high)];
        }
        return bucket;
    }

private:
    std::vector<std::uint32_t> working_;
    std::vector<std::uint32_t> stopped_;
    std::vector<std::vector<std::uint32_t>> before_; // what worked before each stop
    std::vector<std::vector<std::uint32_t>> when_stopped_;
};

// A random node joins or a random one leaves; what moved must be its own.
void change_and_compare(anchor_table<>& nodes, dice& random, mismatches& found, int step) {
    const anchor_table<> before = nodes;
    const std::string name = concat("n", decimal(random.below(12)));
    if (!nodes.remove(name)) {
        nodes.add(name);
    }
    for (std::uint64_t key = 0; key < 200; ++key) {
        const auto from = before.owner(key);
        const auto to = nodes.owner(key);
        const bool is_same = from.has_value() == to.has_value() && (!from || *from == *to);
        found.expect(is_same || (from && from->name() == name) || (to && to->name() == name), step,
                     key);
    }
}

// A payload that counts how often one is moved.
struct counting_moves {
    static inline std::size_t moves = 0;

    counting_moves() = default;
    counting_moves(counting_moves&& /*other*/) noexcept { ++moves; }
    counting_moves& operator=(counting_moves&& /*other*/) noexcept {
        ++moves;
        return *this;
    }
    ~counting_moves() = default;
};

// A payload that stays what it was made as.
struct unassignable {
    explicit unassignable(char first) : letter(first) {}
    unassignable(unassignable&&) noexcept = default;
    unassignable& operator=(unassignable&&) = delete;
    ~unassignable() = default;

    char letter;
};

} // namespace

TEST_CASE("anchor: owners and the fingerprint are those of a second implementation",
          "[table][golden]") {
    anchor_table<> nodes(numbered(12, ""), anchor(16));
    for (const char* gone : {"3", "11", "0", "7"}) {
        REQUIRE(nodes.remove(gone));
    }
    REQUIRE(nodes.add("late"));
    mismatches found;
    std::size_t of_late = 0;
    for (const std::string& line : golden::lines("table/anchor16.keys.tsv")) {
        const auto row = golden::fields(line);
        const std::string key = golden::unhex(row.at(0));
        found.compare(decimal(nodes.position(key)), row.at(1), row.at(0));
        found.compare(nodes.owner(key)->name(), row.at(2), row.at(0));
        of_late += row.at(2) == "late" ? 1U : 0U;
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(of_late > 0);
    const std::string line = concat("anchor-late\t", decimal(nodes.fingerprint()));
    const auto lines = golden::lines("table/fingerprints.tsv");
    CAPTURE(line);
    CHECK(std::count(lines.begin(), lines.end(), line) == 1);
}

TEST_CASE("anchor: the saved form is text that can be read", "[table][state][golden]") {
    anchor_table<> nodes({"cache-a", node_spec("cache b", weight{1}, "10.0.0.2:1"), "cache-c"},
                         anchor(8));
    nodes.remove("cache-a");
    nodes.remove("cache-c");
    const std::string text = "hashring anchor table 1\nscheme anchor\noption capacity 8\n"
                             "left 7 3\nleft 0 0\nleft 2 2\nnode cache%20b 1 10.0.0.2:1\n";
    CHECK(nodes.save() == concat(text, "end ", decimal(detail::checksum(text)), "\n"));
}

TEST_CASE("anchor: buckets are those of the paper's first form", "[table][law]") {
    const std::uint64_t seed = GENERATE(1U, 2U, 3U, 4U, 5U, 6U);
    CAPTURE(seed);
    dice random(seed);
    const auto capacity = static_cast<std::uint32_t>(1 + random.below(40));
    anchor_buckets buckets(capacity);
    bucket_model model(capacity);
    mismatches found;
    std::size_t stops = 0;
    for (int step = 0; step < 400; ++step) {
        const std::size_t size = model.working().size();
        if (size == 0 || (size < capacity && random.below(2) == 0)) {
            found.compare(buckets.start(), model.start(), step);
        } else {
            const std::uint32_t gone = model.working()[random.below(size)];
            buckets.stop(gone);
            model.stop(gone);
            ++stops;
        }
        found.compare(buckets.size(), model.working().size(), step);
        for (int i = 0; i < 20 && buckets.size() > 0; ++i) {
            const std::uint64_t hash = random.next();
            found.compare(buckets.bucket_of(hash), model.bucket_of(hash), step, i);
        }
        for (std::uint32_t bucket = 0; bucket < capacity; ++bucket) {
            const auto& working = model.working();
            found.compare(buckets.works(bucket),
                          std::count(working.begin(), working.end(), bucket) == 1, step, bucket);
        }
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(stops > 100);
}

TEST_CASE("anchor: a change moves keys from or to its node only", "[table][law]") {
    const std::uint64_t seed = GENERATE(1U, 2U, 3U, 4U);
    CAPTURE(seed);
    dice random(seed);
    anchor_table<> nodes({}, anchor(16));
    mismatches found;
    for (int step = 0; step < 200; ++step) {
        change_and_compare(nodes, random, found, step);
    }
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("anchor: who joins after a removal takes exactly what was left last", "[table][law]") {
    const anchor_table<> before(numbered(9));
    anchor_table<> after = before;
    CHECK(after.remove("n2"));
    CHECK(after.remove("n7"));
    CHECK(after.add("x"));
    CHECK(after.add("y"));
    mismatches found;
    for (std::uint64_t key = 0; key < 5000; ++key) {
        const std::string_view was = *before.owner(key);
        const std::string_view expected = was == "n7" ? "x" : was == "n2" ? "y" : was;
        found.compare(after.owner(key)->name(), expected, key);
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(after.buckets() == before.buckets());
}

TEST_CASE("anchor: the keys of who leaves go to all others evenly", "[table][law][balance]") {
    const anchor_table<> before(numbered(10), anchor(64));
    anchor_table<> after = before;
    after.remove("n4");
    std::vector<std::size_t> taken(after.size());
    std::size_t moved = 0;
    for (std::uint64_t key = 0; key < 100'000; ++key) {
        if (*before.owner(key) == "n4") {
            ++taken[after.owner_index_at(after.position(key))];
            ++moved;
        }
    }
    CHECK(moved > 9'600); // a tenth; four standard deviations are 380
    CHECK(moved < 10'400);
    const double fair = static_cast<double>(moved) / 9;
    double chi_square = 0;
    for (const std::size_t count : taken) {
        const double off = static_cast<double>(count) - fair;
        chi_square += off * off / fair;
    }
    CHECK(chi_square < 26.1); // 8 degrees of freedom, 1 in 1,000
}

TEST_CASE("anchor: all have the same share, also after many changes", "[table][law][balance]") {
    dice random(7);
    anchor_table<> nodes(numbered(20), anchor(50));
    for (int i = 0; i < 200; ++i) {
        nodes.remove(nodes.node(static_cast<std::uint32_t>(random.below(nodes.size()))).name());
        nodes.add(concat("m", decimal(i)));
        if (i % 40 == 39) {
            nodes.remove(nodes.node(0).name());
        }
    }
    REQUIRE(nodes.size() == 15);
    std::vector<std::size_t> keys(nodes.size());
    for (int i = 0; i < 150'000; ++i) {
        ++keys[nodes.owner_index_at(random.next())];
    }
    double chi_square = 0;
    for (const std::size_t count : keys) {
        const double off = static_cast<double>(count) - 10'000;
        chi_square += off * off / 10'000;
    }
    CHECK(chi_square < 36.1); // 14 degrees of freedom, 1 in 1,000
    CHECK(nodes.shares() == std::vector<double>(15, 1.0 / 15));
}

TEST_CASE("anchor: until somebody leaves it is the table of the list", "[table][law]") {
    const std::size_t count = GENERATE(0U, 1U, 2U, 30U, 64U);
    const anchor_table<> nodes(numbered(count), anchor(64));
    const table<anchor> list(numbered(count), anchor(64));
    mismatches found;
    dice random(count);
    for (int i = 0; i < 1000; ++i) {
        const std::uint64_t at = random.next();
        found.compare(nodes.owner_index_at(at), list.owner_index_at(at), i);
    }
    CHECK_NO_MISMATCHES(found);
    anchor_table<> one_by_one{anchor(64)};
    for (const node_spec& node : numbered(count)) {
        one_by_one.add(node);
    }
    CHECK(one_by_one == nodes);
    CHECK(one_by_one.fingerprint() == nodes.fingerprint());
}

TEST_CASE("anchor: the order of removals is a part of the value", "[table][law]") {
    anchor_table<> one(numbered(9));
    anchor_table<> other = one;
    one.remove("n2");
    one.remove("n5");
    other.remove("n5");
    other.remove("n2");
    CHECK_FALSE(one == other);
    CHECK(one.fingerprint() != other.fingerprint());
    one.add("n5");
    one.add("n2");
    CHECK(one == anchor_table<>(numbered(9))); // each is back in its bucket
    CHECK(one.fingerprint() == anchor_table<>(numbered(9)).fingerprint());
}

TEST_CASE("anchor: what was saved is loaded equal and goes on alike", "[table][state][law]") {
    const std::uint64_t seed = GENERATE(1U, 2U, 3U);
    CAPTURE(seed);
    dice random(seed);
    anchor_table<> here({}, anchor(16));
    mismatches found;
    for (int step = 0; step < 60; ++step) {
        auto there = anchor_table<>::load(here.save());
        found.expect(there == here && there.save() == here.save(), "loaded", step);
        found.compare(there.fingerprint(), here.fingerprint(), step);
        dice same(random);
        change_and_compare(here, random, found, step);
        change_and_compare(there, same, found, step);
        found.expect(there == here, "changed", step);
    }
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("anchor: assigning a list moves keys of who left and to who came only", "[table][law]") {
    anchor_table<> nodes(numbered(8));
    const anchor_table<> before = nodes;
    nodes.assign({"n0", "n9", "n2", node_spec("n3", weight{1}, "10.0.0.3"), "n5", "n6", "n7"});
    CHECK(nodes.size() == 7);
    CHECK(nodes.find("n3")->address() == "10.0.0.3");
    mismatches found;
    for (std::uint64_t key = 0; key < 2000; ++key) {
        const std::string_view from = *before.owner(key);
        const std::string_view to = *nodes.owner(key);
        found.expect((from == "n1" || from == "n4") ? true : from == to || to == "n9", key);
        found.expect(from != "n1" || to == "n9", key); // the bucket that was left last
    }
    CHECK_NO_MISMATCHES(found);
    anchor_table<> same = nodes;
    same.assign({"n7", "n6", "n5", "n3", "n2", "n9", "n0"});
    CHECK(same == nodes);
    nodes.assign({});
    CHECK(nodes.empty());
    CHECK_FALSE(nodes.owner("k"));
}

// Leaving one after the other, they would be moved 1,000 times each.
TEST_CASE("anchor: however many leave and join at once, who stays is moved a few times",
          "[table][law]") {
    constexpr std::size_t count = 2000;
    anchor_table<anchor, counting_moves> nodes(numbered(count), anchor(2 * count));
    std::vector<node_spec> others;
    for (std::size_t i = 1; i < count; i += 2) {
        others.emplace_back(concat("n", decimal(i)));
    }
    counting_moves::moves = 0;
    nodes.assign(others);
    CHECK(nodes.size() == count / 2);
    CHECK(counting_moves::moves <= count);
    counting_moves::moves = 0;
    nodes.assign(numbered(count, "m"));
    CHECK(nodes.size() == count);
    CHECK(counting_moves::moves <= 8 * count); // into the list of who joins, as it grows, too
}

// By the events one after the other, which is what a list stands for.
TEST_CASE("anchor: assigning a list is to leave, the last bucket first, and then to join",
          "[table][law]") {
    const std::uint64_t seed = GENERATE(1U, 2U, 3U, 4U);
    CAPTURE(seed);
    dice random(seed);
    auto names = node_names(30, seed);
    anchor_table<> at_once{anchor(24)};
    anchor_table<> one_by_one = at_once;
    mismatches found;
    for (int step = 0; step < 60; ++step) {
        random.shuffle(names);
        const std::vector<std::string> list(names.begin(),
                                            names.begin() + static_cast<int>(random.below(25)));
        at_once.assign(list);
        for (std::uint32_t i = static_cast<std::uint32_t>(one_by_one.size()); i-- > 0;) {
            const std::string name(one_by_one.node(i).name());
            if (std::count(list.begin(), list.end(), name) == 0) {
                one_by_one.remove(name);
            }
        }
        for (const std::string& name : list) {
            one_by_one.add(name);
        }
        found.expect(at_once == one_by_one, "equal", step);
        found.compare(at_once.fingerprint(), one_by_one.fingerprint(), step);
        for (std::uint32_t i = 0; i < list.size(); ++i) {
            found.compare(at_once.bucket_of(i), one_by_one.bucket_of(i), step, i);
        }
        for (int i = 0; i < 50 && !list.empty(); ++i) {
            const std::uint64_t at = random.next();
            found.compare(at_once.owner_at(at)->name(), one_by_one.owner_at(at)->name(), step);
        }
    }
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("anchor: a table that all have left, the last first, equals a fresh one",
          "[table][state][law]") {
    const anchor_table<> fresh(anchor(8));
    anchor_table<> left = fresh;
    const auto check_fresh = [&] {
        CHECK(left == fresh);
        CHECK(left.fingerprint() == fresh.fingerprint());
        CHECK(left.save() == fresh.save());
        CHECK(left.buckets() == fresh.buckets());
        CHECK(differences(left, fresh).empty());
        CHECK_FALSE(left.owner("k"));
    };
    left.add("x");
    left.remove("x");
    check_fresh();
    left.add({"x", "y", "z"});
    left.assign({});
    check_fresh();
    left.add({"x", "y"});
    left.remove("x");
    left.remove("y");
    CHECK_FALSE(left == fresh); // the next one joins another bucket
    CHECK(left.fingerprint() != fresh.fingerprint());
    CHECK(differences(left, fresh).size() == 1);
    CHECK(anchor_table<>::load(left.save()) == left);
    left.add({"y", "x"});
    left.assign({});
    check_fresh();
    std::string text = "hashring anchor table 1\nscheme anchor\noption capacity 8\nleft 7 0\n";
    text += concat("end ", decimal(detail::checksum(text)), "\n");
    left = anchor_table<>::load(text);
    check_fresh();
}

TEST_CASE("anchor: all of small tables, against every order of removals", "[table][law][edge]") {
    mismatches found;
    for (std::uint32_t capacity = 1; capacity <= 4; ++capacity) {
        std::vector<std::uint32_t> order;
        for (std::uint32_t i = 0; i < capacity; ++i) {
            order.push_back(i);
        }
        do {
            anchor_buckets buckets(capacity);
            while (!buckets.is_full()) {
                buckets.start();
            }
            for (std::size_t gone = 0; gone + 1 < capacity; ++gone) {
                std::vector<std::uint32_t> was;
                for (std::uint64_t h = 0; h < 256; ++h) {
                    was.push_back(buckets.bucket_of(h << 56U));
                }
                buckets.stop(order[gone]);
                for (std::uint64_t h = 0; h < 256; ++h) {
                    const std::uint32_t now = buckets.bucket_of(h << 56U);
                    found.expect(buckets.works(now) && (was[h] == order[gone] || now == was[h]),
                                 capacity, gone, h);
                }
            }
        } while (std::next_permutation(order.begin(), order.end()));
    }
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("anchor: empty, full, and empty again", "[table][edge]") {
    anchor_table<> nodes{anchor(2)};
    CHECK_FALSE(nodes.owner("k"));
    CHECK(nodes.save() == anchor_table<>(anchor(2)).save());
    CHECK(anchor_table<>({"a"}, anchor(1000)).buckets().bytes() == 20'000);
    CHECK(nodes.add("a"));
    CHECK_FALSE(nodes.add("a"));
    CHECK(nodes.add("b"));
    CHECK_THROWS_AS(nodes.add("c"), invalid_point_count);
    CHECK_FALSE(nodes.add("b"));
    CHECK(nodes.remove("a"));
    CHECK_FALSE(nodes.remove("a"));
    CHECK(nodes.owner("k")->name() == "b");
    CHECK(nodes.remove("b"));
    CHECK_FALSE(nodes.owner("k"));
    CHECK(nodes.add("c"));
    CHECK(nodes.bucket_of(0) == 1);
    CHECK(nodes.owner("k")->name() == "c");
    const anchor_table<> moved = std::move(nodes);
    nodes = anchor_table<>(anchor(2));
    CHECK(nodes.add("d"));
    CHECK(moved.owner("k")->name() == "c");
}

TEST_CASE("anchor: what was moved from is an empty table", "[table][edge]") {
    anchor_table<> nodes{"a", "b"};
    const anchor_table<> taken(std::move(nodes));
    CHECK(taken.size() == 2);
    CHECK(nodes.empty()); // NOLINT(bugprone-use-after-move): it is specified
    CHECK(nodes == anchor_table<>());
    CHECK(nodes.add("c"));
    CHECK(nodes.owner("k")->name() == "c");
}

TEST_CASE("anchor: another node in a node's place takes over exactly its keys", "[table][law]") {
    const anchor_table<> before(numbered(5));
    anchor_table<> after = before;
    CHECK(after.replace("n2", "new"));
    CHECK_FALSE(after.replace("n2", "newer"));
    CHECK_THROWS_AS(after.replace("n3", "n0"), invalid_node);
    CHECK_THROWS_AS(after.replace("n3", node_spec("x", weight{2})), invalid_weight);
    mismatches found;
    for (std::uint64_t key = 0; key < 2000; ++key) {
        const std::string_view was = *before.owner(key);
        found.compare(after.owner(key)->name(), was == "n2" ? "new" : was, key);
    }
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("anchor: payloads stay with their nodes", "[table][payload]") {
    anchor_table<anchor, std::unique_ptr<int>> nodes;
    nodes.add("a", std::make_unique<int>(1));
    nodes.add("b", std::make_unique<int>(2));
    nodes.add("c", std::make_unique<int>(3));
    nodes.remove("a");
    nodes.assign(std::vector<node_spec>{"c", "d", "b"}, [](const node_spec& node) {
        return std::make_unique<int>(static_cast<int>(node.name[0]));
    });
    CHECK(*nodes.find("b")->payload() == 2);
    CHECK(*nodes.find("c")->payload() == 3);
    CHECK(*nodes.find("d")->payload() == 'd');
    CHECK(nodes.bucket_of(nodes.index_of("d")) == 0);
}

TEST_CASE("anchor: a payload need not be assignable", "[table][payload]") {
    anchor_table<anchor, unassignable> nodes;
    nodes.add("a", unassignable('a'));
    nodes.add("b", unassignable('b'));
    nodes.add("c", unassignable('c'));
    CHECK(nodes.remove("a"));
    CHECK(nodes.replace("b", "d", unassignable('d')));
    nodes.assign(std::vector<node_spec>{"e", "c", "d"},
                 [](const node_spec& node) { return unassignable(node.name[0]); });
    for (const char* name : {"c", "d", "e"}) {
        CHECK(nodes.find(name)->payload().letter == name[0]);
    }
    const auto loaded = anchor_table<anchor, unassignable>::load(
        nodes.save(), [](const node_spec& node) { return unassignable(node.name[0]); });
    CHECK(loaded == nodes);
    CHECK(loaded.find("d")->payload().letter == 'd');
}

TEST_CASE("anchor: what cannot be is refused and changes nothing", "[table][error]") {
    const anchor_table<> before(numbered(3), anchor(4));
    anchor_table<> nodes = before;
    CHECK_THROWS_AS(nodes.add(""), invalid_node);
    CHECK_THROWS_AS(nodes.add({"x", "x"}), invalid_node);
    CHECK_THROWS_AS(nodes.add({"x", "y"}), invalid_point_count);
    CHECK_THROWS_AS(nodes.add(node_spec("x", weight{0})), invalid_weight);
    CHECK_THROWS_AS(nodes.add(node_spec("x", weight{1}, "", 3)), invalid_point_count);
    CHECK_THROWS_AS(nodes.assign(numbered(5)), invalid_point_count);
    CHECK_THROWS_AS(nodes.assign({"a", "a"}), invalid_node);
    CHECK(nodes == before);
    CHECK_THROWS_AS(table<anchor>(numbered(5), anchor(4)), invalid_point_count);
    table<anchor> list(numbered(3));
    CHECK_THROWS_AS(list.remove("n0"), invalid_removal);
    CHECK(list.remove("n2"));
    STATIC_REQUIRE(removes_any<anchor_table<>>);
    STATIC_REQUIRE_FALSE(removes_any<table<anchor>>);
}

TEST_CASE("anchor: a capacity is from 1 to 2^24", "[table][error]") {
    CHECK_THROWS_AS(anchor(0), invalid_option);
    CHECK_THROWS_AS(anchor(16'777'217), invalid_option);
    CHECK(anchor(16'777'216).get("capacity") == "16777216");
    anchor scheme;
    CHECK(scheme.get("capacity") == "1024");
    scheme.set("capacity", "7");
    CHECK(scheme == anchor(7));
    CHECK_THROWS_AS(scheme.set("capacity", "7x"), invalid_option);
    CHECK_THROWS_AS(scheme.set("size", "7"), invalid_option);
    CHECK_THROWS_AS(scheme.get("size"), invalid_option);
}

TEST_CASE("anchor: a damaged or foreign text is an error that names the line",
          "[table][state][error]") {
    const auto line_of = [](std::string lines) {
        lines += concat("end ", decimal(detail::checksum(lines)), "\n");
        try {
            static_cast<void>(anchor_table<>::load(lines));
        } catch (const invalid_state& error) {
            return error.line();
        }
        return std::size_t{0};
    };
    const std::string head = "hashring anchor table 1\nscheme anchor\noption capacity 3\n";
    CHECK(line_of(head + "left 2 1\nnode a 1\n") == 0);
    CHECK(line_of(head + "left 2 0\n") == 0);
    CHECK(line_of(head) == 0);
    CHECK(line_of("hashring exact ring 1\n") == 1);
    CHECK(line_of("hashring anchor table 2\n") == 1);
    CHECK(line_of("hashring anchor table 1\nscheme maglev\n") == 2);
    CHECK(line_of("hashring anchor table 1\nscheme anchor\noption capacity 0\n") == 3);
    CHECK(line_of(head + "left 3 1\nnode a 1\n") == 4);
    CHECK(line_of(head + "left 1 2\nnode a 1\n") == 4);
    CHECK(line_of(head + "left 2 1\nleft 1 1\nnode a 1\n") == 5);
    CHECK(line_of(head + "left 2 1\n") == 4);
    CHECK(line_of(head + "left 2 1\nnode a 1\nnode b 1\n") == 6);
    CHECK(line_of(head + "left 2 1\nnode a 2\n") == 5);
    CHECK(line_of(head + "left 2 2\nnode a 1\nnode a 1\n") == 6);
    CHECK(line_of(head + "left 2 1\nnode a 1\nvnodes 3\n") == 6);
    CHECK_THROWS_AS(anchor_table<>::load(head + "left 2 1\nnode a 1\nend 1\n"), invalid_state);
}
