// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>
#include <hashring/hash/concept.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// \file
/// SipHash, a hash with a secret key, for keys that strangers choose.

namespace hashring::hash {

namespace detail {
inline constexpr std::string_view siphash13_name = "siphash-1-3";
inline constexpr std::string_view siphash24_name = "siphash-2-4";
} // namespace detail

/// SipHash-c-d: a keyed hash of 64 bits. All values; O(length).
///
/// Who does not know the key cannot choose inputs that collide or that crowd onto one node, other
/// than with the hashes without a key, also with seeded ones such as `murmur64a` and `xxh3`, for
/// which such inputs are published. The key is 16 bytes, read as two little-endian words; draw it
/// at random, and give the same to all who place the same keys. With a key of 0 it keeps no secret.
///
/// Worked example: SipHash-2-4 of the bytes 0 … 14 under the key of bytes 0 … 15 is
/// 0xa129ca6149be45e5.
///
/// Source: J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF", Indocrypt 2012,
/// section 2 and appendix A; 1-3 is the form of Rust's and Ruby's tables.
template <int CompressionRounds, int FinalRounds>
struct siphash {
    static_assert(CompressionRounds > 0 && FinalRounds > 0, "SipHash has rounds");

    using result_type = std::uint64_t;
    static constexpr std::string_view name =
        CompressionRounds == 1 && FinalRounds == 3   ? detail::siphash13_name
        : CompressionRounds == 2 && FinalRounds == 4 ? detail::siphash24_name
                                                     : std::string_view("siphash");
    static constexpr bool avalanches = true;

    std::uint64_t key0 = 0; ///< the first eight bytes of the key
    std::uint64_t key1 = 0; ///< the other eight

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        state v{key0 ^ 0x736f6d6570736575U, key1 ^ 0x646f72616e646f6dU, key0 ^ 0x6c7967656e657261U,
                key1 ^ 0x7465646279746573U};
        std::size_t at = 0;
        for (; bytes.size() - at >= 8; at += 8) {
            v.absorb(load_le64(bytes, at));
        }
        const std::uint64_t tail = at < bytes.size() ? load_le_tail(bytes, at) : 0;
        v.absorb((std::uint64_t{bytes.size()} << 56U) | tail);
        v.c ^= 0xffU;
        v.rounds(FinalRounds);
        return v.a ^ v.b ^ v.c ^ v.d;
    }

    friend constexpr bool operator==(const siphash&, const siphash&) = default;

private:
    struct state {
        std::uint64_t a, b, c, d;

        constexpr void absorb(std::uint64_t word) noexcept {
            d ^= word;
            rounds(CompressionRounds);
            a ^= word;
        }
        constexpr void rounds(int count) noexcept {
            for (; count > 0; --count) {
                a += b;
                c += d;
                b = std::rotl(b, 13) ^ a;
                d = std::rotl(d, 16) ^ c;
                a = std::rotl(a, 32);
                c += b;
                a += d;
                b = std::rotl(b, 17) ^ c;
                d = std::rotl(d, 21) ^ a;
                c = std::rotl(c, 32);
            }
        }
    };
};

/// The form that its authors recommend.
using siphash24 = siphash<2, 4>;
/// The faster form, for hash tables.
using siphash13 = siphash<1, 3>;

static_assert(position_hash<siphash24>);
static_assert(siphash24{0x0706050403020100U, 0x0f0e0d0c0b0a0908U}(std::string_view(
                  "\0\1\2\3\4\5\6\7\10\11\12\13\14\15\16", 15)) == 0xa129ca6149be45e5U);

} // namespace hashring::hash
