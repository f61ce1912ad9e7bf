// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/text.hpp>
#include <hashring/hash/md5_digests.hpp>
#include <hashring/hash/mix.hpp>
#include <hashring/placement/labels.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// \file
/// From labels to positions: one hash a label, four positions a digest, or one hash a name.

namespace hashring {

/// Fills `out` with one position a virtual node: the hash of its label.
template <class Hash, label_rule Label>
void points_by_label(const Hash& hash, const Label& label, const placed_node& node,
                     std::span<typename Hash::result_type> out) {
    std::string text;
    for (std::size_t j = 0; j < out.size(); ++j) {
        text.clear();
        label(text, node, static_cast<std::uint32_t>(j));
        out[j] = hash(text);
    }
}

/// Fills `out` with ketama's positions: virtual node j stands at word j mod `words` of the MD5
/// digest of label j / `words`, of whose 4 words some programs use fewer. Of the last digest only
/// as many are used as are wanted.
///
/// Source: Redis paper, algorithm 2; the same rule as libketama's, with another label.
template <label_rule Label>
void points_by_digest(const Label& label, const placed_node& node, std::span<std::uint32_t> out,
                      std::size_t words = 4) {
    constexpr std::size_t batch = 8; // as many as are made side by side
    std::string labels;              // one after the other
    std::array<std::size_t, batch> ends;
    std::array<std::string_view, batch> texts;
    std::array<hash::md5_digest, batch> digests;
    std::uint32_t next = 0;
    while (!out.empty()) {
        const std::size_t count = std::min(batch, (out.size() + words - 1) / words);
        labels.clear();
        for (std::size_t k = 0; k < count; ++k) {
            label(labels, node, next++);
            ends[k] = labels.size();
        }
        for (std::size_t k = 0, begin = 0; k < count; begin = ends[k++]) {
            texts[k] = std::string_view(labels).substr(begin, ends[k] - begin);
        }
        hash::md5_digests(std::span(texts).first(count), digests);
        for (const hash::md5_digest& digest : std::span(digests).first(count)) {
            const std::size_t used = std::min(words, out.size());
            std::copy_n(digest.words.begin(), used, out.begin());
            out = out.subspan(used);
        }
    }
}

/// What virtual node `j` of `points_by_digest` is hashed from, in words.
template <label_rule Label>
[[nodiscard]] std::string digest_label(const Label& label, const placed_node& node, std::uint32_t j,
                                       std::uint32_t words = 4) {
    return concat(label_text(label, node, j / words), " word ", decimal(j % words));
}

/// The position of virtual node j of a node whose name hashes to `name_hash`:
/// `mix(name_hash + (j + 1) · 0x9e3779b97f4a7c15)`, the j-th output of SplitMix64 seeded with it.
///
/// The name is hashed once, and for one name no two j below 2^64 share a position, as the
/// multiplier is odd and `mix` a bijection.
[[nodiscard]] constexpr std::uint64_t hashed_once_position(std::uint64_t name_hash,
                                                           std::uint64_t j) noexcept {
    return hash::mix(name_hash + (j + 1) * 0x9e3779b97f4a7c15U);
}

} // namespace hashring
