// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

// What the calling thread has allocated: the test program's `operator new` counts.
struct allocations {
    std::size_t count = 0; // how many
    std::size_t bytes = 0; // how much in all

    static allocations so_far() noexcept;
    // How many there are that have not been freed. Right between two points at which all that one
    // of several threads allocates is freed by that thread.
    static std::size_t alive() noexcept;

    friend allocations operator-(const allocations& a, const allocations& b) noexcept {
        return {a.count - b.count, a.bytes - b.bytes};
    }
};

// While one lives, the calling thread's allocations fail after the first `allowed`.
class allocation_limit {
public:
    explicit allocation_limit(std::size_t allowed) noexcept;
    ~allocation_limit();
    allocation_limit(const allocation_limit&) = delete;
    allocation_limit& operator=(const allocation_limit&) = delete;
};

// What calling `action` allocates.
template <class Action>
allocations allocations_of(Action action) {
    const allocations before = allocations::so_far();
    action();
    return allocations::so_far() - before;
}
