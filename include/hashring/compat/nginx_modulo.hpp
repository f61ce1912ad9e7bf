// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/modula.hpp>
#include <hashring/compat/option_values.hpp>
#include <hashring/compat/weighted_ketama.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/hash/crc32.hpp>
#include <hashring/table/scheme.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// nginx 1.22.1, plain `hash KEY`: servers by their weights, and a remainder.

namespace hashring::compat {

/// Runs of slots, one a node, one behind the other. By default there are none.
class slot_runs {
public:
    slot_runs() = default;
    /// Node i has `lengths[i]` slots, of which there are fewer than 2^64 in all.
    explicit slot_runs(std::span<const std::uint64_t> lengths) {
        std::uint64_t end = 0;
        for (const std::uint64_t length : lengths) {
            ends_.push_back(end += length);
        }
    }

    [[nodiscard]] std::size_t size() const noexcept {
        return ends_.empty() ? 0 : static_cast<std::size_t>(ends_.back());
    }
    /// The owner of slot `i` in [0, size()). O(log nodes).
    [[nodiscard]] std::uint32_t owner(std::size_t i) const noexcept {
        return static_cast<std::uint32_t>(std::upper_bound(ends_.begin(), ends_.end(), i) -
                                          ends_.begin());
    }

    /// Bytes of memory that the runs take.
    [[nodiscard]] std::size_t bytes() const noexcept {
        return ends_.capacity() * sizeof(std::uint64_t);
    }

    friend bool operator==(const slot_runs&, const slot_runs&) = default;

private:
    std::vector<std::uint64_t> ends_;
};

/// nginx's plain hash, Cache::Memcached's: (CRC-32 >> 16) & 0x7fff modulo the sum of the weights,
/// and the servers in order have as many remainders as they weigh. Nearly every key moves when the
/// list or a weight changes. Beyond a sum of 32,768 the last servers get nothing.
///
/// Weights are whole numbers: a fraction throws `invalid_weight`. Names are not hashed.
///
/// A server that is down keeps its remainders; its keys are hashed again: `position(key, t)` is the
/// hash of try t. After try 20 the program goes round robin, which no table can tell, as it does
/// for an empty key.
///
/// Source: nginx 1.22.1, `ngx_http_upstream_get_hash_peer`.
struct nginx_modulo : detail::modula_rules<std::uint32_t, slot_runs>, no_options {
    static constexpr std::string_view name = "nginx-modulo";
    static constexpr std::string_view summary =
        "nginx's plain hash: CRC-32 modulo the sum of the weights";
    static constexpr std::string_view key_rule = "bits 16 to 30 of the CRC-32 of the key";
    static constexpr std::string_view node_rule =
        "the servers in order have as many slots as they weigh";
    static constexpr std::string_view owner_rule = "the owner of slot hash mod the sum of weights";
    static constexpr bool order_matters = true;
    /// How often the program hashes a key to find a server that is up.
    static constexpr std::uint32_t tries = 21;

    [[nodiscard]] static constexpr std::uint32_t position(std::string_view key) noexcept {
        return fifteen_bits(hash::crc32{}(key));
    }

    /// The hash at try `t` in [0, tries): the sum of those of the key with 1, 2, … `t` in front,
    /// and without.
    [[nodiscard]] static std::uint32_t position(std::string_view key, std::uint32_t t) {
        std::uint32_t sum = position(key);
        for (std::uint32_t i = 1; i <= t; ++i) {
            sum += position(concat(decimal(i), key));
        }
        return sum;
    }

    [[nodiscard]] static slot_runs build(std::span<const placed_node> nodes) {
        std::vector<std::uint64_t> lengths;
        for (const placed_node& node : nodes) {
            lengths.push_back(whole_weight(node.name, node.weight));
        }
        return slot_runs(lengths);
    }

    friend bool operator==(const nginx_modulo&, const nginx_modulo&) = default;

private:
    [[nodiscard]] static constexpr std::uint32_t fifteen_bits(std::uint32_t crc) noexcept {
        return (crc >> 16U) & 0x7fffU;
    }
};

static_assert(slotted_scheme<nginx_modulo> && retrying_scheme<nginx_modulo>);

} // namespace hashring::compat
