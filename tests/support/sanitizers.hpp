// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define HASHRING_TESTS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HASHRING_TESTS_SANITIZED 1
#endif
#endif

// Sanitized code runs ten times slower; there every so many-th case of an exhaustive test is
// enough, as what it looks for is not a wrong answer but a wrong access. Mutants run often, and say
// how many they take.
#if defined(HASHRING_EXHAUSTIVE_STRIDE)
inline constexpr bool is_sanitized = true;
inline constexpr std::size_t exhaustive_stride = HASHRING_EXHAUSTIVE_STRIDE;
#elif defined(HASHRING_TESTS_SANITIZED)
inline constexpr bool is_sanitized = true; // and how long something takes says nothing
inline constexpr std::size_t exhaustive_stride = 101;
#else
inline constexpr bool is_sanitized = false;
inline constexpr std::size_t exhaustive_stride = 1;
#endif
