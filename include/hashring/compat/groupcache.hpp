// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/numbered_ring.hpp>
#include <hashring/placement/scheme.hpp>

#include <string_view>

/// \file
/// Go's groupcache, package consistenthash, bit for bit.

namespace hashring::compat {

/// groupcache's ring: `vnodes` points a peer, 50 as its `HTTPPool` makes them, each the CRC-32 of a
/// number and the peer's name with nothing between; `hash` is the function that the caller gives.
///
/// Weights do not exist there, and neither does removing: a pool makes its ring anew. On one
/// position the peer that was added last owns. CRC-32 spreads such texts badly: peers whose names
/// differ in one digit have rings of one pattern.
///
/// Source: golang/groupcache, commit 8c9f03a (2020-01-21), consistenthash.go and http.go.
struct groupcache : detail::numbered_ring<50> {
    static constexpr std::string_view name = "groupcache";
    static constexpr std::string_view summary =
        "Go's groupcache: 50 points a peer, CRC-32 of a number and the name";

    friend bool operator==(const groupcache&, const groupcache&) = default;
};

static_assert(placement_scheme<groupcache>);

} // namespace hashring::compat
