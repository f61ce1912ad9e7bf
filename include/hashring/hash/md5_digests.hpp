// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>
#include <hashring/hash/md5.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

/// \file
/// The digests of many short texts, several at a time.

namespace hashring::hash {

namespace detail {

/// How many digests are made side by side.
inline constexpr std::size_t md5_lanes = 8;

#if defined(__GNUC__)

/// One word of each of eight messages. The compiler makes of it what the machine has: two
/// registers of SSE2 or NEON, one of AVX2, or eight plain words.
using md5_lanes_word [[gnu::vector_size(md5_lanes * sizeof(std::uint32_t))]] = std::uint32_t;

/// The digests of up to eight texts that fit one block each: at most 55 bytes.
inline void md5_digest_lanes(std::span<const std::string_view> texts, md5_digest* out) noexcept {
    std::array<std::array<std::uint32_t, md5_lanes>, 16> words{}; // word by word, lane by lane
    for (std::size_t lane = 0; lane < texts.size(); ++lane) {
        const std::size_t size = texts[lane].size();
        for (std::size_t i = 0; i < size / 4; ++i) {
            words[i][lane] = load_le32(texts[lane], 4 * i);
        }
        words[size / 4][lane] = md5_last_word(texts[lane]); // those behind it stay 0
        words[14][lane] = static_cast<std::uint32_t>(8 * size);
    }
    md5_block_of<md5_lanes_word> blocks;
    static_assert(sizeof blocks == sizeof words);
    std::memcpy(&blocks, &words, sizeof blocks);
    md5_state_of<md5_lanes_word> state;
    for (std::size_t i = 0; i < state.size(); ++i) {
        state[i] = md5_start[i] + md5_lanes_word{};
    }
    md5_compress(state, blocks);
    std::memcpy(&words, &state, sizeof state);
    for (std::size_t lane = 0; lane < texts.size(); ++lane) {
        for (std::size_t i = 0; i < state.size(); ++i) {
            out[lane].words[i] = words[i][lane];
        }
    }
}

#else

inline void md5_digest_lanes(std::span<const std::string_view> texts, md5_digest* out) noexcept {
    std::transform(texts.begin(), texts.end(), out, md5::digest);
}

#endif

} // namespace detail

/// Writes the MD5 digest of each of `texts` to `out`, which has room for them. Law: what
/// `md5::digest` gives one by one; texts of at most 55 bytes take about half the time, as eight are
/// made side by side where the compiler can. O(bytes).
///
/// Source: RFC 1321.
inline void md5_digests(std::span<const std::string_view> texts,
                        std::span<md5_digest> out) noexcept {
    constexpr std::size_t one_block = 55; // with the byte 0x80 and the length
    for (std::size_t first = 0; first < texts.size(); first += detail::md5_lanes) {
        const auto some = texts.subspan(first, std::min(detail::md5_lanes, texts.size() - first));
        const bool all_short = std::all_of(some.begin(), some.end(), [](std::string_view text) {
            return text.size() <= one_block;
        });
        if (all_short && some.size() > 1) {
            detail::md5_digest_lanes(some, out.data() + first);
        } else {
            std::transform(some.begin(), some.end(), out.data() + first, md5::digest);
        }
    }
}

} // namespace hashring::hash
