// SPDX-License-Identifier: MIT
#pragma once

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/mismatches.hpp"

#include <cstddef>
#include <new>
#include <string>

namespace hashring::test {

/// Calls `call` on what `make` makes, once for each of its allocations, which fails then; at last
/// it succeeds. Each time that it fails it throws `std::bad_alloc`, what it was called on is the
/// `same` as before, and in the end nothing is left on the heap. Returns how many allocations it
/// takes.
template <class Make, class Call, class Same>
std::size_t check_each_allocation_failing(Make make, Call call, Same same) {
    mismatches found;
    for (std::size_t allowed = 0;; ++allowed) {
        bool failed = false;
        const std::size_t alive = allocations::alive();
        {
            auto value = make();
            try {
                const allocation_limit limit(allowed);
                call(value);
            } catch (const std::bad_alloc&) {
                failed = true;
            }
            found.expect(!failed || same(value), "changed, allowed", allowed);
        }
        found.compare(allocations::alive(), alive, "leaked, allowed", allowed);
        if (!failed) {
            CHECK_NO_MISMATCHES(found);
            return allowed;
        }
    }
}

/// The same of a value that can be compared.
template <class Value, class Call>
std::size_t check_each_allocation_failing(const Value& before, Call call) {
    return check_each_allocation_failing([&] { return Value(before); }, call,
                                         [&](const Value& value) { return value == before; });
}

/// And of a call that builds something of its own.
template <class Build>
std::size_t check_each_allocation_failing(Build build) {
    return check_each_allocation_failing(
        0, [&](int&) { [[maybe_unused]] const auto built = build(); });
}

} // namespace hashring::test
