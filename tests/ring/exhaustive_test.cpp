// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/sanitizers.hpp"
#include "support/small_rings.hpp"

#include <hashring/ring/ring.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
namespace small = small_rings;
using small::order_code;

namespace {

template <unsigned Last, tie_rule Ties>
using small_ring = ring<test_schemes::listed<std::uint8_t, Last, Ties>>;

template <class Ring>
constexpr std::uint8_t last_of = Ring::scheme_type::last_position;

template <class Ring>
std::vector<order_code> truth_of(const small::points& points) {
    return small::all_clockwise(points, last_of<Ring>, Ring::scheme_type::ties);
}

unsigned owner_of(std::string_view name) {
    return static_cast<unsigned>(name.front() - 'a');
}

// The owners of a ring's nodes by their places.
template <class Ring>
std::array<unsigned, 3> owners_of(const Ring& ring) {
    std::array<unsigned, 3> owners{};
    for (std::uint32_t i = 0; i < ring.size(); ++i) {
        owners[i] = owner_of(ring.node(i).name());
    }
    return owners;
}

template <class Ring>
order_code walked(const Ring& ring, const std::array<unsigned, 3>& owners, std::uint8_t p) {
    order_code code = 0;
    unsigned digits = 0;
    for (auto w = ring.walk_at(p); w.current() != no_node; w.advance()) {
        code = small::appended(code, digits, owners[w.current()]);
    }
    return code;
}

template <class Ring>
order_code replicated(const Ring& ring, std::uint8_t p, std::size_t count) {
    std::array<typename Ring::node_type, 4> nodes;
    const std::size_t found = ring.replicas_at(p, std::span(nodes).first(count));
    order_code code = 0;
    unsigned digits = 0;
    for (std::size_t i = 0; i < found; ++i) {
        code = small::appended(code, digits, owner_of(nodes[i].name()));
    }
    return code;
}

// The first `count` owners of a code.
order_code first_owners(order_code code, std::size_t count) {
    return count >= 4 ? code : static_cast<order_code>(code & ((1U << (2 * count)) - 1));
}

// Which of the 0 … 4 copies asked for are tried: all of them is the exhaustive choice.
using counts_asked = std::vector<std::size_t>;

template <class Ring>
bool looks_up_right(const Ring& ring, const std::vector<order_code>& truth,
                    const counts_asked& asked) {
    bool right = true;
    const auto owners = owners_of(ring);
    for (unsigned i = 0; i <= last_of<Ring>; ++i) {
        const auto p = static_cast<std::uint8_t>(i);
        right &= owners[ring.owner_index_at(p)] == small::first_of(truth[i]);
        right &= walked(ring, owners, p) == truth[i];
        for (const std::size_t count : asked) {
            right &= replicated(ring, p, count) == first_owners(truth[i], count);
        }
    }
    return right;
}

template <class Ring>
bool shares_right(const Ring& ring, const std::vector<order_code>& truth) {
    std::array<std::uint64_t, 3> owned{};
    for (const order_code code : truth) {
        ++owned[small::first_of(code)];
    }
    bool right = true;
    const std::vector<uint128> widths = ring.widths();
    for (std::uint32_t i = 0; i < ring.size(); ++i) {
        right &= widths[i] == uint128(owned[owner_of(ring.node(i).name())]);
    }
    return right;
}

// That `diff` names exactly the arcs of the truth, as long as can be, and finds each position.
template <class Ring>
bool differs_right(const Ring& before, const Ring& after,
                   const std::vector<order_code>& truth_before,
                   const std::vector<order_code>& truth_after) {
    const auto moved = diff(before, after);
    const auto letter = [&](std::uint32_t i) {
        return owner_of(moved.name(i, "d"));
    }; // d: nobody
    const std::vector<small::moved> truth = small::moved_arcs(truth_before, truth_after);
    bool right = moved.arcs().size() == truth.size();
    for (std::size_t i = 0; right && i < truth.size(); ++i) {
        const auto& [where, from, to] = moved.arcs()[i];
        const bool whole = width(where, last_of<Ring>) == circle_width(last_of<Ring>);
        const small::moved seen{whole ? 0U : where.first, whole ? last_of<Ring> : where.last,
                                letter(from), letter(to)};
        right = seen == truth[i];
    }
    for (unsigned i = 0; i <= last_of<Ring>; ++i) {
        const auto found = moved.find_at(static_cast<std::uint8_t>(i));
        const unsigned from = small::first_of(truth_before[i]);
        const unsigned to = small::first_of(truth_after[i]);
        right &= found.has_value() == (from != to);
        right &= !found || (letter(found->from) == from && letter(found->to) == to);
    }
    return right;
}

template <class Ring>
bool has_points(const Ring& ring, const small::points& points) {
    const auto owners = owners_of(ring);
    const small::points truth = points.in_ring_order(Ring::scheme_type::ties);
    bool right = ring.point_count() == truth.size;
    for (std::size_t i = 0; right && i < truth.size; ++i) {
        right = truth.at[i] == small::point{ring.point_position(i), owners[ring.point_owner(i)]};
    }
    return right;
}

enum class depth { removal, diff };

// Each node in turn is removed, which leaves the points of the rest; with `depth::diff` that ring
// also equals a fresh one, is what `diff` says of it, and becomes the old one when the node is
// back.
template <class Ring>
bool changes_right(const Ring& ring, const small::points& points,
                   const std::vector<order_code>& truth, depth how_deep) {
    bool right = true;
    for (std::uint32_t i = 0; i < ring.size(); ++i) {
        const std::string name(ring.node(i).name());
        const small::points rest = points.without(owner_of(name));
        auto changed = ring;
        right &= changed.remove(name) && has_points(changed, rest);
        if (how_deep == depth::diff) {
            const Ring fresh(small::nodes_of(rest));
            const auto truth_of_rest = truth_of<Ring>(rest);
            right &= changed == fresh && changed.add(name) && changed == ring;
            right &= differs_right(ring, fresh, truth, truth_of_rest);
            right &= differs_right(fresh, ring, truth_of_rest, truth);
        }
    }
    return right;
}

template <class Ring>
void check_ring(const small::points& points, const counts_asked& asked, depth how_deep,
                hashring::test::mismatches& found) {
    const Ring ring(small::nodes_of(points));
    const std::vector<order_code> truth = truth_of<Ring>(points);
    const bool right = looks_up_right(ring, truth, asked) && shares_right(ring, truth) &&
                       changes_right(ring, points, truth, how_deep);
    if (!right) {
        std::string names;
        for (std::uint32_t i = 0; i < ring.size(); ++i) {
            names += std::string(ring.node(i).name()) + ' ';
        }
        found.expect(false, "ring", names);
    }
}

std::vector<unsigned> all_positions(unsigned last) {
    std::vector<unsigned> positions(last + 1);
    std::iota(positions.begin(), positions.end(), 0U);
    return positions;
}

} // namespace

// All owners, so that every order of names meets every order of positions.
TEST_CASE("exhaustive: every ring of up to three points on 5 bits is right", "[ring][exhaustive]") {
    hashring::test::mismatches found;
    std::size_t rings = 0;
    small::each(31, all_positions(31), [&](const small::points& points) {
        const bool sampled = ++rings % exhaustive_stride == 0;
        if (sampled) {
            check_ring<small_ring<31, tie_rule::first>>(points, {0, 1, 2, 3, 4}, depth::diff,
                                                        found);
        }
    });
    CHECK(rings == 96 + 4656 + 152096); // multisets of one, two and three of 96 points
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("exhaustive: every tie on 5 bits is right where the last one owns",
          "[ring][exhaustive]") {
    hashring::test::mismatches found;
    std::size_t ties = 0;
    small::each(31, all_positions(31), [&](const small::points& points) {
        if (points.share_a_position() && ++ties % exhaustive_stride == 0) {
            check_ring<small_ring<31, tie_rule::last>>(points, {0, 1, 2, 3, 4}, depth::diff, found);
        }
    });
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("exhaustive: every ring on a circle of 31 positions is right", "[ring][exhaustive]") {
    hashring::test::mismatches found;
    std::size_t rings = 0;
    small::each(30, all_positions(30), [&](const small::points& points) {
        if (points.share_a_position() || small::named_in_order(points)) {
            if (++rings % exhaustive_stride == 0) {
                check_ring<small_ring<30, tie_rule::first>>(points, {2, 3}, depth::diff, found);
                check_ring<small_ring<30, tie_rule::last>>(points, {2, 3}, depth::diff, found);
            }
        }
    });
    CHECK(rings == 40672);
    CHECK_NO_MISMATCHES(found);
}

// How many rings of up to three points begin on a position.
const std::map<unsigned, std::size_t> rings_from = {
    {0, 171632}, {1, 170324}, {127, 45521}, {128, 44848}, {255, 17}};

// [B35]: also where the smallest point stands at either end of the circle or in the middle.
TEST_CASE("exhaustive: every ring of three points on 8 bits is right", "[ring][exhaustive][B35]") {
    const unsigned first = GENERATE(0U, 1U, 127U, 128U, 255U);
    CAPTURE(first);
    hashring::test::mismatches found;
    std::size_t rings = 0;
    small::each(255, {first}, [&](const small::points& points) {
        const bool tied = points.share_a_position();
        if ((!tied && !small::named_in_order(points)) || ++rings % exhaustive_stride != 0) {
            return;
        }
        check_ring<small_ring<255, tie_rule::first>>(points, {1, 2, 3}, depth::diff, found);
        if (tied) {
            check_ring<small_ring<255, tie_rule::last>>(points, {1, 2, 3}, depth::diff, found);
        }
    });
    // Every multiset of positions, and of owners every one that names alone do not make another.
    CHECK(rings == rings_from.at(first));
    CHECK_NO_MISMATCHES(found);
}
