// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/text.hpp>
#include <hashring/hash/concept.hpp>
#include <hashring/hash/xxhash.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/table/buckets.hpp>
#include <hashring/table/jump_hash.hpp>
#include <hashring/table/scheme.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// Jump consistent hashing over a list of nodes.

namespace hashring {

namespace detail {
inline constexpr std::string_view jump_name = "jump";
} // namespace detail

namespace schemes {

/// Jump: node i of the list is bucket i, and `jump_hash` of the key's hash names the bucket.
///
/// All nodes get the same share, exactly in expectation, without a table in memory. The order of
/// the list is the placement and names are not hashed:
///
/// - a new node goes to the end and only takes keys, its fair share from each of the others;
/// - only the last node can be removed; any other, `invalid_removal`. A node in the middle that is
///   gone for good is put aside by `replace`;
/// - a weight other than 1 is `invalid_weight`, 0 among them: a drained bucket would still be
/// there.
///
/// Source: Lamping and Veach, 2014, which leaves the key's hash open. The default is XXH64 with
/// seed 0, as Go programs pair it with dgryski's go-jump.
template <position_hash Hash = hash::xxh64>
struct jump_by : hashring::detail::bucket_rules<jump_hash> {
    static constexpr std::string_view name =
        hashring::detail::name_with_hash<hashring::detail::jump_name, Hash, hash::xxh64>;
    static constexpr std::string_view summary =
        "jump hashing: equal shares without memory; only the last node of the list can leave";
    static constexpr std::string_view key_rule = hashring::detail::key_hashed_by<Hash>;
    static constexpr std::string_view owner_rule =
        "the bucket that jump consistent hashing gives the hash";

    [[nodiscard]] static constexpr std::array<scheme_option, 0> options() noexcept { return {}; }
    void set(std::string_view option, std::string_view) { (void)get(option); }
    [[nodiscard]] std::string get(std::string_view option) const {
        throw invalid_option(concat("no option '", option, "'"));
    }

    [[nodiscard]] std::uint64_t position(std::string_view key) const noexcept {
        return Hash{}(key);
    }

    friend bool operator==(const jump_by&, const jump_by&) = default;
};

/// Jump with XXH64.
using jump = jump_by<>;

static_assert(table_scheme<jump>);

} // namespace schemes

} // namespace hashring
