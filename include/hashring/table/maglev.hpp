// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/core/uint128.hpp>
#include <hashring/hash/concept.hpp>
#include <hashring/hash/xxhash.hpp>
#include <hashring/placement/allocate.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/placement/point_rules.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/ring/point_list.hpp>
#include <hashring/table/prime.hpp>
#include <hashring/table/scheme.hpp>
#include <hashring/table/slots.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// Maglev hashing: a table of slots that nodes fill in turns.

namespace hashring {

namespace detail {
inline constexpr std::string_view maglev_name = "maglev";
} // namespace detail

namespace schemes {

/// Maglev: M slots, M prime; nodes sorted by name take their next preferred free slot in turns.
///
/// - A key's position is its hash h, and its slot ⌊h · M / 2^64⌋: as even as the paper's h mod M,
///   and without a division.
/// - With H the hash of a node's name and s(j) = mix(H + (j + 1) · 0x9e3779b97f4a7c15), its offset
///   is s(0) mod M and its skip 1 + s(1) mod (M − 1).
/// - The M slots are shared out by weight with largest remainders, at least one each (see
///   `allocate_budget`); turns are spread by these counts (see `even_turns`). Integers decide.
///
/// Laws: with equal weights every node has ⌊M/n⌋ or ⌈M/n⌉ slots, so M ≥ 100 n keeps shares within
/// 1 %; with any weights each node whose quota is at least 1 is within 1 of its quota of what the
/// lighter ones leave. A weight of 0 has no slot. The same nodes give the same table.
///
/// The price is movement: a change also moves some keys between nodes that stay. Of the keys that
/// change owner when one of n equal nodes leaves, its own are 1 in 1.3 at 10 nodes and 128 slots a
/// node, 1 in 2.5 at 100; 512 slots a node make it 1 in 1.1 and 1 in 1.6.
///
/// 2 bytes a slot, 4 above 65,536 nodes. A look-up is one multiplication and one load.
///
/// Source: Eisenbud et al., NSDI 2016, section 3.4; the hashes and the turns by weight, which the
/// paper leaves open, are this library's own.
template <position_hash Hash = hash::xxh3>
    requires std::same_as<typename Hash::result_type, std::uint64_t>
class maglev_by {
public:
    using position_type = std::uint64_t;
    using built_type = slot_list;

    /// The paper's smaller size.
    static constexpr std::uint32_t preset_size = 65537;
    /// The largest prime number of slots that a table may have.
    static constexpr std::uint32_t max_size = 16777213;

    static constexpr std::string_view name =
        hashring::detail::name_with_hash<hashring::detail::maglev_name, Hash, hash::xxh3>;
    static constexpr std::string_view summary =
        "Maglev: a table of slots shared out exactly by weight, one load a look-up";
    static constexpr std::string_view key_rule = hashring::detail::key_hashed_by<Hash>;
    static constexpr std::string_view node_rule =
        "slots by weight, largest remainders; in turns each node, by name, takes the next free one "
        "of (offset + j * skip) mod table-size";
    static constexpr std::string_view owner_rule = "the owner of slot hash * table-size / 2^64";
    static constexpr bool order_matters = false;
    static constexpr bool takes_weights = true;
    static constexpr bool removes_any = true;

    maglev_by() = default;
    /// With `size` slots. Throws `invalid_option` unless it is a prime number in [2, max_size].
    explicit maglev_by(std::uint32_t size) : size_(checked(size)) {}

    [[nodiscard]] std::uint32_t table_size() const noexcept { return size_; }

    [[nodiscard]] static constexpr std::array<scheme_option, 1> options() noexcept {
        return {{{"table-size", "N", "65537", "slots, a prime number; 100 a node or more"}}};
    }
    void set(std::string_view option, std::string_view value) {
        check_option(option);
        const auto size = parse_decimal<std::uint32_t>(value);
        if (!size) {
            throw invalid_option(concat("table-size '", value, "' is not a whole number"));
        }
        size_ = checked(*size);
    }
    [[nodiscard]] std::string get(std::string_view option) const {
        check_option(option);
        return decimal(size_);
    }

    [[nodiscard]] std::uint64_t position(std::string_view key) const noexcept {
        return Hash{}(key);
    }

    /// Throws `invalid_point_count` for more nodes above weight 0 than slots.
    [[nodiscard]] slot_list build(std::span<const placed_node> nodes) const {
        std::vector<std::uint32_t> placed;
        std::vector<weight> weights;
        std::vector<slot_preference> wishes;
        for (std::uint32_t i = 0; i < nodes.size(); ++i) {
            if (nodes[i].weight.thousandths() > 0) {
                placed.push_back(i);
                weights.push_back(nodes[i].weight);
                wishes.push_back(preference(nodes[i].name));
            }
        }
        if (placed.empty()) {
            return {};
        }
        check_room(placed.size());
        const auto turns = even_turns(allocate_budget(weights, size_));
        std::vector<std::uint32_t> owners =
            fill_slots(wishes, size_, [turn = turns.begin()]() mutable { return *turn++; });
        for (std::uint32_t& owner : owners) {
            owner = placed[owner];
        }
        return slot_list(std::move(owners));
    }

    [[nodiscard]] std::uint32_t owner_of(const slot_list& slots,
                                         std::uint64_t position) const noexcept {
        return slots.size() == 0 ? no_node : slots.owner(slot_of(position, slots.size()));
    }

    /// The slot of a position in a table of `size` slots.
    [[nodiscard]] static std::size_t slot_of(std::uint64_t position, std::size_t size) noexcept {
        return static_cast<std::size_t>(multiply(position, size).high);
    }

    friend bool operator==(const maglev_by&, const maglev_by&) = default;

private:
    [[nodiscard]] slot_preference preference(std::string_view node) const noexcept {
        const std::uint64_t name_hash = Hash{}(node);
        return {static_cast<std::uint32_t>(hashed_once_position(name_hash, 0) % size_),
                static_cast<std::uint32_t>(hashed_once_position(name_hash, 1) % (size_ - 1)) + 1};
    }

    static void check_option(std::string_view option) {
        if (option != "table-size") {
            throw invalid_option(concat("no option '", option, "'"));
        }
    }

    [[nodiscard]] static std::uint32_t checked(std::uint32_t size) {
        if (size < 2 || size > max_size) {
            throw invalid_option(
                concat("table-size ", decimal(size), " is not from 2 to ", decimal(max_size)));
        }
        if (!is_prime(size)) {
            throw invalid_option(concat("table-size ", decimal(size),
                                        " is not a prime number: the next one is ",
                                        decimal(next_prime(size))));
        }
        return size;
    }

    void check_room(std::size_t nodes) const {
        if (nodes > size_) {
            throw invalid_point_count(concat("a table of ", decimal(size_),
                                             " slots cannot give each of ", decimal(nodes),
                                             " nodes one: use a larger table-size"));
        }
    }

    std::uint32_t size_ = preset_size;
};

/// Maglev with XXH3.
using maglev = maglev_by<>;

static_assert(slotted_scheme<maglev>);

} // namespace schemes

} // namespace hashring
