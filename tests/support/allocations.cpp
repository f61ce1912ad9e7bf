// SPDX-License-Identifier: MIT
#include "support/allocations.hpp"

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>

namespace {

// A thread its own, so that counting costs next to nothing.
thread_local std::size_t allocation_count = 0;
thread_local std::size_t allocated_bytes = 0;
thread_local std::size_t freed_count = 0;
thread_local std::size_t allocations_left = std::numeric_limits<std::size_t>::max();

void* counted_or_null(std::size_t size) noexcept {
    if (allocations_left == 0) {
        return nullptr;
    }
    allocations_left -= 1;
    allocation_count += 1;
    allocated_bytes += size;
    return std::malloc(size == 0 ? 1 : size);
}

void counted_free(void* memory) noexcept {
    freed_count += memory != nullptr ? 1 : 0;
    std::free(memory);
}

void* counted(std::size_t size) {
    if (void* const memory = counted_or_null(size)) {
        return memory;
    }
    throw std::bad_alloc();
}

} // namespace

allocations allocations::so_far() noexcept {
    return {allocation_count, allocated_bytes};
}

std::size_t allocations::alive() noexcept {
    return allocation_count - freed_count;
}

allocation_limit::allocation_limit(std::size_t allowed) noexcept {
    allocations_left = allowed;
}
allocation_limit::~allocation_limit() {
    allocations_left = std::numeric_limits<std::size_t>::max();
}

// All unaligned forms, so that a sanitizer's own version of one never meets ours of another.
void* operator new(std::size_t size) {
    return counted(size);
}
void* operator new[](std::size_t size) {
    return counted(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return counted_or_null(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return counted_or_null(size);
}
void operator delete(void* memory) noexcept {
    counted_free(memory);
}
void operator delete[](void* memory) noexcept {
    counted_free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    counted_free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    counted_free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
    counted_free(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
    counted_free(memory);
}
