// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"
#include "support/model.hpp"
#include "support/schemes.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Faults that users of other programs met, each with its public thread, where they cut across this
// library's parts. The others stand beside what they are about.

using namespace hashring;

namespace {

using byte_ring = ring<test_schemes::listed<std::uint8_t>>;

// The default scheme that notes for whom it was asked to place points.
struct noting : schemes::xxh3 {
    inline static std::vector<std::string> asked;

    void points(const placed_node& node, std::span<std::uint64_t> out) const {
        asked.emplace_back(node.name);
        xxh3::points(node, out);
    }
    friend bool operator==(const noting&, const noting&) = default;
};

// Two nodes on one position, as "first second".
template <class Ring>
std::vector<std::string> pairs_on_one_position(const Ring& r) {
    std::vector<std::string> pairs;
    for (std::size_t i = 1; i < r.point_count(); ++i) {
        if (r.point_position(i) == r.point_position(i - 1)) {
            pairs.push_back(
                concat(r.node(r.point_owner(i - 1)).name(), " ", r.node(r.point_owner(i)).name()));
        }
    }
    return pairs;
}

// Of 2,000 keys, those that two rings give to nodes of different names.
template <class One, class Other>
std::size_t disagreements(const One& one, const Other& other) {
    std::size_t count = 0;
    for (std::uint64_t key = 0; key < 2000; ++key) {
        count += one.owner(key)->name() != other.owner(key)->name() ? 1U : 0U;
    }
    return count;
}

} // namespace

namespace app {

// A key of a name space that is not to decide where it stands.
struct in_namespace {
    std::string text;
    std::size_t prefix = 0;
};
std::string_view hashring_key(const in_namespace& k) noexcept {
    return std::string_view(k.text).substr(std::min(k.prefix, k.text.size()));
}

} // namespace app

// apache/dubbo-go #3510: fewer points than a digest has made an empty ring, and a crash later.
TEST_CASE("ring: a count below a digest's four points is a ring of that many", "[ring][B29]") {
    for (const std::uint32_t count : {1U, 2U, 3U, 5U}) {
        const ring<schemes::ketama_group> nodes({"a"}, with_vnodes<schemes::ketama_group>(count));
        CHECK(nodes.point_count() == count);
        CHECK(nodes.owner("k")->name() == "a");
    }
    ring<> kept{"a"};
    CHECK_THROWS_AS(kept.add(""), invalid_node); // what could not be built is not kept
    CHECK(kept == ring<>{"a"});
}

// petergoldstein/dalli #318: each host called its own server localhost.
TEST_CASE("ring: hosts that know a server by other names are told by the fingerprint",
          "[ring][B20]") {
    const ring<> of_alpha{"localhost:11211", "beta:11211"};
    const ring<> of_beta{"localhost:11211", "alpha:11211"};
    CHECK(of_alpha.fingerprint() != of_beta.fingerprint());
    CHECK_FALSE(of_alpha == of_beta);

    ring<schemes::xxh3, std::string> alpha;
    alpha.add("a", "localhost:11211");
    alpha.add("b", "beta:11211");
    ring<schemes::xxh3, std::string> beta;
    beta.add("b", "localhost:11211");
    beta.add("a", "alpha:11211");
    CHECK(alpha.fingerprint() == beta.fingerprint());
    CHECK(alpha == beta);
    CHECK(disagreements(alpha, beta) == 0);
    CHECK(*beta.payload("a") == "alpha:11211");
}

// 3rd-Eden/memcached #307: one client hashes the name space too, another the key alone.
TEST_CASE("ring: whether a key's prefix is hashed is the caller's choice", "[ring][keys][B46]") {
    const ring<> r{"a", "b", "c"};
    CHECK(r.position("app:k1") == hash::xxh3{}("app:k1"));
    CHECK(r.position(app::in_namespace{"app:k1", 4}) == r.position("k1"));
    CHECK(r.position(app::in_namespace{"other:k1", 6}) == r.position("k1"));
    CHECK(r.position(app::in_namespace{"app:k1", 0}) == r.position("app:k1"));
    CHECK(r.position("app:k1") != r.position("k1"));
}

// lestrrat-p5/Algorithm-ConsistentHash-Ketama #2, valkey-io/libvalkey #296: a key ended at its NUL.
TEMPLATE_TEST_CASE("ring: keys that differ behind a NUL are different keys", "[ring][keys][B59]",
                   schemes::xxh3, schemes::ketama_group, schemes::murmur_shard) {
    const ring<TestType> r{"a", "b", "c"};
    std::set<typename ring<TestType>::position_type> positions;
    for (const std::string& key :
         {std::string("a\0b", 3), std::string("a\0c", 3), std::string("a")}) {
        const std::string_view view = key;
        const auto bytes = std::as_bytes(std::span(key));
        positions.insert(r.position(key));
        CHECK(r.position(view) == r.position(key));
        CHECK(r.position(bytes) == r.position(key));
    }
    CHECK(positions.size() == 3);
    CHECK(r.position("a\0b") == r.position("a")); // an array of characters ends at its NUL
}

// serialx/hashring #17, #21: a hash object kept what it was fed, so that all keys had one owner.
TEST_CASE("ring: a dozen short keys do not all have one owner", "[ring][B51]") {
    const ring<> r{"192.168.0.246:11212", "192.168.0.247:11212", "192.168.0.249:11212"};
    std::set<std::string_view> owners;
    for (const char* key : {"test", "test", "test1", "test2", "test3", "test4", "test5", "aaaa",
                            "bbbb", "cccc", "dddd"}) {
        owners.insert(r.owner(key)->name());
        CHECK(r.owner(key)->name() == r.owner(key)->name());
    }
    CHECK(owners.size() >= 2);
}

// petergoldstein/dalli #638: equal points stood as the language's sort of the day left them.
TEMPLATE_TEST_CASE("ring: the order of its points is whole, so that any sort gives it",
                   "[ring][law][B43]", all_schemes::narrow_first, all_schemes::narrow_last) {
    ring<TestType> r(node_names(60, 2));
    REQUIRE(pairs_on_one_position(r).size() > 100);
    std::vector<std::pair<std::uint16_t, std::string>> sorted;
    for (const auto& p : points_of(r)) {
        sorted.emplace_back(p.position, p.node);
    }
    const auto before = [](const auto& a, const auto& b) {
        const bool by_name =
            TestType::ties == tie_rule::first ? a.second < b.second : b.second < a.second;
        return a.first != b.first ? a.first < b.first : by_name;
    };
    auto plain = sorted;
    dice(8).shuffle(plain);
    auto stable = plain;
    auto heap = plain;
    std::sort(plain.begin(), plain.end(), before);
    std::stable_sort(stable.begin(), stable.end(), before);
    std::make_heap(heap.begin(), heap.end(), before);
    std::sort_heap(heap.begin(), heap.end(), before);
    CHECK(plain == sorted);
    CHECK(stable == sorted);
    CHECK(heap == sorted);
}

// The same, where every compiler and library has to come to one number.
TEST_CASE("ring: a ring of shared points has one fingerprint everywhere", "[ring][golden][B43]") {
    CHECK(byte_ring{"c:7,9", "a:7", "b:7,9"}.fingerprint() == 0x258794369f35ed63U);
}

// grafana/carbon-relay-ng #335: where positions clash one program kept a point that another
// dropped.
TEMPLATE_TEST_CASE("ring: of 1,000 node sets with clashes every point is that of a plain list",
                   "[ring][law][B48]", all_schemes::narrow_first, all_schemes::narrow_last) {
    constexpr std::uint64_t seed = 48;
    CAPTURE(seed);
    dice random(seed);
    test::mismatches found;
    std::size_t clashes = 0;
    TestType scheme;
    scheme.set("vnodes", "20");
    for (int set = 0; set < 1000; ++set) {
        std::vector<node_spec> nodes;
        for (const std::string& name : node_names(2 + random.below(14), random.next())) {
            nodes.emplace_back(name, weight{1 + random.below(2)});
        }
        const ring<TestType> r(nodes, scheme);
        found.expect(points_of(r) == model_ring<TestType>{scheme, nodes}.points(), set);
        clashes += pairs_on_one_position(r).size();
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(clashes > 300);
}

// discord/hash_ring #2, ultrabug/uhashring #20, apache/dubbo-go-pixiu #1045: a sort after each add.
TEST_CASE("ring: a node's points are made once, whether it comes alone or with others",
          "[ring][B85]") {
    const auto names = node_names(1000, 7);
    noting scheme;
    scheme.vnodes_per_unit = 16;
    noting::asked.clear();
    const ring<noting> at_once(names, scheme);
    CHECK(noting::asked.size() == 1000);
    noting::asked.clear();
    ring<noting> one_by_one(scheme);
    for (const std::string& name : names) {
        one_by_one.add(name);
    }
    CHECK(noting::asked == names); // none again because another came
    CHECK(one_by_one == at_once);
    noting::asked.clear();
    one_by_one.remove(names[500]);
    CHECK(noting::asked.empty());
}
