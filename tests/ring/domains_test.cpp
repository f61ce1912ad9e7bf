// SPDX-License-Identifier: MIT
#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace hashring;

namespace {

// Where a node is: its name is `zone/rack/host`.
std::string part(std::string_view name, std::size_t level) {
    for (; level > 0; --level) {
        name.remove_prefix(std::min(name.find('/'), name.size() - 1) + 1);
    }
    return std::string(name.substr(0, name.find('/')));
}

domain_ladder ladder_of(const ring<>& r, std::size_t levels) {
    return {r, levels, [](const auto& node, std::size_t level) {
                return part(node.name(), level);
            }};
}

std::vector<std::string> names(const ring<>& r, const std::vector<std::uint32_t>& nodes) {
    std::vector<std::string> result;
    for (const std::uint32_t i : nodes) {
        result.emplace_back(r.node(i).name());
    }
    return result;
}

struct spread_names {
    std::vector<std::string> copies;
    std::size_t apart_at = 0;
    friend bool operator==(const spread_names&, const spread_names&) = default;
};

spread_names spread(const ring<>& r, std::uint64_t at, std::size_t levels, domain_rule rule,
                    std::size_t wanted) {
    std::vector<std::uint32_t> out(wanted, no_node);
    const domain_spread s = replicas_over_domains(r, at, ladder_of(r, levels), rule, out);
    out.resize(s.found);
    return {names(r, out), s.apart_at};
}

// Whether two names are alike in all parts up to that of `level`.
bool share(const std::string& a, const std::string& b, std::size_t level) {
    for (std::size_t k = 0; k <= level; ++k) {
        if (part(a, k) != part(b, k)) {
            return false;
        }
    }
    return true;
}

// Copy by copy: of all nodes in the order of the walk the first of those that are farthest from
// the copies so far.
spread_names by_greed(const ring<>& r, std::uint64_t at, std::size_t levels, domain_rule rule,
                      std::size_t wanted) {
    std::vector<std::string> all;
    for (auto walk = r.walk_at(at); walk.current() != no_node; walk.advance()) {
        all.emplace_back(r.node(walk.current()).name());
    }
    spread_names chosen;
    while (chosen.copies.size() < wanted) {
        std::size_t best = levels + 1; // the widest level at which a node is apart
        std::string next;
        for (const std::string& name : all) {
            std::size_t apart = 0;
            for (const std::string& other : chosen.copies) {
                while (apart < levels && share(name, other, apart)) {
                    ++apart;
                }
                apart = name == other ? levels + 1 : apart;
            }
            if (apart < best) {
                best = apart;
                next = name;
            }
        }
        if (best > (rule == domain_rule::strict ? 0 : levels)) {
            break;
        }
        chosen.copies.push_back(next);
        chosen.apart_at = std::max(chosen.apart_at, best);
    }
    return chosen;
}

ring<> drawn_ring(dice& random) {
    ring<> r;
    const auto nodes = 1 + random.below(12);
    for (std::uint64_t i = 0; i < nodes; ++i) {
        const std::string zone = decimal(random.below(3));
        const std::string rack = decimal(random.below(3));
        r.add(concat("z", zone, "/r", rack, "/h", decimal(random.below(6))));
    }
    return r;
}

// How many points are looked at from `at` on until all of `nodes` have been seen.
std::size_t points_up_to(const ring<>& r, std::uint64_t at, std::vector<std::uint32_t> nodes) {
    std::size_t count = 0;
    for (std::size_t i = r.point_index(at); !nodes.empty(); i = (i + 1) % r.point_count()) {
        nodes.erase(std::remove(nodes.begin(), nodes.end(), r.point_owner(i)), nodes.end());
        ++count;
    }
    return count;
}

// A ring that counts which points a search looks at.
class counting_ring {
public:
    using position_type = ring<>::position_type;
    using node_type = ring<>::node_type;

    explicit counting_ring(const ring<>& r) : ring_(&r) {}

    std::size_t size() const { return ring_->size(); }
    std::size_t placed_count() const { return ring_->placed_count(); }
    std::size_t point_count() const { return ring_->point_count(); }
    std::size_t point_index(position_type p) const { return ring_->point_index(p); }
    node_type node(std::uint32_t i) const { return ring_->node(i); }
    std::uint32_t point_owner(std::size_t i) const {
        ++asked_;
        return ring_->point_owner(i);
    }
    walk<counting_ring> walk_at(position_type p) const { return {*this, p}; }
    std::size_t asked() const { return asked_; }

private:
    const ring<>* ring_;
    mutable std::size_t asked_ = 0;
};

} // namespace

TEST_CASE("domains: copies go to the nearest node that is farthest from the others",
          "[ring][domains][law]") {
    const std::uint64_t seed = GENERATE(1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U);
    CAPTURE(seed);
    dice random(seed);
    const ring<> r = drawn_ring(random);
    test::mismatches found;
    for (int i = 0; i < 60; ++i) {
        const std::uint64_t at = random.next();
        const std::size_t levels = random.below(4);
        const std::size_t wanted = random.below(7);
        for (const domain_rule rule : {domain_rule::strict, domain_rule::best_effort}) {
            found.expect(spread(r, at, levels, rule, wanted) ==
                             by_greed(r, at, levels, rule, wanted),
                         at, levels, wanted);
        }
    }
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("domains: without levels they are the plain copies", "[ring][domains][law]") {
    const ring<> r(node_names(9, 4));
    test::mismatches found;
    dice random(5);
    for (int i = 0; i < 200; ++i) {
        const std::uint64_t at = random.next();
        const domain_rule rule = i % 2 == 0 ? domain_rule::strict : domain_rule::best_effort;
        std::vector<std::string> plain;
        for (auto walk = r.walk_at(at); plain.size() < 4; walk.advance()) {
            plain.emplace_back(r.node(walk.current()).name());
        }
        found.expect(spread(r, at, 0, rule, 4) == spread_names{plain, 0}, at);
    }
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("domains: fewer copies are the first of more", "[ring][domains][law]") {
    dice random(6);
    test::mismatches found;
    for (int i = 0; i < 100; ++i) {
        const ring<> r = drawn_ring(random);
        const std::uint64_t at = random.next();
        const auto all = spread(r, at, 3, domain_rule::best_effort, 12).copies;
        for (std::size_t n = 0; n <= all.size(); ++n) {
            const auto some = spread(r, at, 3, domain_rule::best_effort, n).copies;
            found.expect(std::equal(some.begin(), some.end(), all.begin()) && some.size() == n, at);
        }
        found.compare(all.size(), r.size(), at);
        found.compare(std::set<std::string>(all.begin(), all.end()).size(), all.size(), at);
    }
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("domains: no point is looked at behind that of the last copy on the way",
          "[ring][domains][law]") {
    const std::uint64_t seed = GENERATE(11U, 12U, 13U, 14U, 15U, 16U);
    CAPTURE(seed);
    dice random(seed);
    test::mismatches found;
    for (int i = 0; i < 20; ++i) {
        ring<> r = drawn_ring(random);
        r.add("weightless/1/1", weight{0}); // it is never met
        for (std::uint64_t j = random.below(3); j > 0; --j) {
            r.set_weight(r.node(static_cast<std::uint32_t>(random.below(r.size()))).name(),
                         weight{random.below(2)});
        }
        for (std::size_t levels = 0; r.point_count() > 0 && levels <= 3; ++levels) {
            const domain_ladder ladder = ladder_of(r, levels);
            const std::uint64_t at = random.next();
            for (std::size_t wanted = 1; wanted <= 14; ++wanted) {
                for (const domain_rule rule : {domain_rule::strict, domain_rule::best_effort}) {
                    const counting_ring counting(r);
                    std::vector<std::uint32_t> out(wanted, no_node);
                    out.resize(replicas_over_domains(counting, at, ladder, rule, out).found);
                    found.compare(counting.asked(), points_up_to(r, at, out), at, levels, wanted);
                    found.expect(wanted != 4 ||
                                     names(r, out) == by_greed(r, at, levels, rule, wanted).copies,
                                 at, levels);
                }
            }
        }
    }
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("B66 domains: a spread that cannot be had ends, and says how short it is",
          "[ring][domains]") {
    const ring<> two_zones{"a/1/x", "a/1/y", "a/2/z", "b/1/x"};
    const auto strict = spread(two_zones, 77, 2, domain_rule::strict, 3);
    CHECK(strict.copies.size() == 2);
    CHECK(strict.apart_at == 0);
    const auto racks = spread(two_zones, 77, 2, domain_rule::best_effort, 3);
    CHECK(racks.copies.size() == 3);
    CHECK(racks.apart_at == 1); // two of them in one zone, on different racks
    const auto hosts = spread(two_zones, 77, 2, domain_rule::best_effort, 4);
    CHECK(hosts.copies.size() == 4);
    CHECK(hosts.apart_at == 2);
    const auto more = spread(two_zones, 77, 2, domain_rule::best_effort, 9);
    CHECK(more.copies == hosts.copies);
}

// infinispan/infinispan #307, mattbostock/timbala #127: the search went on for ever.
TEST_CASE("domains: no search looks at a point twice, whatever cannot be had",
          "[ring][domains][B66]") {
    const ring<> two_zones{"a/1/x", "a/1/y", "a/2/z", "b/1/x"};
    const ring<> nobody;
    for (const domain_rule rule : {domain_rule::strict, domain_rule::best_effort}) {
        for (const std::size_t wanted : {3U, 4U, 5U, 100U}) {
            const counting_ring counting(two_zones);
            std::vector<std::uint32_t> out(wanted, no_node);
            const auto s = replicas_over_domains(counting, 77, ladder_of(two_zones, 2), rule, out);
            CHECK(s.found == (rule == domain_rule::strict ? 2 : std::min<std::size_t>(wanted, 4)));
            CHECK(counting.asked() <= two_zones.point_count());
        }
    }
    const counting_ring none(nobody);
    std::vector<std::uint32_t> out(3, no_node);
    CHECK(replicas_over_domains(none, 1, ladder_of(nobody, 2), domain_rule::strict, out).found ==
          0);
    const counting_ring all(two_zones);
    CHECK(next_on_ring(all, 5, [](std::uint32_t) { return false; }) == no_node);
    CHECK(all.asked() == two_zones.point_count());
}

TEST_CASE("B67 domains: more copies than nodes are as many as there are", "[ring][domains][edge]") {
    CHECK(spread(ring<>(), 1, 3, domain_rule::best_effort, 3) == spread_names{});
    CHECK(spread(ring<>{"a"}, 1, 3, domain_rule::strict, 3) == spread_names{{"a"}, 0});
    CHECK(spread(ring<>{"a"}, 1, 1, domain_rule::best_effort, 0) == spread_names{});
    ring<> weightless{"a/1"};
    weightless.add("b/1", weight{0});
    CHECK(spread(weightless, 1, 2, domain_rule::best_effort, 2) == spread_names{{"a/1"}, 0});
}

TEST_CASE("domains: a rack belongs to its zone, and who does not say where it is may be anywhere",
          "[ring][domains]") {
    const ring<> r{"a/1", "b/1", "/1", "/2"};
    const domain_ladder ladder = ladder_of(r, 2);
    const auto at = [&](const char* name) {
        return r.index_of(name);
    };
    CHECK(ladder.levels() == 2);
    CHECK_FALSE(ladder.share(at("a/1"), at("b/1"), 0));
    CHECK_FALSE(ladder.share(at("a/1"), at("b/1"), 1)); // both racks are called 1
    CHECK(ladder.share(at("/1"), at("/2"), 0));
    CHECK_FALSE(ladder.share(at("/1"), at("/2"), 1));
    CHECK_FALSE(ladder.share(at("/1"), at("/2"), 2)); // the nodes themselves
    CHECK(ladder.count(0) == 3);
    CHECK(ladder.count(1) == 4);
    CHECK(ladder == ladder_of(r, 2));
    CHECK_FALSE(ladder == ladder_of(r, 1));
}

TEST_CASE("domains: strict copies allocate nothing", "[ring][domains]") {
    const ring<> r{"a/1", "a/2", "b/1", "c/1"};
    const domain_ladder ladder = ladder_of(r, 1);
    std::vector<std::uint32_t> out(3);
    domain_spread s;
    CHECK(allocations_of([&] {
              s = replicas_over_domains(r, 5, ladder, domain_rule::strict, out);
          }).count == 0);
    CHECK(s == domain_spread{3, 0});
}
