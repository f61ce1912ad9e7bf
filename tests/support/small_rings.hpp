// SPDX-License-Identifier: MIT
#pragma once

#include "support/test_schemes.hpp"

#include <hashring/core/node.hpp>
#include <hashring/placement/scheme.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

// All rings of up to three points of the nodes a, b and c, and what they must answer, found by
// brute force from the points alone.
namespace small_rings {

struct point {
    unsigned position;
    unsigned owner; // 0 is a, 1 is b, 2 is c
    friend bool operator==(const point&, const point&) = default;
};

// Insertion sort of the first `size` of three: millions of them are sorted here.
template <class T, class Less>
void sort_small(std::array<T, 3>& items, std::size_t size, Less less) {
    for (std::size_t i = 1; i < size; ++i) {
        for (std::size_t j = i; j > 0 && less(items[j], items[j - 1]); --j) {
            std::swap(items[j], items[j - 1]);
        }
    }
}

struct points {
    std::array<point, 3> at{};
    std::size_t size = 0;

    void push(point p) { at[size++] = p; }
    const point* begin() const { return at.data(); }
    const point* end() const { return at.data() + size; }

    bool has(unsigned owner) const {
        return std::any_of(begin(), end(), [&](const point& p) { return p.owner == owner; });
    }
    points without(unsigned owner) const {
        points rest;
        for (const point& p : *this) {
            if (p.owner != owner) {
                rest.push(p);
            }
        }
        return rest;
    }
    // By position, and on one position in the order of the tie rule.
    points in_ring_order(hashring::tie_rule ties) const {
        points sorted = *this;
        const auto key = [&](const point& p) {
            return std::pair(p.position, ties == hashring::tie_rule::first ? p.owner : 2 - p.owner);
        };
        sort_small(sorted.at, size,
                   [&](const point& a, const point& b) { return key(a) < key(b); });
        return sorted;
    }
    bool share_a_position() const { // of sorted points
        const auto same = [](const point& a, const point& b) {
            return a.position == b.position;
        };
        return std::adjacent_find(begin(), end(), same) != end();
    }
};

// Whether the owners are named a, b, c as they appear. Where no two points share a position the
// names decide nothing, so that one naming stands for all.
inline bool named_in_order(const points& ring) {
    unsigned next = 0;
    for (const point& p : ring) {
        if (p.owner > next) {
            return false;
        }
        next = std::max(next, p.owner + 1);
    }
    return true;
}

// Calls `visit` with each multiset of one to three points on the positions 0 … last whose first
// position is one of `firsts`.
template <class Visit>
void each(unsigned last, const std::vector<unsigned>& firsts, Visit visit) {
    const unsigned end = (last + 1) * 3;
    const auto nth = [](unsigned i) {
        return point{i / 3, i % 3};
    };
    for (const unsigned first : firsts) {
        for (unsigned i = first * 3; i < first * 3 + 3; ++i) {
            visit(points{{nth(i)}, 1});
            for (unsigned j = i; j < end; ++j) {
                visit(points{{nth(i), nth(j)}, 2});
                for (unsigned k = j; k < end; ++k) {
                    visit(points{{nth(i), nth(j), nth(k)}, 3});
                }
            }
        }
    }
}

// The nodes in the form of the scheme `listed`: "a:3,17".
inline std::vector<hashring::node_spec> nodes_of(const points& ring) {
    std::vector<hashring::node_spec> nodes;
    for (unsigned owner = 0; owner < 3; ++owner) {
        std::vector<unsigned> positions;
        for (const point& p : ring) {
            if (p.owner == owner) {
                positions.push_back(p.position);
            }
        }
        if (!positions.empty()) {
            nodes.emplace_back(test_schemes::listed_node(std::string(1, "abc"[owner]), positions));
        }
    }
    return nodes;
}

// Different owners in their order, as base-4 digits from the lowest: owner + 1 each, then zeros.
using order_code = std::uint8_t;

inline order_code appended(order_code code, unsigned& digits, unsigned owner) {
    return static_cast<order_code>(code | ((owner + 1) << (2 * digits++)));
}
inline constexpr unsigned nobody = 3;
inline unsigned first_of(order_code code) {
    return code == 0 ? nobody : (code & 3U) - 1;
}

// The different owners clockwise from `p`: the points in the order of their distance, and on one
// position in the order of the tie rule.
inline order_code clockwise(const points& ring, unsigned p, unsigned last,
                            hashring::tie_rule ties) {
    using key = std::tuple<unsigned, unsigned, unsigned>; // distance, rank of ties, owner
    std::array<key, 3> keys;
    for (std::size_t i = 0; i < ring.size; ++i) {
        const auto [q, owner] = ring.at[i];
        keys[i] = {q >= p ? q - p : q + (last + 1) - p,
                   ties == hashring::tie_rule::first ? owner : 2 - owner, owner};
    }
    sort_small(keys, ring.size, std::less<>{});
    order_code code = 0;
    unsigned digits = 0;
    std::array<bool, 3> seen{};
    for (std::size_t i = 0; i < ring.size; ++i) {
        const unsigned owner = std::get<2>(keys[i]);
        if (!std::exchange(seen[owner], true)) {
            code = appended(code, digits, owner);
        }
    }
    return code;
}

// `clockwise` for every position. Going down from the last position it changes only on a point.
inline std::vector<order_code> all_clockwise(const points& ring, unsigned last,
                                             hashring::tie_rule ties) {
    std::vector<order_code> codes(last + 1);
    std::array<bool, 256> occupied{};
    for (const point& p : ring) {
        occupied[p.position] = true;
    }
    codes[last] = clockwise(ring, last, last, ties);
    for (unsigned p = last; p-- > 0;) {
        codes[p] = occupied[p] ? clockwise(ring, p, last, ties) : codes[p + 1];
    }
    return codes;
}

// An arc that changed hands; `first == last + 1` is the whole circle.
struct moved {
    unsigned first;
    unsigned last;
    unsigned from;
    unsigned to;
    friend bool operator==(const moved&, const moved&) = default;
};

// All arcs that changed hands, as long as can be, in the order of their ends: position by position.
inline std::vector<moved> moved_arcs(const std::vector<order_code>& before,
                                     const std::vector<order_code>& after) {
    const auto circle = static_cast<unsigned>(before.size());
    const auto pair_at = [&](unsigned p) {
        return std::pair(first_of(before[p % circle]), first_of(after[p % circle]));
    };
    std::vector<moved> arcs;
    for (unsigned end = 0; end < circle; ++end) {
        const auto [from, to] = pair_at(end);
        if (from == to || pair_at(end + 1) == pair_at(end)) {
            continue;
        }
        unsigned length = 1;
        while (pair_at(end + circle - length) == pair_at(end)) {
            ++length;
        }
        arcs.push_back({(end + circle + 1 - length) % circle, end, from, to});
    }
    if (arcs.empty() && pair_at(0).first != pair_at(0).second) { // one pair all around
        arcs.push_back({0, circle - 1, pair_at(0).first, pair_at(0).second});
    }
    return arcs;
}

} // namespace small_rings
