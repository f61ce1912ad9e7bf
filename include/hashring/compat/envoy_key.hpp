// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/hash/xxhash.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// \file
/// How Envoy makes one hash of a request out of several values.

namespace hashring::compat {

/// The hash of a header that has `values`: one value's XXH64, or that of each, in the order of the
/// bytes, seeded with the one before.
///
/// Source: Envoy 1.32, `HeaderHashMethod`.
[[nodiscard]] inline std::uint64_t envoy_header_hash(std::span<const std::string_view> values) {
    std::vector<std::string_view> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    std::uint64_t h = 0;
    for (const std::string_view value : sorted) {
        h = hash::xxh64{h}(value);
    }
    return h;
}

/// The hash of a request by one policy more: that of those before turned by a bit, with `next` in
/// it. A ring is asked with `owner_at`. gRPC does the same (but for its JavaScript, which forgets
/// to cut the turned number to 64 bits).
///
/// Source: Envoy 1.32, `HashPolicyImpl::generateHash`; gRFC A42.
[[nodiscard]] constexpr std::uint64_t combined_request_hash(std::uint64_t before,
                                                            std::uint64_t next) noexcept {
    return std::rotl(before, 1) ^ next;
}

} // namespace hashring::compat
