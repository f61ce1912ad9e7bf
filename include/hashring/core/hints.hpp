// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>

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

/// The same for element `index` of an array, which it may lie behind.
template <class T>
void prefetch(const T* array, std::size_t index) noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(array) + index * sizeof(T);
    prefetch(reinterpret_cast<const void*>(address)); // NOLINT(performance-no-int-to-ptr)
}

} // namespace hashring::detail
