// SPDX-License-Identifier: MIT
#pragma once

/// \file
/// Memory that is asked for before it is needed.

namespace hashring::detail {

/// Begins to fetch the cache line at `address`, where the compiler can say so; never faults.
inline void prefetch([[maybe_unused]] const void* address) noexcept {
#if defined(__GNUC__)
    __builtin_prefetch(address);
#endif
}

} // namespace hashring::detail
