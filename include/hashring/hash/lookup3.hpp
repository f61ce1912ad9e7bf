// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>
#include <hashring/hash/concept.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// \file
/// Bob Jenkins' lookup3.

namespace hashring::hash {

/// `hashlittle` of lookup3 with any `initval`. All 32-bit values; O(length), twelve bytes a step.
///
/// Words are little-endian on every machine. Of the length only the low 32 bits count.
///
/// Source: B. Jenkins, lookup3.c (May 2006, public domain), `hashlittle`.
struct lookup3 {
    using result_type = std::uint32_t;
    static constexpr std::string_view name = "lookup3";
    static constexpr bool avalanches = true;

    std::uint32_t initval = 0;

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        const std::uint32_t start =
            0xdeadbeefU + static_cast<std::uint32_t>(bytes.size()) + initval;
        if (bytes.empty()) {
            return start;
        }
        state s{start, start, start};
        std::size_t at = 0;
        for (; bytes.size() - at > 12; at += 12) { // at least one byte is left for the end
            s.a += load_le32(bytes, at);
            s.b += load_le32(bytes, at + 4);
            s.c += load_le32(bytes, at + 8);
            mix(s);
        }
        s.a += word_or_rest(bytes, at);
        s.b += word_or_rest(bytes, at + 4);
        s.c += word_or_rest(bytes, at + 8);
        finish(s);
        return s.c;
    }

    friend constexpr bool operator==(const lookup3&, const lookup3&) = default;

private:
    struct state {
        std::uint32_t a, b, c;
    };

    /// The four bytes from `at` on, as many as there are, padded with zeros.
    [[nodiscard]] static constexpr std::uint32_t word_or_rest(std::string_view bytes,
                                                              std::size_t at) noexcept {
        return at + 4 <= bytes.size() ? load_le32(bytes, at)
                                      : static_cast<std::uint32_t>(load_le_tail(bytes, at));
    }

    static constexpr void mix(state& s) noexcept {
        s.a = (s.a - s.c) ^ std::rotl(s.c, 4);
        s.c += s.b;
        s.b = (s.b - s.a) ^ std::rotl(s.a, 6);
        s.a += s.c;
        s.c = (s.c - s.b) ^ std::rotl(s.b, 8);
        s.b += s.a;
        s.a = (s.a - s.c) ^ std::rotl(s.c, 16);
        s.c += s.b;
        s.b = (s.b - s.a) ^ std::rotl(s.a, 19);
        s.a += s.c;
        s.c = (s.c - s.b) ^ std::rotl(s.b, 4);
        s.b += s.a;
    }

    static constexpr void finish(state& s) noexcept {
        s.c = (s.c ^ s.b) - std::rotl(s.b, 14);
        s.a = (s.a ^ s.c) - std::rotl(s.c, 11);
        s.b = (s.b ^ s.a) - std::rotl(s.a, 25);
        s.c = (s.c ^ s.b) - std::rotl(s.b, 16);
        s.a = (s.a ^ s.c) - std::rotl(s.c, 4);
        s.b = (s.b ^ s.a) - std::rotl(s.a, 14);
        s.c = (s.c ^ s.b) - std::rotl(s.b, 24);
    }
};

static_assert(position_hash<lookup3>);

} // namespace hashring::hash
