// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/small_ring_parts.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

using namespace hashring;
namespace small = small_rings;
using small::letters;

namespace {

// Zone and rack of a, b and c.
using places = std::array<std::array<unsigned, 2>, 3>;

// Every way to put three nodes into two zones of two racks each: six bits.
places places_of(unsigned code) {
    places where{};
    for (auto& of_node : where) {
        of_node = {code & 1U, code >> 1U & 1U};
        code >>= 2U;
    }
    return where;
}

// The widest level at which two nodes are apart; `levels` is that of the nodes themselves.
std::size_t apart(const places& where, unsigned a, unsigned b, std::size_t levels) {
    std::size_t level = 0;
    while (level < levels && where[a][level] == where[b][level]) {
        ++level;
    }
    return level;
}

struct chosen {
    letters copies;
    std::size_t apart_at = 0;
    friend bool operator==(const chosen&, const chosen&) = default;
};

// Copy by copy the first of those that are farthest from the copies so far.
chosen by_distance(letters left, const places& where, std::size_t levels, domain_rule rule,
                   std::size_t wanted) {
    chosen result;
    while (result.copies.size() < wanted && !left.empty()) {
        const auto level_of = [&](unsigned node) {
            std::size_t level = 0;
            for (const unsigned copy : result.copies) {
                level = std::max(level, apart(where, node, copy, levels));
            }
            return level;
        };
        const auto best = std::min_element(left.begin(), left.end(), [&](unsigned a, unsigned b) {
            return level_of(a) < level_of(b);
        });
        const std::size_t level = level_of(*best);
        if (rule == domain_rule::strict && level > 0) {
            break;
        }
        result.apart_at = std::max(result.apart_at, level);
        result.copies.push_back(*best);
        left.erase(best);
    }
    return result;
}

chosen by_ladder(const small::small_ring<3>& r, std::uint8_t p, const domain_ladder& ladder,
                 domain_rule rule, std::size_t wanted) {
    std::array<std::uint32_t, 4> out{};
    const domain_spread spread =
        replicas_over_domains(r, p, ladder, rule, std::span(out).first(wanted));
    chosen got{{}, spread.apart_at};
    for (std::size_t i = 0; i < spread.found; ++i) {
        got.copies.push_back(small::letter_of(r.node(out[i]).name()));
    }
    return got;
}

// In all zones and racks, from every position, with every number of copies.
void check_domains(const small::points& points, test::mismatches& found) {
    const small::small_ring<3> r(small::nodes_of(points));
    const auto truth = small::truth_of<3>(points);
    for (unsigned code = 0; code < 64 * 3; ++code) {
        const places where = places_of(code % 64);
        const std::size_t levels = code / 64;
        const domain_ladder ladder(r, levels, [&](const auto& node, std::size_t level) {
            return where[small::letter_of(node.name())][level] == 0 ? "" : "x";
        });
        for (std::uint8_t p = 0; p <= 3; ++p) {
            for (unsigned wanted = 0; wanted <= 4; ++wanted) {
                for (const auto rule : {domain_rule::strict, domain_rule::best_effort}) {
                    found.expect(
                        by_ladder(r, p, ladder, rule, wanted) ==
                            by_distance(small::decoded(truth[p]), where, levels, rule, wanted),
                        small::text_of(points), "places", code, "wanted", wanted);
                }
            }
        }
    }
}

// The points of the nodes whose bits are set.
small::points some_of(const small::points& points, unsigned mask) {
    small::points rest = points;
    for (unsigned owner = 0; owner < 3; ++owner) {
        rest = (mask >> owner & 1U) != 0 ? rest : rest.without(owner);
    }
    return rest;
}

// Whether position `p` is on a moved arc, which may go across the end of the circle.
bool is_on(const small::moved& arc, unsigned p) {
    return arc.first <= arc.last ? arc.first <= p && p <= arc.last
                                 : p >= arc.first || p <= arc.last;
}

unsigned letter(const small::small_ring<7>& r, std::uint32_t i) {
    return i == no_node ? small::nobody : small::letter_of(r.node(i).name());
}

// From one set of nodes to another, with every set of arcs done.
void check_transition(const small::points& before, const small::points& after,
                      test::mismatches& found) {
    using steps = transition<small::small_ring<7>>;
    const steps fresh{small::small_ring<7>(small::nodes_of(before)),
                      small::small_ring<7>(small::nodes_of(after))};
    const auto was = small::truth_of<7>(before);
    const auto is = small::truth_of<7>(after);
    const auto arcs = small::moved_arcs(was, is);
    for (unsigned done = 0; done < (1U << arcs.size()); ++done) {
        steps t = fresh;
        for (std::size_t i = 0; i < arcs.size(); ++i) {
            const bool marked = (done >> i & 1U) != 0;
            found.expect(!marked || (t.mark_done(i) && !t.mark_done(i)), small::text_of(after), i);
        }
        found.expect(t.is_finished() == (done + 1 == 1U << arcs.size()), small::text_of(after));
        for (std::uint8_t p = 0; p <= 7; ++p) {
            unsigned asked = small::nobody;
            for (std::size_t i = 0; i < arcs.size(); ++i) {
                asked = is_on(arcs[i], p) && (done >> i & 1U) == 0 ? arcs[i].from : asked;
            }
            const transition_route route = t.route_at(p);
            found.expect(letter(t.after(), route.to) == small::first_of(is[p]) &&
                             letter(t.before(), route.from) == asked,
                         small::text_of(before), "to", small::text_of(after), "done", done);
        }
    }
}

} // namespace

TEST_CASE("domains: on every small ring, in all zones and racks, copies are as far apart as can be",
          "[ring][domains][exhaustive]") {
    test::mismatches found;
    small::each_ring(3, small::all_positions(3),
                     [&](const small::points& points) { check_domains(points, found); });
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("transition: between all sets of nodes of every small ring each key has its two owners",
          "[ring][transition][exhaustive]") {
    test::mismatches found;
    small::each_ring(7, small::all_positions(7), [&](const small::points& points) {
        for (unsigned pair = 0; pair < 64; ++pair) {
            check_transition(some_of(points, pair & 7U), some_of(points, pair >> 3U), found);
        }
    });
    CHECK_NO_MISMATCHES(found);
}
