// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/hash/concept.hpp>
#include <hashring/hash/xxhash.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/ring/point_list.hpp>
#include <hashring/table/anchor_buckets.hpp>
#include <hashring/table/scheme.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// AnchorHash over a list of nodes.

namespace hashring {

namespace detail {

inline constexpr std::string_view anchor_name = "anchor";

/// Which node each bucket is.
struct anchored_nodes {
    anchor_buckets buckets{};
    std::vector<std::uint32_t> node_of{}; ///< by bucket; of those that work only

    /// Bytes of memory that the buckets take.
    [[nodiscard]] std::size_t bytes() const noexcept {
        return buckets.bytes() + node_of.capacity() * sizeof(node_of[0]);
    }

    friend bool operator==(const anchored_nodes& a, const anchored_nodes& b) noexcept {
        return a.buckets == b.buckets; // nodes are in the order of their buckets
    }
};

} // namespace detail

namespace schemes {

/// AnchorHash: node i of the list is bucket i of `capacity`, and `anchor_buckets` names the bucket
/// of a key's hash.
///
/// All nodes get the same share, exactly in expectation. In a `table` the list is all that there
/// is, so that only its last node can leave; an `anchor_table` remembers who left, and any can.
/// A weight other than 1 is `invalid_weight`, more nodes than `capacity` are `invalid_point_count`.
/// `capacity` should be what the cluster may grow to: a look-up takes 1 + ln(capacity / nodes)
/// draws in expectation, and 24 bytes a bucket are kept.
///
/// Source: that of `anchor_buckets`; the hashes are this library's own.
template <position_hash Hash = hash::xxh3>
    requires std::same_as<typename Hash::result_type, std::uint64_t>
class anchor_by {
public:
    using position_type = std::uint64_t;
    using built_type = hashring::detail::anchored_nodes;

    static constexpr std::uint32_t preset_capacity = 1024;
    static constexpr std::uint32_t max_capacity = 16'777'216;

    static constexpr std::string_view name =
        hashring::detail::name_with_hash<hashring::detail::anchor_name, Hash, hash::xxh3>;
    static constexpr std::string_view summary =
        "AnchorHash: equal shares of up to `capacity` nodes; the order of removals is state";
    static constexpr std::string_view key_rule = hashring::detail::key_hashed_by<Hash>;
    static constexpr std::string_view node_rule = "node i of the list, from 0, is bucket i";
    static constexpr std::string_view owner_rule =
        "a bucket drawn from all; while it does not work, one drawn from those that worked when it "
        "stopped";
    static constexpr bool order_matters = true;
    static constexpr bool takes_weights = false;
    static constexpr bool removes_any = false;

    anchor_by() = default;
    /// Throws `invalid_option` unless `capacity` is in [1, max_capacity].
    explicit anchor_by(std::uint32_t capacity) : capacity_(checked(capacity)) {}

    [[nodiscard]] std::uint32_t capacity() const noexcept { return capacity_; }

    [[nodiscard]] static constexpr std::array<scheme_option, 1> options() noexcept {
        return {{{"capacity", "N", "1024", "the most nodes that there can be"}}};
    }
    void set(std::string_view option, std::string_view value) {
        check_option(option);
        const auto capacity = parse_decimal<std::uint32_t>(value);
        if (!capacity) {
            throw invalid_option(concat("capacity '", value, "' is not a whole number"));
        }
        capacity_ = checked(*capacity);
    }
    [[nodiscard]] std::string get(std::string_view option) const {
        check_option(option);
        return decimal(capacity_);
    }

    [[nodiscard]] std::uint64_t position(std::string_view key) const noexcept {
        return Hash{}(key);
    }

    /// Throws `invalid_point_count` for more nodes than `capacity()`. O(capacity).
    [[nodiscard]] built_type build(std::span<const placed_node> nodes) const {
        check_room(nodes.size());
        if (nodes.empty()) {
            return {};
        }
        built_type built = empty();
        std::iota(built.node_of.begin(), built.node_of.end(), 0U);
        while (built.buckets.size() < nodes.size()) {
            built.buckets.start();
        }
        return built;
    }

    /// All buckets, of which none works. O(capacity).
    [[nodiscard]] built_type empty() const {
        return {anchor_buckets(capacity_), std::vector<std::uint32_t>(capacity_)};
    }
    /// All buckets, of which those of `stopped` have stopped, in this order; none twice. Which node
    /// each is is not said. O(capacity).
    [[nodiscard]] built_type after(std::span<const std::uint32_t> stopped) const {
        built_type built = empty();
        while (!built.buckets.is_full()) {
            built.buckets.start();
        }
        for (const std::uint32_t bucket : stopped) {
            built.buckets.stop(bucket);
        }
        return built;
    }

    /// Throws `invalid_point_count` for more nodes than `capacity()`.
    void check_room(std::size_t nodes) const {
        if (nodes > capacity_) {
            throw invalid_point_count(concat(
                decimal(nodes), " nodes are more than the capacity of ", decimal(capacity_)));
        }
    }

    [[nodiscard]] static std::uint32_t owner_of(const built_type& built,
                                                std::uint64_t position) noexcept {
        return built.buckets.size() == 0 ? no_node
                                         : built.node_of[built.buckets.bucket_of(position)];
    }

    friend bool operator==(const anchor_by&, const anchor_by&) = default;

private:
    [[nodiscard]] static std::uint32_t checked(std::uint32_t capacity) {
        if (capacity < 1 || capacity > max_capacity) {
            throw invalid_option(concat("capacity ", decimal(capacity), " is not from 1 to ",
                                        decimal(max_capacity)));
        }
        return capacity;
    }
    static void check_option(std::string_view option) {
        if (option != "capacity") {
            throw invalid_option(concat("no option '", option, "'"));
        }
    }

    std::uint32_t capacity_ = preset_capacity;
};

/// AnchorHash with XXH3.
using anchor = anchor_by<>;

static_assert(table_scheme<anchor>);

} // namespace schemes

} // namespace hashring
