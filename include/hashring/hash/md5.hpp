// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>
#include <hashring/core/text.hpp>
#include <hashring/hash/concept.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

/// \file
/// MD5, as ketama rings use it: four positions from each digest. Not for anything secret.

namespace hashring::hash {

/// The 128 bits of an MD5 digest, as the four little-endian words that ketama takes as positions.
struct md5_digest {
    std::array<std::uint32_t, 4> words{};

    /// Byte `i` of the digest, `i` in [0, 15].
    [[nodiscard]] constexpr std::uint8_t byte(std::size_t i) const noexcept {
        return static_cast<std::uint8_t>(words[i / 4] >> (8U * (i % 4)));
    }

    /// The digest as RFC 1321 prints it: 32 hexadecimal digits in lower case.
    [[nodiscard]] std::string hex() const {
        std::string text;
        for (std::size_t i = 0; i < 16; ++i) {
            const char c = static_cast<char>(byte(i));
            append_hex(text, {&c, 1});
        }
        return text;
    }

    friend constexpr bool operator==(const md5_digest&, const md5_digest&) = default;
};

namespace detail {

/// RFC 1321, section 3.4: the i-th constant is the whole part of 2^32 · |sin(i + 1)|.
inline constexpr std::array<std::uint32_t, 64> md5_sines = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

/// What the rounds work on: a word of one message, or one of each of several.
template <class Word>
using md5_state_of = std::array<Word, 4>;
template <class Word>
using md5_block_of = std::array<Word, 16>;

using md5_state = md5_state_of<std::uint32_t>;
using md5_block = md5_block_of<std::uint32_t>;

inline constexpr md5_state md5_start = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};

/// Step `I` (0 to 15) of round `Round` (0 to 3). The four words change their names from step to
/// step instead of their places. Of the second round's function the two halves, which share no
/// bits, are added one after the other: the first does not wait for the step before.
template <unsigned Round, unsigned I, class Word>
constexpr void md5_step(md5_state_of<Word>& s, const md5_block_of<Word>& block) noexcept {
    constexpr std::array<std::array<unsigned, 4>, 4> shifts = {
        {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};
    constexpr std::array<unsigned, 4> words = {I, 5 * I + 1, 3 * I + 5, 7 * I};
    constexpr unsigned shift = shifts[Round][I % 4];
    const Word b = s[(65 - I) % 4];
    const Word c = s[(66 - I) % 4];
    const Word d = s[(67 - I) % 4];
    Word sum = s[(64 - I) % 4] + block[words[Round] % 16] + md5_sines[16 * Round + I];
    if constexpr (Round == 0) {
        sum += d ^ (b & (c ^ d));
    } else if constexpr (Round == 1) {
        sum += c & ~d;
        sum += b & d;
    } else if constexpr (Round == 2) {
        sum += b ^ (c ^ d);
    } else {
        sum += c ^ (b | ~d);
    }
    s[(64 - I) % 4] = b + ((sum << shift) | (sum >> (32 - shift)));
}

template <unsigned Round, class Word, unsigned... I>
constexpr void md5_round(md5_state_of<Word>& s, const md5_block_of<Word>& block,
                         std::integer_sequence<unsigned, I...>) noexcept {
    (md5_step<Round, I>(s, block), ...);
}

template <class Word>
constexpr void md5_compress(md5_state_of<Word>& state, const md5_block_of<Word>& block) noexcept {
    constexpr auto steps = std::make_integer_sequence<unsigned, 16>{};
    md5_state_of<Word> s = state;
    md5_round<0>(s, block, steps);
    md5_round<1>(s, block, steps);
    md5_round<2>(s, block, steps);
    md5_round<3>(s, block, steps);
    for (std::size_t i = 0; i < 4; ++i) {
        state[i] += s[i];
    }
}

[[nodiscard]] constexpr md5_block md5_load(std::string_view bytes, std::size_t at) noexcept {
    md5_block block{};
    for (std::size_t i = 0; i < 16; ++i) {
        block[i] = load_le32(bytes, at + 4 * i);
    }
    return block;
}

/// The last bytes that fill no word, with the byte 0x80 behind them.
[[nodiscard]] constexpr std::uint32_t md5_last_word(std::string_view bytes) noexcept {
    const std::size_t rest = bytes.size() % 4;
    const auto tail = static_cast<std::uint32_t>(load_le_tail(bytes, bytes.size() - rest));
    return tail | (std::uint32_t{0x80} << (8U * rest));
}

/// The last, incomplete block with the byte 0x80 behind it and zeros after that.
[[nodiscard]] constexpr md5_block md5_load_rest(std::string_view bytes, std::size_t at) noexcept {
    md5_block block{};
    const std::size_t rest = bytes.size() - at;
    for (std::size_t i = 0; i < rest / 4; ++i) {
        block[i] = load_le32(bytes, at + 4 * i);
    }
    block[rest / 4] = md5_last_word(bytes);
    return block;
}

/// Ends the last block with the length of the whole message in bits.
constexpr void md5_put_length(md5_block& block, std::size_t bytes) noexcept {
    const std::uint64_t bits = std::uint64_t{bytes} * 8;
    block[14] = static_cast<std::uint32_t>(bits & 0xffffffffU);
    block[15] = static_cast<std::uint32_t>(bits >> 32U);
}

} // namespace detail

/// MD5. The hash proper is `digest`; called as a function it gives the first little-endian word,
/// the position of a key on a ketama ring. All 32-bit values; O(length).
///
/// Source: RFC 1321; the word order is that of ketama (Redis paper, algorithm 2).
struct md5 {
    using result_type = std::uint32_t;
    static constexpr std::string_view name = "md5";
    static constexpr bool avalanches = true;

    /// The whole digest of `bytes`.
    [[nodiscard]] static constexpr md5_digest digest(std::string_view bytes) noexcept {
        detail::md5_state state = detail::md5_start;
        std::size_t at = 0;
        for (; bytes.size() - at >= 64; at += 64) {
            detail::md5_compress(state, detail::md5_load(bytes, at));
        }
        detail::md5_block block = detail::md5_load_rest(bytes, at);
        if (bytes.size() - at >= 56) { // no room for the length
            detail::md5_compress(state, block);
            block = {};
        }
        detail::md5_put_length(block, bytes.size());
        detail::md5_compress(state, block);
        return {state};
    }

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        return digest(bytes).words[0];
    }

    friend constexpr bool operator==(const md5&, const md5&) = default;
};

static_assert(position_hash<md5>);

} // namespace hashring::hash
