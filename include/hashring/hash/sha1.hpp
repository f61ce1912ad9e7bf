// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>
#include <hashring/hash/concept.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// \file
/// SHA-1, as some rings place nodes by it. Not for anything secret.

namespace hashring::hash {

/// The 160 bits of a SHA-1 digest, as its five big-endian words.
using sha1_digest = std::array<std::uint32_t, 5>;

namespace detail {

using sha1_block = std::array<std::uint32_t, 16>;

/// The 64 bytes from `at` on in big-endian words; behind the last of `bytes` the byte 0x80 and then
/// zeros.
[[nodiscard]] constexpr sha1_block sha1_load(std::string_view bytes, std::size_t at) noexcept {
    sha1_block block{};
    for (std::size_t i = 0; i < 64 && at + i <= bytes.size(); ++i) {
        const std::uint32_t byte = at + i < bytes.size() ? byte_at(bytes, at + i) : 0x80U;
        block[i / 4] |= byte << (24U - 8U * (i % 4));
    }
    return block;
}

/// FIPS 180-4, section 4.1.1 and 4.2.1: the function and the constant of step `i` in [0, 79], added
/// up.
[[nodiscard]] constexpr std::uint32_t sha1_term(std::size_t i, std::uint32_t b, std::uint32_t c,
                                                std::uint32_t d) noexcept {
    switch (i / 20) {
    case 0:
        return ((b & c) ^ (~b & d)) + 0x5a827999U;
    case 1:
        return (b ^ c ^ d) + 0x6ed9eba1U;
    case 2:
        return ((b & c) ^ (b & d) ^ (c & d)) + 0x8f1bbcdcU;
    default:
        return (b ^ c ^ d) + 0xca62c1d6U;
    }
}

/// FIPS 180-4, section 6.1.3: the schedule of words takes the place of the block.
constexpr void sha1_compress(sha1_digest& state, sha1_block block) noexcept {
    auto [a, b, c, d, e] = state;
    for (std::size_t i = 0; i < 80; ++i) {
        std::uint32_t& word = block[i % 16];
        if (i >= 16) {
            word = std::rotl(
                block[(i + 13) % 16] ^ block[(i + 8) % 16] ^ block[(i + 2) % 16] ^ word, 1);
        }
        const std::uint32_t next = std::rotl(a, 5) + sha1_term(i, b, c, d) + e + word;
        e = d;
        d = c;
        c = std::rotl(b, 30);
        b = a;
        a = next;
    }
    const sha1_digest sum = {a, b, c, d, e};
    for (std::size_t i = 0; i < state.size(); ++i) {
        state[i] += sum[i];
    }
}

} // namespace detail

/// SHA-1. The hash proper is `digest`; called as a function it gives the first big-endian word. All
/// 32-bit values; O(length).
///
/// Source: FIPS 180-4, sections 5 and 6.1.
struct sha1 {
    using result_type = std::uint32_t;
    static constexpr std::string_view name = "sha1";
    static constexpr bool avalanches = true;

    /// The whole digest of `bytes`.
    [[nodiscard]] static constexpr sha1_digest digest(std::string_view bytes) noexcept {
        sha1_digest state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
        std::size_t at = 0;
        for (; bytes.size() - at >= 64; at += 64) {
            detail::sha1_compress(state, detail::sha1_load(bytes, at));
        }
        detail::sha1_block block = detail::sha1_load(bytes, at);
        if (bytes.size() - at >= 56) { // no room for the length
            detail::sha1_compress(state, block);
            block = {};
        }
        const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
        block[14] = static_cast<std::uint32_t>(bits >> 32U);
        block[15] = static_cast<std::uint32_t>(bits & 0xffffffffU);
        detail::sha1_compress(state, block);
        return state;
    }

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        return digest(bytes)[0];
    }

    friend constexpr bool operator==(const sha1&, const sha1&) = default;
};

static_assert(position_hash<sha1>);

} // namespace hashring::hash
