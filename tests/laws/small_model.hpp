// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace laws {

// What there is to be, letter by letter: a, b and c are the nodes of the ring, and after them comes
// one for each position.
template <unsigned Last>
struct small_model {
    static constexpr unsigned letters = 3 + Last + 1;

    struct node {
        bool is_member = false;
        bool is_idle = false;
        bool is_down = false;
        std::uint8_t by_hand = 255; // 255 is by the weight
    };
    using order = std::array<std::uint8_t, 8>; // letters, and `letters` behind them

    std::array<node, letters> nodes{};
    std::array<std::array<std::uint8_t, 3>, 3> listed{}; // of a, b and c
    std::array<std::uint8_t, 3> listed_count{};

    unsigned count(unsigned letter) const {
        const node& n = nodes[letter];
        if (!n.is_member) {
            return 0;
        }
        const unsigned by_weight = n.is_idle ? 0 : (letter < 3 ? listed_count[letter] : 1);
        return n.by_hand == 255 ? by_weight : n.by_hand;
    }
    unsigned position(unsigned letter, unsigned j) const {
        if (letter >= 3) {
            return j == 0 ? letter - 3 : 0;
        }
        return j < listed_count[letter] ? listed[letter][j] : 0;
    }
    // By position the set of letters that have a point there.
    std::array<std::uint64_t, Last + 1> points() const {
        std::array<std::uint64_t, Last + 1> result{};
        for (unsigned letter = 0; letter < letters; ++letter) {
            for (unsigned j = count(letter); j-- > 0;) {
                result[position(letter, j)] |= std::uint64_t{1} << letter;
            }
        }
        return result;
    }
    // The letters clockwise from `p`: position by position, and on one in their order.
    static order clockwise(const std::array<std::uint64_t, Last + 1>& points, unsigned p,
                           std::uint64_t left_out) {
        order result;
        result.fill(letters);
        std::size_t size = 0;
        for (unsigned step = 0; step <= Last; ++step) {
            std::uint64_t here = points[(p + step) % (Last + 1)] & ~left_out;
            left_out |= here;
            for (; here != 0; here &= here - 1) {
                result[size++] = static_cast<std::uint8_t>(std::countr_zero(here));
            }
        }
        return result;
    }
    void forget_who_left() {
        for (node& n : nodes) {
            n = n.is_member ? n : node{};
        }
    }
};

} // namespace laws
