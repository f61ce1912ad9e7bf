// SPDX-License-Identifier: MIT
#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace hashring;

namespace {

// Highest random weight, the smallest scheme of a table that there can be: any node may leave, a
// weight above 0 is as good as another.
struct highest {
    using position_type = std::uint64_t;
    using built_type = std::vector<std::uint64_t>;

    static constexpr std::string_view name = "highest";
    static constexpr std::string_view summary = "highest random weight";
    static constexpr std::string_view key_rule = "murmur64a of the key";
    static constexpr std::string_view node_rule = "murmur64a of the name; 0 for a weight of 0";
    static constexpr std::string_view owner_rule = "the highest mix(node ^ key)";
    static constexpr bool order_matters = false;
    static constexpr bool takes_weights = true;
    static constexpr bool removes_any = true;

    static constexpr std::array<scheme_option, 0> options() { return {}; }
    void set(std::string_view, std::string_view) {}
    std::string get(std::string_view) const { return {}; }

    std::uint64_t position(std::string_view key) const noexcept { return hash::murmur64a{}(key); }
    built_type build(std::span<const placed_node> nodes) const {
        built_type built;
        for (const placed_node& node : nodes) {
            built.push_back(node.weight == weight{0} ? 0 : hash::murmur64a{1}(node.name));
        }
        return built;
    }
    std::uint32_t owner_of(const built_type& built, std::uint64_t position) const noexcept {
        std::uint32_t best = no_node;
        std::uint64_t most = 0;
        for (std::uint32_t i = 0; i < built.size(); ++i) {
            const std::uint64_t score = hash::mix(built[i] ^ position);
            if (built[i] != 0 && score >= most) {
                most = score;
                best = i;
            }
        }
        return best;
    }

    friend bool operator==(const highest&, const highest&) = default;
};

// A small table, as some tests build hundreds.
struct small_maglev : schemes::maglev {
    small_maglev() : schemes::maglev(1009) {}
    friend bool operator==(const small_maglev&, const small_maglev&) = default;
};

// Points enough that all nodes have about as many keys.
struct dense_probe : schemes::multi_probe {
    dense_probe() { set("vnodes", "160"); }
    friend bool operator==(const dense_probe&, const dense_probe&) = default;
};

template <class Payload>
using paid_maglev = table<small_maglev, Payload>;
using jump_xxh3 = schemes::jump_by<hash::xxh3>;

std::vector<node_spec> specs(const std::vector<std::string>& names) {
    return {names.begin(), names.end()};
}

template <class L>
std::vector<std::string> names_of(const L& l) {
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < l.size(); ++i) {
        names.emplace_back(l.node(i).name());
    }
    return names;
}

// A program that knows no more than the concept.
template <node_lookup L>
std::string first_owner(const std::vector<node_spec>& nodes) {
    const L l(nodes);
    const auto owner = l.owner("user:42");
    return owner ? std::string(*owner) : "-";
}

} // namespace

#define HASHRING_TABLES                                                                            \
    table<small_maglev>, table<schemes::jump>, table<jump_xxh3>, table<highest>,                   \
        table<schemes::rendezvous>, table<dense_probe>, table<schemes::anchor>
#define HASHRING_LISTS ring<>, ring<schemes::murmur_shard>, HASHRING_TABLES
#define HASHRING_LOOKUPS HASHRING_LISTS, anchor_table<>

TEMPLATE_TEST_CASE("lookup: rings and tables take each other's place", "[table]",
                   HASHRING_LOOKUPS) {
    STATIC_REQUIRE(node_lookup<TestType>);
    STATIC_REQUIRE(std::regular<TestType>);
    CHECK(first_owner<TestType>({}) == "-");
    CHECK(first_owner<TestType>({"a"}) == "a");
}

TEST_CASE("lookup: a payload does not make another concept of it", "[table][payload][small]") {
    STATIC_REQUIRE(node_lookup<ring<schemes::xxh3, std::unique_ptr<int>>>);
    STATIC_REQUIRE(node_lookup<paid_maglev<std::unique_ptr<int>>>);
    STATIC_REQUIRE(std::movable<paid_maglev<std::unique_ptr<int>>>);
    STATIC_REQUIRE_FALSE(std::copyable<paid_maglev<std::unique_ptr<int>>>);
    STATIC_REQUIRE_FALSE(node_lookup<std::vector<std::string>>);
    STATIC_REQUIRE(slotted_scheme<schemes::maglev>);
    STATIC_REQUIRE_FALSE(slotted_scheme<schemes::jump>);
}

TEST_CASE("lookup: what it cannot do can be asked", "[table]") {
    STATIC_REQUIRE(takes_weights<ring<>>);
    STATIC_REQUIRE(takes_weights<table<schemes::maglev>>);
    STATIC_REQUIRE_FALSE(takes_weights<table<schemes::jump>>);
    STATIC_REQUIRE(removes_any<ring<>>);
    STATIC_REQUIRE(removes_any<table<schemes::maglev>>);
    STATIC_REQUIRE_FALSE(removes_any<table<schemes::jump>>);
}

TEMPLATE_TEST_CASE("lookup: every way to look a key up gives the same node", "[table][law]",
                   HASHRING_LOOKUPS) {
    const TestType l(specs(node_names(12, 1)));
    hashring::test::mismatches found;
    for (std::uint64_t key = 0; key < 500; ++key) {
        const auto owner = l.owner(key);
        const auto position = l.position(key);
        found.expect(owner->is_same_member(*l.owner_at(position)), key);
        found.expect(owner->is_same_member(l.node(l.owner_index_at(position))), key);
        found.expect(owner->is_same_member(*l.find(owner->name())), key);
    }
    CHECK_NO_MISMATCHES(found);
}

TEMPLATE_TEST_CASE("lookup: every node has keys, and none far too many", "[table][law]",
                   HASHRING_LOOKUPS) {
    const TestType l(specs(node_names(10, 2)));
    std::vector<int> count(l.size());
    for (std::uint64_t key = 0; key < 20'000; ++key) {
        ++count[l.index_of(l.owner(key)->name())];
    }
    const bool is_a_ring = requires { l.point_count(); };
    const int spread = is_a_ring ? 700 : 200; // of 2,000; tables have the noise of the keys alone
    CHECK(*std::min_element(count.begin(), count.end()) > 2'000 - spread);
    CHECK(*std::max_element(count.begin(), count.end()) < 2'000 + spread);
}

TEMPLATE_TEST_CASE("lookup: a new node moves little but what it takes", "[table][law]", ring<>,
                   HASHRING_TABLES, anchor_table<>) {
    const TestType before(specs(node_names(9, 3)));
    TestType after = before;
    REQUIRE(after.add("new"));
    int taken = 0;
    int others = 0;
    for (std::uint64_t key = 0; key < 20'000; ++key) {
        const std::string_view from = *before.owner(key);
        const std::string_view to = *after.owner(key);
        taken += to == "new" ? 1 : 0;
        others += from != to && to != "new" ? 1 : 0;
    }
    CHECK(taken > 1'600);
    CHECK(taken < 2'400);
    constexpr bool is_maglev = std::same_as<TestType, table<small_maglev>>;
    CHECK(others <= (is_maglev ? 800 : 0));
    CHECK(others >= (is_maglev ? 1 : 0));
}

// A plain list of names beside each, which says what must have come out.
TEMPLATE_TEST_CASE("lookup: its history does not matter", "[table][law]", HASHRING_LISTS) {
    const std::uint64_t seed = GENERATE(1U, 2U);
    CAPTURE(seed);
    dice random(seed);
    const auto pool = node_names(8, seed);
    std::vector<std::string> list;
    TestType l;
    hashring::test::mismatches found;
    for (int step = 0; step < 60; ++step) {
        const std::string& name = random.pick(pool);
        const auto at = std::find(list.begin(), list.end(), name);
        switch (random.below(4)) {
        case 0:
        case 1:
            found.compare(l.add(node_spec(name)), at == list.end(), "add", step);
            if (at == list.end()) {
                list.push_back(name);
            }
            break;
        case 2:
            if (removes_any<TestType> || at == list.end() || at + 1 == list.end()) {
                found.compare(l.remove(name), at != list.end(), "remove", step);
                std::erase(list, name);
            }
            break;
        default:
            list = pool;
            random.shuffle(list);
            list.resize(random.below(6));
            l.assign(specs(list));
            break;
        }
        auto want = list;
        if (!TestType::scheme_type::order_matters) {
            std::sort(want.begin(), want.end());
        }
        const TestType fresh(specs(list));
        found.expect(names_of(l) == want, step);
        found.expect(l == fresh && l.fingerprint() == fresh.fingerprint(), step);
        found.compare(l.placed_count(), list.size(), step);
        found.compare(l.empty(), list.empty(), step);
        found.compare(l.contains(name), std::count(list.begin(), list.end(), name) > 0, step);
        for (std::uint64_t key = 0; key < 8; ++key) {
            found.compare(l.owner_index_at(l.position(key)),
                          fresh.owner_index_at(fresh.position(key)), step, key);
        }
    }
    CHECK_NO_MISMATCHES(found);
}

TEMPLATE_TEST_CASE("lookup: the order of the list matters where it says so", "[table][law]",
                   HASHRING_LOOKUPS) {
    auto names = node_names(6, 4);
    const TestType forward(specs(names));
    std::reverse(names.begin(), names.end());
    const TestType backward(specs(names));
    CHECK((forward == backward) != TestType::scheme_type::order_matters);
    CHECK((forward.fingerprint() == backward.fingerprint()) !=
          TestType::scheme_type::order_matters);
}

TEMPLATE_TEST_CASE("lookup: names decide who is equal", "[table][law]", HASHRING_LOOKUPS) {
    const TestType one{"a", "b"};
    CHECK_FALSE(one == TestType{"a", "c"});
    CHECK_FALSE(one == TestType{"a"});
    CHECK(one.fingerprint() != TestType{"a", "c"}.fingerprint());
    CHECK(one.fingerprint() != TestType().fingerprint());
    CHECK(one == TestType{node_spec("a", {}, "addr"), "b"});
}

TEMPLATE_TEST_CASE("lookup: weights are kept, and 0 owns nothing", "[table]", ring<>,
                   table<small_maglev>, table<highest>, table<schemes::rendezvous>,
                   table<dense_probe>) {
    TestType l{"a", node_spec("b", weight{3})};
    REQUIRE(l.add("c", weight{0}));
    CHECK(l.find("b")->weight() == weight{3});
    CHECK(l.size() == 3);
    CHECK(l.placed_count() == 2);
    hashring::test::mismatches found;
    for (std::uint64_t key = 0; key < 500; ++key) {
        found.expect(*l.owner(key) != "c", key);
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(l.set_weight("c", weight{2}));
    CHECK(l.placed_count() == 3);
    CHECK_FALSE(l.set_weight("d", weight{2}));
    CHECK(l.set_weight("a", weight{0}));
    CHECK(l == TestType{node_spec("b", weight{3}), node_spec("c", weight{2}),
                        node_spec("a", weight{0})});
    CHECK_FALSE(l == TestType{node_spec("b", weight{3}), node_spec("c", weight{1}),
                              node_spec("a", weight{0})});
}

TEMPLATE_TEST_CASE("lookup: one without nodes is an answer", "[table][edge]", HASHRING_LOOKUPS) {
    const TestType l;
    CHECK_FALSE(l.owner("k"));
    CHECK_FALSE(l.owner(""));
    CHECK_FALSE(l.owner_at(0));
    CHECK_FALSE(l.owner_at(static_cast<typename TestType::position_type>(-1)));
    CHECK(l.owner_index_at(7) == no_node);
    CHECK(l.index_of("a") == no_node);
    CHECK_FALSE(l.find("a"));
    CHECK_FALSE(l.contains(""));
    CHECK(l.empty());
    CHECK(l.size() == 0);
    CHECK(l.placed_count() == 0);
}

TEMPLATE_TEST_CASE("lookup: one node owns everything", "[table][edge]", HASHRING_LOOKUPS) {
    using position = typename TestType::position_type;
    const TestType l{"only"};
    CHECK(*l.owner("") == "only");
    CHECK(*l.owner_at(0) == "only");
    CHECK(*l.owner_at(static_cast<position>(-1)) == "only");
    CHECK(l.owner_index_at(static_cast<position>(position{1} << (sizeof(position) * 8 - 1))) == 0);
}

TEMPLATE_TEST_CASE("lookup: one moved from has no nodes", "[table][edge]", HASHRING_LOOKUPS) {
    TestType l{"a", "b"};
    TestType taken = std::move(l);
    CHECK(l.empty());
    CHECK_FALSE(l.owner("k"));
    CHECK(l.placed_count() == 0);
    CHECK(taken.size() == 2);
    TestType assigned{"x"};
    assigned = std::move(taken);
    CHECK_FALSE(taken.owner("k"));
    CHECK(assigned == TestType{"a", "b"});
    CHECK(l.add("c"));
    CHECK(*l.owner("k") == "c");
}

TEMPLATE_TEST_CASE("lookup: copies are independent", "[table][edge]", HASHRING_LOOKUPS) {
    TestType l{"a", "b"};
    TestType copy = l;
    copy.add("c");
    CHECK(l == TestType{"a", "b"});
    CHECK(copy.size() == 3);
    l = copy;
    CHECK(l.remove("c"));
    CHECK(copy.contains("c"));
    const TestType& self = copy;
    copy = self;
    CHECK(copy.size() == 3);
}

TEMPLATE_TEST_CASE("lookup: it allocates nothing", "[table]", HASHRING_LOOKUPS) {
    const TestType l(specs(node_names(20, 5)));
    STATIC_REQUIRE(noexcept(l.owner(std::declval<const std::string_view&>())));
    STATIC_REQUIRE(noexcept(l.owner(std::uint64_t{7})));
    std::size_t sum = 0;
    const auto used = allocations_of([&] {
        for (std::uint64_t key = 0; key < 100; ++key) {
            sum += l.owner(key)->name().size();
            sum += l.owner_index_at(l.position(key));
        }
        sum += l.index_of("s5-node-3") + (l.contains("x") ? 1 : 0);
    });
    CHECK(used.count == 0);
    CHECK(sum > 0);
}

TEMPLATE_TEST_CASE("table: any range of names will do", "[table]", HASHRING_TABLES) {
    const std::vector<std::string> names{"x", "y", "z"};
    const TestType first(names);
    TestType second;
    CHECK(second.add(names | std::views::filter([](const std::string& n) { return n != "y"; })) ==
          2);
    CHECK(second.add(first.node(1)));
    CHECK(second.add({"x", "w"}) == 1);
    CHECK(second.size() == 4);
    second.assign(names);
    CHECK(second == first);
    second.assign({"p", "q"});
    CHECK(second == TestType{"p", "q"});
}

TEMPLATE_TEST_CASE("table: a payload comes with its node and stays with it", "[table][payload]",
                   paid_maglev<std::string>, (table<schemes::jump, std::string>),
                   (anchor_table<schemes::anchor, std::string>)) {
    TestType l;
    CHECK(l.add("b", "addr 1"));
    CHECK(l.add("c", "addr 2"));
    CHECK_FALSE(l.add("b", "addr 9"));
    CHECK(l.add("a", "addr 0")); // before the others where names decide
    CHECK(l.find("a")->payload() == "addr 0");
    CHECK(l.find("b")->payload() == "addr 1");
    CHECK(l.owner("k")->payload() == l.find(l.owner("k")->name())->payload());
    CHECK(l.exchange_payload("c", "addr 3") == "addr 2");
    *l.payload("c") += "!";
    CHECK(l.find("c")->payload() == "addr 3!");
    CHECK(l.payload("x") == nullptr);
    std::vector<std::string> asked;
    l.assign(std::vector<std::string>{"d", "c", "e"}, [&](const node_spec& node) {
        asked.push_back(node.name);
        return "new " + node.name;
    });
    CHECK(asked == std::vector<std::string>{"d", "e"});
    CHECK(l.find("c")->payload() == "addr 3!");
    CHECK(l.find("e")->payload() == "new e");
    auto names = names_of(l);
    std::sort(names.begin(), names.end());
    CHECK(names == std::vector<std::string>{"c", "d", "e"});
    CHECK_THROWS_AS(l.exchange_payload("x", "y"), unknown_node);
}

TEMPLATE_TEST_CASE("table: of a long list in any order each node is found by its name",
                   "[table][payload][law]", (table<schemes::jump, std::string>),
                   (anchor_table<schemes::anchor, std::string>),
                   (table<schemes::rendezvous, std::string>),
                   (ring<schemes::murmur_shard, std::string>),
                   (ring<compat::twemproxy, std::string>)) {
    const std::uint64_t seed = GENERATE(1U, 2U, 3U);
    CAPTURE(seed);
    dice random(seed);
    auto names = node_names(60, seed);
    TestType l;
    hashring::test::mismatches found;
    for (int step = 0; step < 10; ++step) {
        random.shuffle(names);
        const std::vector<std::string> list(names.begin(), names.begin() + 40);
        std::vector<std::string> fresh;
        for (const std::string& name : list) {
            if (!l.contains(name)) {
                fresh.push_back(name);
            }
        }
        std::vector<std::string> made;
        static_cast<void>(l.assign(list, [&](const node_spec& node) {
            made.push_back(node.name);
            return node.name;
        }));
        found.expect(made == fresh, "made", step);
        found.compare(l.size(), list.size(), step);
        for (const std::string& name : list) {
            found.expect(l.contains(name) && l.find(name)->payload() == name, name, step);
        }
        TestType more = l;
        found.compare(more.add(names), names.size() - list.size(), step);
        found.compare(more.add(names), std::size_t{0}, step);
        found.compare(more.size(), names.size(), step);
    }
    CHECK_NO_MISMATCHES(found);
}

TEMPLATE_TEST_CASE("table: a change that is refused changes nothing", "[table][error]",
                   HASHRING_TABLES, anchor_table<>) {
    const TestType before{"a", "b"};
    TestType l = before;
    CHECK_THROWS_AS(l.add(""), invalid_node);
    CHECK_THROWS_AS(l.add({"c", ""}), invalid_node);
    CHECK_THROWS_AS(l.add({"c", "d", "c"}), invalid_node);
    CHECK_THROWS_AS(l.assign({"c", "c"}), invalid_node);
    CHECK_THROWS_AS(l.add(node_spec("c", {}, {}, 3)), invalid_point_count);
    CHECK_THROWS_AS(l.assign({node_spec("a", {}, {}, 0)}), invalid_point_count);
    CHECK_THROWS_AS((TestType{"a", "a"}), invalid_node);
    const auto no_connection = [](const node_spec&) -> no_payload {
        throw std::runtime_error("no connection");
    };
    CHECK_THROWS_AS(l.assign(std::vector<std::string>{"a", "c"}, no_connection),
                    std::runtime_error);
    CHECK(l == before);
    CHECK(l.fingerprint() == before.fingerprint());
}

TEST_CASE("table: more nodes than it holds are refused", "[table][error][B88][small]") {
    CHECK_NOTHROW(detail::check_node_count(max_points));
    CHECK_THROWS_AS(detail::check_node_count(max_points + std::size_t{1}), invalid_point_count);
}

namespace {

template <class L>
concept takes_replacements = requires(L& l, node_spec by) { l.replace("", by); };

// Lets `change` run out of memory at each of its allocations in turn: each time the table must be
// what it was. Returns how many allocations it took in the end.
template <class L, class Change>
std::size_t check_out_of_memory(const L& before, Change change) {
    hashring::test::mismatches found;
    for (std::size_t allowed = 0;; ++allowed) {
        L l = before;
        bool failed = false;
        try {
            const allocation_limit limit(allowed);
            change(l);
        } catch (const std::bad_alloc&) {
            failed = true;
        }
        if (!failed) {
            CHECK_NO_MISMATCHES(found);
            return allowed;
        }
        found.expect(l == before && l.owner_index_at(7) == before.owner_index_at(7), allowed);
    }
}

} // namespace

TEMPLATE_TEST_CASE("table: a change that runs out of memory changes nothing", "[table][error]",
                   table<small_maglev>, table<schemes::jump>, anchor_table<>) {
    const auto names = node_names(4, 9);
    const TestType before(names);
    const node_spec fresh("a name that is longer than any small string");
    const std::vector<node_spec> list{names[2], fresh, names[0]};
    CHECK(check_out_of_memory(before, [&](auto& l) { l.add(fresh); }) > 3);
    CHECK(check_out_of_memory(before, [&](auto& l) { l.add(list); }) > 3);
    CHECK(check_out_of_memory(before, [&](auto& l) { l.remove(names[3]); }) > 0);
    if constexpr (takes_replacements<TestType>) {
        CHECK(check_out_of_memory(before, [&](auto& l) { l.replace(names[1], fresh); }) > 1);
    }
    CHECK(check_out_of_memory(before, [&](auto& l) { l.assign(list); }) > 3);
    const TestType other(list);
    CHECK(check_out_of_memory(before, [&](auto& l) { l = other; }) > 1);
}
