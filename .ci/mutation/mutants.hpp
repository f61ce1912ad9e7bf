// SPDX-License-Identifier: MIT
#pragma once

// What the instrumented headers call: each place that can be mutated asks whether it is the mutant
// of this run, and notes that it was reached. While a compiler evaluates a constant nothing is
// mutated, so that types, tables and static assertions stay as they are.

#include <limits>
#include <type_traits>
#include <utility>

namespace hashring_mutants {

inline constexpr int most = 40000;
extern int active;                  // the mutant of this run; 0: none
extern unsigned char reached[most]; // by mutant

// Which of the `count` mutants from `first` on is the one of this run: 1, 2, ...; else 0.
constexpr int pick(int first, int count) noexcept {
    if (std::is_constant_evaluated()) {
        return 0;
    }
    for (int i = 0; i < count; ++i) {
        reached[first + i] = 1;
    }
    const int at = active - first;
    return at >= 0 && at < count ? at + 1 : 0;
}

constexpr bool kept(int id) noexcept {
    return pick(id, 1) == 0;
}

template <class B>
constexpr bool flip(int id, B&& b) {
    return static_cast<bool>(b) != (pick(id, 1) != 0);
}

// A literal and the values in its place.
template <class T>
constexpr T lit(int id, T value, std::type_identity_t<T> one, std::type_identity_t<T> other) {
    const int which = pick(id, 2);
    return which == 0 ? value : which == 1 ? one : other;
}

// An index, one more and one less.
template <class T>
constexpr T at(int id, T index) {
    if constexpr (std::is_integral_v<T>) {
        const int which = pick(id, 2);
        return static_cast<T>(which == 0 ? index : which == 1 ? index + 1 : index - 1);
    } else {
        return index;
    }
}

// One of two arguments of one type; of two types there is no mutant.
template <class A, class B>
constexpr A&& either(int id, A&& one, B&& other) {
    if constexpr (std::is_same_v<A, B>) {
        if (pick(id, 1) != 0) {
            return std::forward<B>(other);
        }
    }
    return std::forward<A>(one);
}

template <class T>
constexpr auto neg(int id, const T& value) -> decltype(-value) {
    return pick(id, 1) == 0 ? -value : static_cast<decltype(-value)>(value);
}

template <class T>
constexpr auto inv(int id, const T& value) -> decltype(~value) {
    return pick(id, 1) == 0 ? ~value : static_cast<decltype(~value)>(value);
}

// Two operands of which types that have the other operator too.
#define HASHRING_MUTANT_OPERATOR(name, op, other)                                                  \
    template <class L, class R>                                                                    \
    constexpr auto name(int id, L&& l, R&& r)                                                      \
        -> decltype(std::forward<L>(l) op std::forward<R>(r)) {                                    \
        if constexpr (requires {                                                                   \
                          static_cast<decltype(std::forward<L>(l) op std::forward<R>(r))>(         \
                              std::forward<L>(l) other std::forward<R>(r));                        \
                      }) {                                                                         \
            using result = decltype(std::forward<L>(l) op std::forward<R>(r));                     \
            if (pick(id, 1) != 0) {                                                                \
                return static_cast<result>(std::forward<L>(l) other std::forward<R>(r));           \
            }                                                                                      \
        }                                                                                          \
        return std::forward<L>(l) op std::forward<R>(r);                                           \
    }

HASHRING_MUTANT_OPERATOR(plus, +, -)
HASHRING_MUTANT_OPERATOR(minus, -, +)
HASHRING_MUTANT_OPERATOR(times, *, +)
HASHRING_MUTANT_OPERATOR(over, /, *)
HASHRING_MUTANT_OPERATOR(modulo, %, /)
HASHRING_MUTANT_OPERATOR(left, <<, >>)
HASHRING_MUTANT_OPERATOR(right, >>, <<)
HASHRING_MUTANT_OPERATOR(bit_and, &, |)
HASHRING_MUTANT_OPERATOR(bit_or, |, &)
HASHRING_MUTANT_OPERATOR(bit_xor, ^, |)
HASHRING_MUTANT_OPERATOR(eq, ==, !=)
HASHRING_MUTANT_OPERATOR(ne, !=, ==)
HASHRING_MUTANT_OPERATOR(plus_to, +=, -=)
HASHRING_MUTANT_OPERATOR(minus_to, -=, +=)
HASHRING_MUTANT_OPERATOR(times_to, *=, +=)
HASHRING_MUTANT_OPERATOR(over_to, /=, *=)
HASHRING_MUTANT_OPERATOR(left_to, <<=, >>=)
HASHRING_MUTANT_OPERATOR(right_to, >>=, <<=)
HASHRING_MUTANT_OPERATOR(and_to, &=, |=)
HASHRING_MUTANT_OPERATOR(or_to, |=, &=)
HASHRING_MUTANT_OPERATOR(xor_to, ^=, |=)
#undef HASHRING_MUTANT_OPERATOR

// The neighbour at the boundary and the opposite; pointers, iterators and numbers have all four.
#define HASHRING_MUTANT_RELATION(name, op, near, opposite)                                         \
    template <class L, class R>                                                                    \
    constexpr auto name(int id, L&& l, R&& r)                                                      \
        -> decltype(std::forward<L>(l) op std::forward<R>(r)) {                                    \
        if constexpr (requires {                                                                   \
                          std::forward<L>(l) near std::forward<R>(r);                              \
                          std::forward<L>(l) opposite std::forward<R>(r);                          \
                      }) {                                                                         \
            if (const int which = pick(id, 2); which != 0) {                                       \
                return which == 1 ? std::forward<L>(l) near std::forward<R>(r)                     \
                                  : std::forward<L>(l) opposite std::forward<R>(r);                \
            }                                                                                      \
        }                                                                                          \
        return std::forward<L>(l) op std::forward<R>(r);                                           \
    }

HASHRING_MUTANT_RELATION(lt, <, <=, >=)
HASHRING_MUTANT_RELATION(le, <=, <, >)
HASHRING_MUTANT_RELATION(gt, >, >=, <=)
HASHRING_MUTANT_RELATION(ge, >=, >, <)
#undef HASHRING_MUTANT_RELATION

} // namespace hashring_mutants
