// SPDX-License-Identifier: MIT
#pragma once

/// \file
/// What clang's `-Wthread-safety` checks: which mutex guards a member. It knows the mutexes of the
/// standard library as such only in libc++, where a macro asks for it; elsewhere nothing is said.

#if defined(__clang__) && defined(_LIBCPP_ENABLE_THREAD_SAFETY_ANNOTATIONS)
#define HASHRING_GUARDED_BY(mutex) __attribute__((guarded_by(mutex)))
/// Of a function that holds its lock through `std::unique_lock`, which the check does not follow.
#define HASHRING_LOCKS_UNSEEN __attribute__((no_thread_safety_analysis))
#else
#define HASHRING_GUARDED_BY(mutex)
#define HASHRING_LOCKS_UNSEEN
#endif
