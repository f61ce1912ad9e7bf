// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/numbered_ring.hpp>
#include <hashring/placement/scheme.hpp>

#include <cstdint>
#include <string_view>

/// \file
/// Go's stathat/consistent, bit for bit.

namespace hashring::compat {

/// stathat's ring: 20 points an element (`vnodes`: its `NumberOfReplicas`), each the CRC-32, or
/// with `UseFnv` the 32-bit FNV-1a, of a number and the element with nothing between. A key owns
/// the first point **after** it, so that its position here is one past its hash.
///
/// Weights do not exist there. On one position the element that was added last owns. **Removing one
/// there takes the points of others with it** that stand on the same positions, until they are
/// added anew: this ring is that of a program that has added its elements and removed none, or was
/// restarted since.
///
/// Before 2014-10-15 the texts were the element, a bar and the number: another ring.
///
/// Source: stathat/consistent, commit 30ea17e8a481 (2019-09-19), consistent.go.
struct stathat : detail::numbered_ring<20> {
    static constexpr std::string_view name = "stathat";
    static constexpr std::string_view summary =
        "Go's stathat/consistent: 20 points an element, CRC-32 of a number and the name";
    static constexpr std::string_view key_rule =
        "one past the CRC-32 or 32-bit FNV-1a of the key by the option hash";

    [[nodiscard]] constexpr std::uint32_t position(std::string_view key) const noexcept {
        return hash(key) + 1; // past the last one comes 0, the first point's again
    }

    friend bool operator==(const stathat&, const stathat&) = default;
};

static_assert(placement_scheme<stathat>);

} // namespace hashring::compat
