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
#include <string_view>
#include <vector>

using namespace hashring;
namespace small = small_rings;
using small::letters;

namespace test_schemes {

// A key stands at three times its first byte: the keys 0 to 7 are everywhere on 3 bits.
struct by_byte : listed<std::uint8_t, 7> {
    static std::uint8_t position(std::string_view key) noexcept {
        return key.empty() ? std::uint8_t{0} : static_cast<std::uint8_t>((key[0] * 3) & 7);
    }
    friend bool operator==(const by_byte&, const by_byte&) = default;
};

} // namespace test_schemes

namespace {

// The nodes whose bits are set are down.
struct excluded {
    node_marks marks;
    std::array<bool, 4> down{}; // by letter

    excluded(const letters& nodes, unsigned mask) : marks(nodes.size()) {
        for (std::uint32_t i = 0; i < nodes.size(); ++i) {
            if ((mask >> i & 1U) != 0) {
                marks.mark_down(i);
                down[nodes[i]] = true;
            }
        }
    }
};

// Whether at `p`, from which the nodes come as `order`, those that are up answer in that order.
template <class Ring>
bool passes_over_down(const Ring& r, std::uint8_t p, const letters& nodes, letters order,
                      const excluded& without) {
    const auto letter = [&](std::uint32_t i) {
        return i == no_node ? small::nobody : nodes[i];
    };
    const unsigned owner = order.front();
    std::erase_if(order, [&](unsigned node) { return without.down[node]; });
    const unsigned next = order.empty() ? small::nobody : order.front();
    bool right = letter(owner_that_is_up(r, p, without.marks, when_down::next)) == next;
    right &= letter(owner_that_is_up(r, p, without.marks, when_down::fail)) ==
             (without.down[owner] ? small::nobody : owner);
    for (std::size_t wanted = 0; wanted <= 4; ++wanted) {
        std::array<std::uint32_t, 4> out{};
        const std::size_t found =
            replicas_that_are_up(r, p, without.marks, std::span(out).first(wanted));
        right &= found == std::min(wanted, order.size());
        for (std::size_t i = 0; right && i < found; ++i) {
            right = letter(out[i]) == order[i];
        }
    }
    return right;
}

// With every set of nodes down, at every position about which the answer changes.
template <unsigned Last>
void check_marks(const small::points& points, test::mismatches& found) {
    const small::small_ring<Last> r(small::nodes_of(points));
    const letters nodes = small::letters_of(r);
    const auto truth = small::truth_of<Last>(points);
    for (unsigned mask = 0; mask < (1U << nodes.size()); ++mask) {
        const excluded without(nodes, mask);
        for (unsigned p = 0; p <= Last; ++p) {
            if (p == 0 || p == Last || truth[p] != truth[p - 1] || truth[p] != truth[p + 1]) {
                found.expect(passes_over_down(r, static_cast<std::uint8_t>(p), nodes,
                                              small::decoded(truth[p]), without),
                             small::text_of(points), "mask", mask, "position", p);
            }
        }
    }
}

// Every choice of caps up to 3, with every number of partitions that fits, and one more.
void check_partitions(const small::points& points, test::mismatches& found) {
    const ring<test_schemes::by_byte> r(small::nodes_of(points));
    const letters nodes = small::letters_of(r);
    const auto truth = small::truth_of<7>(points);
    for (unsigned code = 0; code < (1U << (2 * nodes.size())); ++code) {
        std::vector<std::size_t> caps;
        std::array<std::size_t, 3> room{};
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            caps.push_back(code >> (2 * i) & 3U);
            room[nodes[i]] = caps.back();
        }
        const std::size_t all = room[0] + room[1] + room[2];
        letters expected;
        for (std::uint64_t p = 0; p < all; ++p) {
            const letters order = small::decoded(truth[r.position(p)]);
            const unsigned taker = *std::find_if(order.begin(), order.end(),
                                                 [&](unsigned node) { return room[node] > 0; });
            --room[taker];
            expected.push_back(taker);
        }
        for (std::size_t partitions = 0; partitions <= all; ++partitions) {
            letters got;
            for (const std::uint32_t owner : partition_owners(r, partitions, caps)) {
                got.push_back(nodes[owner]);
            }
            found.expect(got.size() == partitions &&
                             std::equal(got.begin(), got.end(), expected.begin()),
                         small::text_of(points), "caps", code, "partitions", partitions);
        }
        bool refused = false;
        try {
            static_cast<void>(partition_owners(r, all + 1, caps));
        } catch (const invalid_amount&) {
            refused = true;
        }
        found.expect(refused, small::text_of(points), "caps", code);
    }
}

} // namespace

// Effect-TS/effect #7885: past the end of the circle the search began at the second point.
TEST_CASE("node_marks: on every ring of up to three points any set of nodes is passed over",
          "[ring][marks][exhaustive][B68]") {
    test::mismatches found;
    SECTION("on 5 bits") {
        small::each_ring(31, small::all_positions(31),
                         [&](const small::points& points) { check_marks<31>(points, found); });
    }
    SECTION("on 8 bits, from half-way or the end on") {
        small::each_ring(255, {128, 255},
                         [&](const small::points& points) { check_marks<255>(points, found); });
    }
    SECTION("on 8 bits, up to two points") {
        small::each_ring(255, {0, 1, 127}, [&](const small::points& points) {
            if (points.size < 3) {
                check_marks<255>(points, found);
            }
        });
    }
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("partition_owners: on every small ring and for all caps the first with room has each",
          "[ring][partitions][exhaustive]") {
    test::mismatches found;
    small::each_ring(7, small::all_positions(7),
                     [&](const small::points& points) { check_partitions(points, found); });
    CHECK_NO_MISMATCHES(found);
}
