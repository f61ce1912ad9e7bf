// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/mismatches.hpp"
#include "support/sanitizers.hpp"
#include "support/test_schemes.hpp"

#include <hashring/hashring.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

using namespace hashring;

namespace {

using byte_ring = ring<test_schemes::listed<std::uint8_t>>;
using weights = std::array<std::uint64_t, 3>;

constexpr std::array<std::uint8_t, 3> positions = {50, 100, 200}; // of a, b and c
constexpr unsigned steps = 6;

// The bound as it is written, in whole numbers, and the three nodes by hand.
struct by_hand {
    weights weigh{};
    std::uint64_t percent = 0;
    unsigned down = 0; // bits
    std::array<std::uint64_t, 3> in_flight{};

    bool is_up(unsigned node) const { return (down >> node & 1U) == 0; }

    // The least m with m ≥ percent / 100 · total · weight / weights.
    std::uint64_t cap(unsigned node) const {
        std::uint64_t total = 1;
        std::uint64_t all = 0;
        for (unsigned i = 0; i < 3; ++i) {
            total += is_up(i) ? in_flight[i] : 0;
            all += is_up(i) ? weigh[i] : 0;
        }
        std::uint64_t m = 0;
        while (m * 100 * all < percent * total * weigh[node]) {
            ++m;
        }
        return m;
    }

    // Who takes a request that stands on the point of `first`; 3 if nobody does.
    unsigned take(unsigned first) {
        for (unsigned i = 0; i < 3; ++i) {
            const unsigned node = (first + i) % 3;
            if (weigh[node] > 0 && is_up(node) && in_flight[node] < cap(node)) {
                ++in_flight[node];
                return node;
            }
        }
        return 3;
    }
    bool somebody_is_up() const {
        return (is_up(0) && weigh[0] > 0) || (is_up(1) && weigh[1] > 0) ||
               (is_up(2) && weigh[2] > 0);
    }
};

// Step by step, the digits of `history` in base 4: a request to a, b or c, or the oldest one ends.
bool keeps_the_bound(const byte_ring& r, const node_marks& marks, by_hand expected,
                     unsigned history) {
    live_load load(r, static_cast<std::uint32_t>(expected.percent));
    std::deque<std::pair<live_load::ticket, unsigned>> held;
    bool right = true;
    for (unsigned step = 0; step < steps; ++step, history /= 4) {
        if (history % 4 < 3) {
            const unsigned wanted = expected.take(history % 4);
            live_load::ticket t = load.acquire(r, positions[history % 4], marks);
            right &= (t.node() == no_node ? 3 : t.node()) == wanted;
            right &= (wanted == 3) != expected.somebody_is_up();
            held.emplace_back(std::move(t), wanted);
        } else if (!held.empty()) {
            load.release(std::move(held.front().first));
            expected.in_flight[held.front().second % 3] -= held.front().second < 3 ? 1U : 0U;
            held.pop_front();
        }
        for (unsigned i = 0; i < 3; ++i) {
            right &= load.in_flight(i) == expected.in_flight[i];
        }
    }
    return right;
}

} // namespace

TEST_CASE("live_load: in every history of six steps a request goes to the first node with room",
          "[ring][load][exhaustive]") {
    const weights weigh = GENERATE(weights{1, 1, 1}, weights{1, 2, 3}, weights{5, 1, 1},
                                   weights{2, 0, 1}, weights{0, 0, 4});
    const byte_ring r{
        {"a:50", weight{weigh[0]}}, {"b:100", weight{weigh[1]}}, {"c:200", weight{weigh[2]}}};
    test::mismatches found;
    std::size_t histories = 0;
    for (unsigned down = 0; down < 8; ++down) {
        node_marks marks(3);
        for (std::uint32_t i = 0; i < 3; ++i) {
            if ((down >> i & 1U) != 0) {
                marks.mark_down(i);
            }
        }
        for (const std::uint64_t percent : {101U, 125U, 200U}) {
            for (unsigned history = 0; history < (1U << (2 * steps)); ++history) {
                if (++histories % exhaustive_stride == 0) {
                    found.expect(keeps_the_bound(r, marks, {weigh, percent, down}, history),
                                 weigh[0], weigh[1], weigh[2], "down", down, "percent", percent,
                                 history);
                }
            }
        }
    }
    CHECK_NO_MISMATCHES(found);
}
