// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdlib> // defines __GLIBC__ where it is true

#ifdef __GLIBC__
#include <malloc.h>
#endif

/// \file
/// How much memory is in use.

namespace hashring::bench {

/// The bytes that the heap has handed out and not got back, its own headers among them; 0 where the
/// C library does not tell.
[[nodiscard]] inline std::size_t heap_bytes() noexcept {
#ifdef __GLIBC__
    const struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
#else
    return 0;
#endif
}

} // namespace hashring::bench
