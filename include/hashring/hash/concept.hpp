// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <string_view>

/// \file
/// What a hash is here: a small function object that turns bytes into an unsigned number.

namespace hashring {

/// A hash: a regular value (its members are its seed or options, if any) with
///
/// - `H::result_type`  an unsigned integer;
/// - `H::name`         a constant `std::string_view`, stable text, shown in reports, test names and
/// benchmarks;
/// - `H::avalanches`   whether every input bit reaches every output bit, so that look-alike names
///                     spread over the whole circle. A weak hash says `false` and is not taken as a
///                     position before it is wrapped in `finalised<H>` or, on purpose, `raw<H>`;
/// - `h(bytes)`        `noexcept`, and the same bytes give the same number on every platform and in
///                     every release. Bytes are unsigned, words little-endian, NUL is a byte.
template <class H>
concept hash_function = std::regular<H> && std::unsigned_integral<typename H::result_type> &&
                        requires(const H& h, std::string_view bytes) {
                            { h(bytes) } noexcept -> std::same_as<typename H::result_type>;
                            requires std::same_as<decltype(H::name), const std::string_view>;
                            { H::avalanches } -> std::convertible_to<bool>;
                        };

/// A hash whose value may be used as a position on the circle as it is: one that avalanches, or a
/// weak one in `raw`, which says `taken_raw`.
template <class H>
concept position_hash = hash_function<H> && (bool{H::avalanches} || requires {
                            requires bool { H::taken_raw };
                        });

} // namespace hashring
