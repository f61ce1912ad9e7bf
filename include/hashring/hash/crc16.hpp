// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>
#include <hashring/hash/concept.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// \file
/// CRC-16 as XMODEM and Redis Cluster compute it.

namespace hashring::hash {

namespace detail {

[[nodiscard]] constexpr std::array<std::uint16_t, 256> make_crc16_table() noexcept {
    std::array<std::uint16_t, 256> table{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t remainder = byte << 8U;
        for (int bit = 0; bit < 8; ++bit) {
            remainder = (remainder << 1U) ^ ((remainder & 0x8000U) != 0 ? 0x1021U : 0U);
        }
        table[byte] = static_cast<std::uint16_t>(remainder & 0xffffU);
    }
    return table;
}

inline constexpr std::array<std::uint16_t, 256> crc16_table = make_crc16_table();

} // namespace detail

/// CRC-16 in a register of 32 bits that is never cut: its low 16 bits are the CRC, and those above
/// are what was shifted out of it. All 32-bit values; O(length). A mistake of twemproxy's.
///
/// Source: twemproxy 0.5.0, `hash_crc16`.
struct crc16_uncut {
    using result_type = std::uint32_t;
    static constexpr std::string_view name = "crc16-uncut";
    static constexpr bool avalanches = false;

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        std::uint32_t crc = 0;
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            crc = (crc << 8U) ^ detail::crc16_table[((crc >> 8U) ^ byte_at(bytes, i)) & 0xffU];
        }
        return crc;
    }

    friend constexpr bool operator==(const crc16_uncut&, const crc16_uncut&) = default;
};

/// CRC-16/XMODEM: polynomial 0x1021 from the top bit on, start 0. All 16-bit values; O(length).
///
/// Source: ITU-T V.41; Redis Cluster's specification, appendix A, whose check value is
/// CRC-16("123456789") = 0x31c3.
struct crc16 {
    using result_type = std::uint16_t;
    static constexpr std::string_view name = "crc16";
    static constexpr bool avalanches = false;

    [[nodiscard]] constexpr result_type operator()(std::string_view bytes) const noexcept {
        return static_cast<std::uint16_t>(crc16_uncut{}(bytes) & 0xffffU);
    }

    friend constexpr bool operator==(const crc16&, const crc16&) = default;
};

static_assert(hash_function<crc16> && hash_function<crc16_uncut>);

} // namespace hashring::hash
