// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/hash/concept.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// \file
/// The 64-bit finaliser, and the two ways to use a weak hash: behind it, or raw by explicit choice.

namespace hashring::hash {

/// The SplitMix64 finaliser: a bijection of the 64-bit numbers in which every input bit changes
/// every output bit with a probability near one half. Law: `unmix(mix(z)) == z`.
///
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014,
/// with the constants of S. Vigna's splitmix64.c (2015), variant 13 of D. Stafford's mixers.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t z) noexcept {
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

namespace detail {

/// `parts` joined in static storage, so that a name can be put together at compile time.
template <const std::string_view&... Parts>
struct joined {
    static constexpr auto characters = [] {
        std::array<char, (Parts.size() + ... + 0)> text{};
        std::size_t at = 0;
        for (const std::string_view part : {Parts...}) {
            std::copy(part.begin(), part.end(), text.begin() + static_cast<std::ptrdiff_t>(at));
            at += part.size();
        }
        return text;
    }();
    static constexpr std::string_view value{characters.data(), characters.size()};
};

inline constexpr std::string_view mixed_prefix = "mix-";
inline constexpr std::string_view raw_prefix = "raw-";

} // namespace detail

/// A hash with the finaliser behind it: `mix(h(bytes))`, 64 bits wide whatever `Hash` is.
///
/// It spreads values that `Hash` leaves close together; it cannot part values that `Hash` makes
/// equal. Names: `mix-` before the hash's own.
template <hash_function Hash>
struct finalised {
    using result_type = std::uint64_t;
    static constexpr std::string_view name =
        detail::joined<detail::mixed_prefix, Hash::name>::value;
    static constexpr bool avalanches = true;

    Hash hash{};

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        return mix(hash(bytes));
    }

    friend constexpr bool operator==(const finalised&, const finalised&) = default;
};

/// A weak hash taken as a position as it is: the explicit choice to place like a system that does
/// so. Look-alike names may then fall on one arc and leave the rest of the circle empty.
template <hash_function Hash>
struct raw {
    using result_type = typename Hash::result_type;
    static constexpr std::string_view name = detail::joined<detail::raw_prefix, Hash::name>::value;
    static constexpr bool avalanches = Hash::avalanches;
    static constexpr bool taken_raw = true;

    Hash hash{};

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        return hash(bytes);
    }

    friend constexpr bool operator==(const raw&, const raw&) = default;
};

} // namespace hashring::hash
