// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>
#include <hashring/hash/concept.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// \file
/// CRC-32 as zlib, PNG and most cache clients compute it.

namespace hashring::hash {

namespace detail {

/// Table t maps a byte to its remainder after t further zero bytes, so that eight bytes are folded
/// in one step.
using crc32_tables = std::array<std::array<std::uint32_t, 256>, 8>;

[[nodiscard]] constexpr crc32_tables make_crc32_tables() noexcept {
    crc32_tables tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t remainder = byte;
        for (int bit = 0; bit < 8; ++bit) {
            remainder = (remainder >> 1U) ^ ((remainder & 1U) != 0 ? 0xedb88320U : 0U);
        }
        tables[0][byte] = remainder;
    }
    for (std::size_t t = 1; t < 8; ++t) {
        for (std::size_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t before = tables[t - 1][byte];
            tables[t][byte] = (before >> 8U) ^ tables[0][before & 0xffU];
        }
    }
    return tables;
}

inline constexpr crc32_tables crc32_table = make_crc32_tables();

[[nodiscard]] constexpr std::uint32_t crc32_eight(std::uint32_t crc, std::uint64_t word) noexcept {
    word ^= crc;
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < 8; ++i) {
        next ^= crc32_table[7 - i][(word >> (8U * i)) & 0xffU];
    }
    return next;
}

} // namespace detail

/// CRC-32, reflected, polynomial 0xEDB88320, start and final inversion 0xFFFFFFFF: zlib's `crc32`.
/// All 32-bit values; O(length).
///
/// A checksum, not a hash: it is affine, so names that differ in one digit give points in the same
/// pattern. Wrap it in `finalised` unless a system dictates it raw.
///
/// Source: ITU-T V.42 and RFC 1952, section 8; eight bytes a step after Kounavis and Berry, "A
/// Systematic Approach to Building High Performance Software-Based CRC Generators", ISCC 2005.
struct crc32 {
    using result_type = std::uint32_t;
    static constexpr std::string_view name = "crc32";
    static constexpr bool avalanches = false;

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        std::uint32_t crc = 0xffffffffU;
        std::size_t at = 0;
        for (; bytes.size() - at >= 8; at += 8) {
            crc = detail::crc32_eight(crc, load_le64(bytes, at));
        }
        for (; at < bytes.size(); ++at) {
            crc = (crc >> 8U) ^ detail::crc32_table[0][(crc ^ byte_at(bytes, at)) & 0xffU];
        }
        return crc ^ 0xffffffffU;
    }

    friend constexpr bool operator==(const crc32&, const crc32&) = default;
};

static_assert(hash_function<crc32>);

} // namespace hashring::hash
