// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/key.hpp>
#include <hashring/hash/mix.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// Keys that are ready before the clock starts, many and all different: one hot key would measure a
/// cache and a branch predictor.

namespace hashring::bench {

/// `Count` keys of one length, one every `stride` bytes of a block. `Count` is a power of two, so
/// that going round costs nothing.
template <std::size_t Count>
class key_set {
    static_assert(Count >= 65'536 && (Count & (Count - 1)) == 0);

public:
    static constexpr std::size_t count = Count;

    key_set(std::string bytes, std::size_t length, std::size_t stride)
        : bytes_(std::move(bytes)), length_(length), stride_(stride) {}

    /// Key `i` modulo `Count`.
    [[nodiscard]] std::string_view operator[](std::size_t i) const noexcept {
        return {bytes_.data() + i % Count * stride_, length_};
    }

    [[nodiscard]] bool all_different() const {
        std::vector<std::string_view> sorted;
        sorted.reserve(Count);
        for (std::size_t i = 0; i < Count; ++i) {
            sorted.push_back((*this)[i]);
        }
        std::sort(sorted.begin(), sorted.end());
        return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    }

private:
    std::string bytes_;
    std::size_t length_;
    std::size_t stride_;
};

/// `count` random bytes, the same in every run. The seed is one by which even the overlapping keys
/// of four bytes are all different.
[[nodiscard]] inline std::string random_bytes(std::size_t count) {
    std::string bytes;
    for (std::uint64_t word = 4001; bytes.size() < count; ++word) {
        with_key_bytes(hash::mix(word), [&](std::string_view eight) { bytes += eight; });
    }
    bytes.resize(count);
    return bytes;
}

/// Keys of `length` random bytes for hashing. They overlap, so that even long ones stay in the
/// cache, as a key does that a program has just received.
using hashed_keys = key_set<65'536>;
[[nodiscard]] inline hashed_keys make_hashed_keys(std::size_t length) {
    return {random_bytes(hashed_keys::count + length), length, 1};
}

/// As many keys as are looked up, in the same manner: more than a branch predictor remembers.
using arriving_keys = key_set<262'144>;
[[nodiscard]] inline arriving_keys make_arriving_keys(std::size_t length) {
    return {random_bytes(arriving_keys::count + length), length, 1};
}

/// Keys of 16 hexadecimal digits for looking up; all different, as `mix` is a bijection.
using looked_up_keys = key_set<262'144>;
[[nodiscard]] inline const looked_up_keys& shared_keys() {
    static const looked_up_keys keys = [] {
        constexpr std::string_view digits = "0123456789abcdef";
        std::string bytes;
        for (std::uint64_t i = 0; i < looked_up_keys::count; ++i) {
            const std::uint64_t value = hash::mix(i);
            for (unsigned shift = 0; shift < 64; shift += 4) {
                bytes += digits[(value >> shift) & 15U];
            }
        }
        return looked_up_keys(std::move(bytes), 16, 16);
    }();
    return keys;
}

} // namespace hashring::bench
