// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/hash/concept.hpp>
#include <hashring/hash/widening.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

/// \file
/// The Fowler/Noll/Vo hashes, 32 and 64 bits wide, in both orders.

namespace hashring::hash {

/// The widths that FNV is offered in.
template <class Word>
concept fnv_word = std::same_as<Word, std::uint32_t> || std::same_as<Word, std::uint64_t>;

namespace detail {

/// The offset basis and the prime of one width.
template <fnv_word Word>
struct fnv_constants {
    static constexpr bool wide = std::is_same_v<Word, std::uint64_t>;
    static constexpr Word basis =
        wide ? static_cast<Word>(0xcbf29ce484222325U) : static_cast<Word>(0x811c9dc5U);
    static constexpr Word prime =
        wide ? static_cast<Word>(0x100000001b3U) : static_cast<Word>(0x01000193U);
};

/// Of the names for 32 and 64 bits, and the same with signed bytes.
template <fnv_word Word, widening Widening>
[[nodiscard]] constexpr std::string_view
fnv_name(const std::array<std::string_view, 4>& names) noexcept {
    return names[(Widening == widening::sign ? 2U : 0U) + (fnv_constants<Word>::wide ? 1U : 0U)];
}

} // namespace detail

/// FNV-1: multiply, then the byte. All values of `Word`, the empty text's is the offset basis;
/// O(length), one byte after the other.
///
/// Weak: the last byte changes no bit but its own eight, so names that differ in the last character
/// stand next to each other. Wrap it in `finalised` unless a system dictates it raw.
///
/// Source: Fowler, Noll, Vo and Eastlake, "The FNV Non-Cryptographic Hash Algorithm", RFC 9923.
template <fnv_word Word, widening Widening = widening::zero>
struct fnv1 {
    using result_type = Word;
    static constexpr std::string_view name = detail::fnv_name<Word, Widening>(
        {"fnv1-32", "fnv1-64", "fnv1-32-signed", "fnv1-64-signed"});
    static constexpr bool avalanches = false;

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        Word h = detail::fnv_constants<Word>::basis;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            h *= detail::fnv_constants<Word>::prime;
            h ^= widened<Word, Widening>(bytes, i);
        }
        return h;
    }

    friend constexpr bool operator==(const fnv1&, const fnv1&) = default;
};

/// FNV-1a: the byte, then multiply. All values of `Word`, the empty text's is the offset basis;
/// O(length), one byte after the other.
///
/// Weak for positions: the last byte reaches few of the upper bits. Wrap it in `finalised` unless a
/// system dictates it raw.
///
/// Source: as `fnv1`.
template <fnv_word Word, widening Widening = widening::zero>
struct fnv1a {
    using result_type = Word;
    static constexpr std::string_view name = detail::fnv_name<Word, Widening>(
        {"fnv1a-32", "fnv1a-64", "fnv1a-32-signed", "fnv1a-64-signed"});
    static constexpr bool avalanches = false;

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        Word h = detail::fnv_constants<Word>::basis;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            h ^= widened<Word, Widening>(bytes, i);
            h *= detail::fnv_constants<Word>::prime;
        }
        return h;
    }

    friend constexpr bool operator==(const fnv1a&, const fnv1a&) = default;
};

static_assert(hash_function<fnv1<std::uint32_t>> && hash_function<fnv1a<std::uint64_t>>);

} // namespace hashring::hash
