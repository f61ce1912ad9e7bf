// SPDX-License-Identifier: MIT
#include "laws/small_model.hpp"
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/sanitizers.hpp"
#include "support/small_ring_parts.hpp"
#include "support/small_rings.hpp"

#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/core/uint128.hpp>
#include <hashring/ring/node_marks.hpp>
#include <hashring/ring/ring.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Every ring of one to three points, and on it sequences of these operations, where x is a node of
// the ring and p one of some places, so that there are 4 times the nodes and the places and 2:
//
// - x leaves, or comes back if it is not there;
// - x gets a weight of 0, or of 1 again;
// - x gets one virtual node more by hand, and none after three;
// - x is marked as down, or as up again;
// - a new node with a point at p comes, or leaves if it is there;
// - the ring becomes that of its first list, turned round;
// - the ring becomes that of its first list with a new node in the place of the first.
//
// After each of them all positions are asked, and what moved, if sequences are short. A virtual
// node of which the name lists none stands at 0. Of rings that differ in names alone, and names
// decide only where two nodes share a position, there is one.

using namespace hashring;
namespace small = small_rings;

namespace {

template <unsigned Last>
class runs {
    using ring_type = small::small_ring<Last>;
    using model_type = laws::small_model<Last>;

    struct state {
        ring_type ring;
        node_marks marks;
        model_type want;
    };

public:
    // Sequences of `length`, with new nodes at `places`.
    runs(unsigned length, std::vector<unsigned> places, test::mismatches& found)
        : length_(length), places_(std::move(places)), found_(found) {}

    void run(const small::points& points) {
        specs_ = small::nodes_of(points);
        members_.clear();
        state first;
        for (const node_spec& spec : specs_) {
            members_.push_back(small::letter_of(spec.name));
        }
        for (const small::point& p : points) {
            first.want.nodes[p.owner].is_member = true;
            std::uint8_t& count = first.want.listed_count[p.owner];
            first.want.listed[p.owner][count++] = static_cast<std::uint8_t>(p.position);
        }
        first.ring.add(specs_);
        first.marks = node_marks(first.ring.size());
        first_ = first.want;
        follow(first, length_);
    }
    std::size_t sequences() const { return sequences_; }
    // How many there are for one ring.
    std::size_t sequences_of(const small::points& points) const {
        const std::size_t operations = alphabet(small::nodes_of(points).size());
        return length_ == 1   ? operations
               : length_ == 2 ? operations * operations
                              : operations * operations * operations;
    }

private:
    std::size_t alphabet(std::size_t nodes) const { return 4 * nodes + places_.size() + 2; }

    void follow(const state& before, unsigned length) {
        for (std::size_t op = 0; op < alphabet(specs_.size()); ++op) {
            state next = before;
            path_[length - 1] = op;
            carry_out(next, op);
            if (next.marks.size() != next.ring.size() || before.marks.down_count() > 0) {
                next.marks = next.marks.carried_over(before.ring, next.ring);
            }
            check(next);
            if (length_ < 3) {
                check_difference(before, next);
            }
            if (length > 1) {
                follow(next, length - 1);
            } else {
                ++sequences_;
            }
        }
    }

    void carry_out(state& s, std::size_t op) {
        if (op < 4 * specs_.size()) {
            change(s, specs_[op / 4], members_[op / 4], op % 4);
            return;
        }
        op -= 4 * specs_.size();
        if (op < places_.size()) {
            come_or_leave(s, new_node(places_[op]), 3 + places_[op]);
        } else {
            assign(s, op == places_.size());
        }
    }
    static node_spec new_node(unsigned p) { return {concat("d:", decimal(p))}; }

    void come_or_leave(state& s, const node_spec& spec, unsigned letter) {
        auto& node = s.want.nodes[letter];
        const bool done = node.is_member ? s.ring.remove(spec.name) : s.ring.add(spec);
        expect(done, "comes or leaves");
        const bool is_member = !node.is_member;
        node = {};
        node.is_member = is_member;
    }
    void change(state& s, const node_spec& spec, unsigned letter, std::size_t how) {
        auto& node = s.want.nodes[letter];
        if (how == 0) {
            come_or_leave(s, spec, letter);
        } else if (how == 1) {
            const bool idle = !node.is_idle;
            expect(s.ring.set_weight(spec.name, weight{idle ? 0 : 1}) == node.is_member, "weight");
            node.is_idle = node.is_member && idle;
            node.by_hand = 255;
        } else if (how == 2) {
            const auto more = static_cast<std::uint8_t>((s.want.count(letter) + 1) % 4);
            expect(s.ring.set_vnodes(spec.name, more) == node.is_member, "count");
            node.by_hand = node.is_member ? more : 255;
        } else {
            const std::uint32_t index = s.ring.index_of(spec.name);
            const bool done = node.is_down ? s.marks.mark_up(index) : s.marks.mark_down(index);
            expect(done == node.is_member, "mark");
            node.is_down = node.is_member && !node.is_down;
        }
    }
    void assign(state& s, bool all) {
        std::vector<node_spec> list(specs_.rbegin(), specs_.rend());
        model_type want = first_;
        if (!all) {
            list.back() = new_node((Last + 1) / 2); // in place of the first
            want.nodes[members_[0]].is_member = false;
            want.nodes[3 + (Last + 1) / 2].is_member = true;
        }
        static_cast<void>(s.ring.assign(list));
        for (unsigned letter = 0; letter < model_type::letters; ++letter) {
            want.nodes[letter].is_down = s.want.nodes[letter].is_down;
        }
        want.forget_who_left();
        s.want = want;
    }

    void check(const state& s) {
        std::array<std::uint8_t, model_type::letters> letter{};
        std::uint64_t down = 0;
        std::uint64_t members = 0;
        for (std::uint32_t i = 0; i < s.ring.size(); ++i) {
            const std::string_view name = s.ring.node(i).name();
            letter[i] = letter_of(name);
            members |= std::uint64_t{1} << letter[i];
            down |= std::uint64_t{s.want.nodes[letter[i]].is_down} << letter[i];
            expect(s.ring.node(i).vnodes() == s.want.count(letter[i]), "the count");
        }
        for (unsigned i = 0; i < model_type::letters; ++i) {
            expect((members >> i & 1U) == (s.want.nodes[i].is_member ? 1U : 0U), "the members");
        }
        check_positions(s, letter, down);
    }
    static std::uint8_t letter_of(std::string_view name) {
        if (name.empty() || name[0] < 'd') {
            return static_cast<std::uint8_t>(name.empty() ? model_type::letters
                                                          : small::letter_of(name));
        }
        unsigned place = 0;
        for (const char digit : name.substr(2)) {
            place = place * 10 + static_cast<unsigned>(digit - '0');
        }
        return static_cast<std::uint8_t>(3 + place);
    }

    // Going down from the last position the answer changes only on a point.
    template <class Letters>
    void check_positions(const state& s, const Letters& letter, std::uint64_t down) {
        const auto points = s.want.points();
        const auto of = [&](std::uint32_t index) {
            return index == no_node ? model_type::letters : letter[index];
        };
        auto order = model_type::clockwise(points, 0, 0);
        unsigned next = model_type::clockwise(points, 0, down)[0];
        for (unsigned p = Last + 1; p-- > 0;) {
            const auto at = static_cast<std::uint8_t>(p);
            if (points[p] != 0) {
                order = model_type::clockwise(points, p, 0);
                next = model_type::clockwise(points, p, down)[0];
            }
            expect(of(s.ring.owner_index_at(at)) == order[0], "the owner");
            if (down != 0) {
                expect(of(owner_that_is_up(s.ring, at, s.marks, when_down::next)) == next,
                       "the owner that is up");
            }
            if (points[p] != 0 || p == 0 || points[p - 1] != 0) {
                check_walk(s, letter, at, order);
            }
        }
    }
    template <class Letters, class Order>
    void check_walk(const state& s, const Letters& letter, std::uint8_t at, const Order& order) {
        std::size_t passed = 0;
        bool right = true;
        for (auto w = s.ring.walk_at(at); w.current() != no_node; w.advance()) {
            right = right && letter[w.current()] == order[passed];
            ++passed;
        }
        expect(right && order[passed] == model_type::letters, "the walk");
    }

    static std::array<std::uint8_t, Last + 1> owners_of(const model_type& want) {
        const auto points = want.points();
        std::array<std::uint8_t, Last + 1> result{};
        std::uint8_t owner =
            model_type::clockwise(points, 0, 0)[0]; // of what is past the last point
        for (unsigned p = Last + 1; p-- > 0;) {
            owner = points[p] == 0 ? owner : static_cast<std::uint8_t>(std::countr_zero(points[p]));
            result[p] = owner;
        }
        return result;
    }

    // That what moved are the positions whose owners differ, in arcs as long as can be.
    void check_difference(const state& before, const state& after) {
        const auto was = owners_of(before.want);
        const auto is = owners_of(after.want);
        const auto owners = [&](unsigned p) {
            return std::pair(was[p], is[p]);
        };
        const auto moved = before.ring.changes_to(after.ring);
        std::size_t arcs = 0;
        std::uint64_t width = 0;
        auto previous = owners(Last);
        for (unsigned p = 0; p <= Last; ++p) {
            const auto here = owners(p);
            const bool differs = here.first != here.second;
            width += differs ? 1 : 0;
            arcs += differs && here != previous ? 1U : 0U;
            const auto arc = moved.find_at(static_cast<std::uint8_t>(p));
            expect(arc.has_value() == differs, "where it moves");
            expect(!arc || letter_of(moved.name(arc->from, "")) == here.first, "from whom");
            expect(!arc || letter_of(moved.name(arc->to, "")) == here.second, "to whom");
            previous = here;
        }
        arcs += arcs == 0 && width > 0 ? 1U : 0U; // all around
        expect(moved.arcs().size() == arcs, "the arcs");
        expect(moved.moved_width() == uint128(width), "the width");
    }

    void expect(bool holds, std::string_view what) {
        if (!holds) {
            std::string text;
            for (const node_spec& spec : specs_) {
                text += spec.name + ' ';
            }
            for (std::size_t i = path_.size(); i-- > 0;) {
                text += concat("then ", decimal(path_[i]), " ");
            }
            found_.expect(false, what, text);
        }
    }

    unsigned length_;
    std::vector<unsigned> places_;
    test::mismatches& found_;
    std::vector<node_spec> specs_;
    std::vector<unsigned> members_; // their letters
    model_type first_;
    std::array<std::size_t, 3> path_{};
    std::size_t sequences_ = 0;
};

// Whether two nodes have points on one position.
bool names_decide(const small::points& points) {
    for (std::size_t i = 1; i < points.size; ++i) {
        if (points.at[i].position == points.at[i - 1].position &&
            points.at[i].owner != points.at[i - 1].owner) {
            return true;
        }
    }
    return false;
}

template <unsigned Last>
void run_all(unsigned length, const std::vector<unsigned>& places, std::size_t rings_expected,
             std::size_t sequences_expected) {
    test::mismatches found;
    runs<Last> all(length, places, found);
    std::size_t rings = 0;
    std::size_t sequences = 0;
    small::each(Last, small::all_positions(Last), [&](const small::points& points) {
        if (!names_decide(points) && !small::named_in_order(points)) {
            return;
        }
        sequences += all.sequences_of(points);
        if (++rings % exhaustive_stride == 0) {
            all.run(points);
        }
    });
    CHECK(rings == rings_expected);
    CHECK(sequences == sequences_expected);
    CHECK((all.sequences() == sequences) == (exhaustive_stride == 1));
    CHECK_NO_MISMATCHES(found);
}

} // namespace

// 1056 rings are 472 in which names decide nothing, and 584 in which they do.
TEST_CASE("exhaustive: on 3 bits every three operations on every small ring are right",
          "[ring][exhaustive]") {
    run_all<7>(3, {0, 3, 7}, 1056, 2709392); // new nodes at both ends and between
}

TEST_CASE("exhaustive: on 3 bits every two operations on every small ring are right",
          "[ring][exhaustive]") {
    run_all<7>(2, small::all_positions(7), 1056, 358272);
}

TEST_CASE("exhaustive: on 5 bits every single operation on every small ring is right",
          "[ring][exhaustive]") {
    run_all<31>(1, small::all_positions(31), 37120, 1564736);
}

// Also of those that differ in who owns which of the same points.
TEST_CASE("exhaustive: on 3 bits no two small rings have one fingerprint", "[ring][exhaustive]") {
    std::set<std::uint64_t> fingerprints{small::small_ring<7>().fingerprint()};
    std::size_t rings = 1;
    small::each(7, small::all_positions(7), [&](const small::points& points) {
        fingerprints.insert(small::small_ring<7>(small::nodes_of(points)).fingerprint());
        ++rings;
    });
    CHECK(rings == 2925); // multisets of none to three of 24 points
    CHECK(fingerprints.size() == rings);
}
