// SPDX-License-Identifier: MIT
#pragma once

/// \file
/// What a compiler can be told about speed: memory that is asked for before it is needed, and code
/// that is seldom reached.

/// Before a function that a fast one calls seldom: it stays out of the other's way.
#if defined(__GNUC__)
#define HASHRING_SELDOM [[gnu::noinline, gnu::cold]]
#else
#define HASHRING_SELDOM
#endif

namespace hashring::detail {

/// Begins to fetch the cache line at `address`, where the compiler can say so; never faults.
inline void prefetch([[maybe_unused]] const void* address) noexcept {
#if defined(__GNUC__)
    __builtin_prefetch(address);
#endif
}

} // namespace hashring::detail
