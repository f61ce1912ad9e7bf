// SPDX-License-Identifier: MIT
#pragma once

#include "fuzz/fuzz.hpp"
#include "support/text_at_offset.hpp"

#include <hashring/hashring.hpp>

#include <xxhash.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fuzz {

namespace detail {

/// The hash of `text` where it ends with its allocation, at each of 16 alignments.
template <class Hash>
typename Hash::result_type hash_anywhere(const Hash& hash, std::string_view text) {
    const auto value = hash(text);
    for (std::size_t offset = 0; offset < 16; ++offset) {
        expect(hash(hashring::test::text_at_offset(text, offset).view()) == value,
               "a hash does not depend on where the text stands");
    }
    return value;
}

template <class... Hashes>
void hash_all(std::string_view text, const Hashes&... hashes) {
    (static_cast<void>(hash_anywhere(hashes, text)), ...);
}

/// A register that takes one byte after the other: all there is of the simple hashes.
template <class Word, class Step>
Word byte_by_byte(std::string_view text, Word start, Step step) {
    for (const char c : text) {
        start = step(start, static_cast<std::uint8_t>(c));
    }
    return start;
}

/// The second implementations, as the books have them.
inline void expect_as_in_the_books(std::string_view text) {
    using namespace hashring::hash;
    using u32 = std::uint32_t;
    using u64 = std::uint64_t;
    expect(crc32{}(text) == ~byte_by_byte(text, ~u32{0},
                                          [](u32 crc, u32 byte) {
                                              crc ^= byte;
                                              for (int bit = 0; bit < 8; ++bit) {
                                                  crc = crc >> 1U ^ (crc & 1U ? 0xedb88320U : 0U);
                                              }
                                              return crc;
                                          }),
           "crc32");
    expect(crc16{}(text) == byte_by_byte(text, u32{0},
                                         [](u32 crc, u32 byte) {
                                             crc ^= byte << 8U;
                                             for (int bit = 0; bit < 8; ++bit) {
                                                 crc = crc << 1U ^ (crc & 0x8000U ? 0x1021U : 0U);
                                             }
                                             return crc & 0xffffU;
                                         }),
           "crc16");
    expect(fnv1a<u32>{}(text) ==
               byte_by_byte(text, u32{2166136261U},
                            [](u32 h, u32 byte) { return (h ^ byte) * 16777619U; }),
           "fnv1a");
    expect(fnv1<u64>{}(text) ==
               byte_by_byte(text, u64{14695981039346656037U},
                            [](u64 h, u64 byte) { return (h * 1099511628211U) ^ byte; }),
           "fnv1-64");
    expect(bkdr<131>{}(text) ==
               byte_by_byte(text, u32{0},
                            [](u32 h, u32 byte) {
                                return static_cast<u32>((u64{h} * 131U + byte) % 0xffffffffU);
                            }),
           "bkdr");
    std::string turned(text.rbegin(), text.rend());
    expect(bkdr_printed<131>{}(text) == bkdr<131>{}(turned), "bkdr as it is printed");
}

/// What libxxhash makes of the same bytes, one after the other.
inline void expect_as_libxxhash_streams(std::string_view text) {
    XXH64_state_t* const wide = XXH64_createState();
    XXH32_state_t* const narrow = XXH32_createState();
    XXH3_state_t* const third = XXH3_createState();
    XXH64_reset(wide, 0);
    XXH32_reset(narrow, 0);
    XXH3_64bits_reset(third);
    for (const char& c : text) {
        XXH64_update(wide, &c, 1);
        XXH32_update(narrow, &c, 1);
        XXH3_64bits_update(third, &c, 1);
    }
    const bool is_same = XXH64_digest(wide) == hashring::hash::xxh64{}(text) &&
                         XXH32_digest(narrow) == hashring::hash::xxh32{}(text) &&
                         XXH3_64bits_digest(third) == hashring::hash::xxh3{}(text);
    XXH64_freeState(wide);
    XXH32_freeState(narrow);
    XXH3_freeState(third);
    expect(is_same, "xxhash");
}

/// MD5 digests side by side are those one by one, whatever else is hashed with a text.
inline void expect_lanes_apart(std::string_view text) {
    using hashring::hash::md5_digest;
    std::vector<std::string_view> texts;
    for (std::size_t cut = 0; cut < 11; ++cut) {
        texts.push_back(text.substr(0, text.size() * cut / 10));
    }
    std::vector<md5_digest> together(texts.size());
    hashring::hash::md5_digests(texts, together);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        expect(together[i] == hashring::hash::md5::digest(texts[i]), "md5 side by side");
    }
}

} // namespace detail

/// Every hash of the same bytes at every alignment, and beside a second implementation where there
/// is a short one. A read past either end is seen by the address sanitizer.
inline void hashes(std::string_view bytes) {
    using namespace hashring;
    using hash::widening;
    drawn choice(bytes);
    const std::uint32_t seed = choice.byte() * 0x01010101U;
    const std::string_view text = choice.rest();
    detail::hash_all(text, hash::xxh3{seed}, hash::xxh64{seed}, hash::xxh32{seed},
                     hash::murmur2{seed}, hash::murmur3_32{seed}, hash::murmur64a{seed},
                     hash::lookup3{seed}, hash::hsieh<>{},
                     hash::hsieh<widening::sign, widening::zero>{}, hash::md5{}, hash::sha1{},
                     hash::crc32{}, hash::crc16{}, hash::crc16_uncut{}, hash::djb2{}, hash::sdbm{},
                     hash::wt6{}, hash::one_at_a_time<>{}, hash::one_at_a_time<widening::sign>{},
                     hash::fnv1a<std::uint32_t>{}, hash::fnv1<std::uint64_t>{},
                     hash::fnv1a<std::uint64_t, widening::sign>{}, hash::bkdr<131>{},
                     hash::bkdr_printed<131>{}, hash::finalised<hash::crc32>{});
    detail::expect_as_in_the_books(text);
    detail::expect_as_libxxhash_streams(text);
    detail::expect_lanes_apart(text);
}

} // namespace fuzz
