// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/equal_counts.hpp>
#include <hashring/compat/modula.hpp>
#include <hashring/compat/option_values.hpp>
#include <hashring/compat/scaled_ring.hpp>
#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/core/weight.hpp>
#include <hashring/hash/xxhash.hpp>
#include <hashring/placement/labelled.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/ring/bounded.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/table/scheme.hpp>
#include <hashring/table/slots.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// Go's buraksezer/consistent 1.0.0, bit for bit.

namespace hashring::compat {

/// `j:name`.
struct number_colon_name {
    static constexpr std::string_view name = "j:name";
    static constexpr bool unambiguous = true;

    void operator()(std::string& out, const placed_node& node, std::uint32_t j) const {
        append_decimal(out, j);
        out += ':';
        out += node.name;
    }

    friend bool operator==(const number_colon_name&, const number_colon_name&) = default;
};

/// buraksezer's two levels: keys fall into partitions by their hash, and partitions are placed on a
/// ring of members with bounded loads, one after the other: each goes to the first member from its
/// own hash on that has room for one more. A member has room for the average times `load`, rounded
/// up.
///
/// The program takes the hash from its user; here it is XXH64, as its own examples have it.
/// Weights do not exist there and are ignored, 0 aside: such a member is not there, and `take`
/// makes it 1. The order of the list does not matter. A member that comes or goes moves
/// partitions between others, too.
///
/// A `load` with which members have no room for all partitions, below 1, throws `invalid_option`:
/// the program panics. It is a decimal number of at most 3 places. 0.x is another placement: its
/// texts are the name and the number with nothing between, and its average is rounded down first.
///
/// Source: buraksezer/consistent 1.0.0, commit 24361c3d5a25 (2026-08-16), consistent.go.
struct buraksezer : detail::modula_rules<std::uint64_t> {
    static constexpr std::string_view name = "buraksezer";
    static constexpr std::string_view summary =
        "Go's buraksezer/consistent: keys in partitions, partitions on a ring with bounded loads";
    static constexpr std::string_view key_rule = "XXH64 of the key";
    static constexpr std::string_view node_rule =
        "partition p goes to the first member from XXH64 of p in 8 bytes on, on the ring of XXH64 "
        "of j:name, j below vnodes, that has fewer than the average times load, rounded up";
    static constexpr std::string_view owner_rule =
        "the owner of partition hash mod the number of partitions";
    static constexpr bool order_matters = false;
    static constexpr scheme_option partitions_option{"partitions", "P", "271",
                                                     "partitions that keys fall into"};
    static constexpr scheme_option load_option{
        "load", "L", "1.25", "how many times the average of partitions a member may have"};
    static constexpr scheme_option vnodes_option{"vnodes", "N", "20", "points of each member"};

    std::uint32_t partitions = 271; ///< in [1, max_points]
    /// A number with at most 3 decimal places, above 0.
    weight load = weight::from_thousandths(1250);
    std::uint32_t vnodes = 20; ///< in [1, max_points]

    [[nodiscard]] static constexpr std::array<scheme_option, 3> options() noexcept {
        return {partitions_option, load_option, vnodes_option};
    }

    void set(std::string_view option, std::string_view value) {
        if (option == partitions_option.name) {
            partitions = hashring::detail::parse_whole(option, value, 1, max_points);
        } else if (option == load_option.name) {
            load = parse_load(value);
        } else if (option == vnodes_option.name) {
            vnodes = hashring::detail::parse_whole(option, value, 1, max_points);
        } else {
            throw unknown_option(option);
        }
    }

    [[nodiscard]] std::string get(std::string_view option) const {
        if (option == partitions_option.name) {
            return decimal(partitions);
        }
        if (option == load_option.name) {
            return load.text();
        }
        if (option == vnodes_option.name) {
            return decimal(vnodes);
        }
        throw unknown_option(option);
    }

    /// Makes weights of 0 into 1: the program knows none.
    static void take(std::span<node_spec> nodes) { ignore_weights(nodes); }

    [[nodiscard]] static std::uint64_t position(std::string_view key) noexcept {
        return hash::xxh64{}(key);
    }

    /// How many partitions a member may have if there are `members` of them, above 0. Doubles
    /// decide, as in the program.
    [[nodiscard]] std::uint64_t most_of_each(std::size_t members) const {
        const double average =
            rounded(static_cast<double>(partitions) / static_cast<double>(members));
        return static_cast<std::uint64_t>(std::ceil(rounded(average * load.value())));
    }

    [[nodiscard]] slot_list build(std::span<const placed_node> nodes) const {
        std::vector<std::uint32_t> members;
        std::vector<std::string> names;
        for (std::uint32_t i = 0; i < nodes.size(); ++i) {
            if (nodes[i].weight > weight{0}) {
                members.push_back(i);
                names.emplace_back(nodes[i].name);
            }
        }
        if (members.empty()) {
            return {};
        }
        std::vector<std::uint32_t> owners = share_out(names);
        for (std::uint32_t& owner : owners) {
            owner = members[owner];
        }
        return slot_list(std::move(owners));
    }

    friend bool operator==(const buraksezer&, const buraksezer&) = default;

private:
    using member_scheme = schemes::labelled<hashring::hash::xxh64, number_colon_name>;

    /// The owner of each partition among `names`, which are sorted.
    [[nodiscard]] std::vector<std::uint32_t>
    share_out(const std::vector<std::string>& names) const {
        const std::uint64_t most = most_of_each(names.size());
        if (most * names.size() < partitions) {
            throw invalid_option(concat("load ", load.text(), " leaves no room for all of ",
                                        decimal(partitions), " partitions on ",
                                        decimal(names.size()), " members: each may have ",
                                        decimal(most)));
        }
        member_scheme scheme;
        scheme.vnodes_per_unit = vnodes;
        const ring<member_scheme> circle(names, scheme);
        std::vector<std::uint64_t> loads(names.size());
        std::vector<std::uint32_t> owners;
        for (std::uint64_t partition = 0; partition < partitions; ++partition) {
            owners.push_back(bounded_load::next_on_ring(
                circle, circle.point_index(circle.position(partition)),
                [&](std::uint32_t member) { return loads[member] < most; }));
            ++loads[owners.back()];
        }
        return owners;
    }

    [[nodiscard]] static weight parse_load(std::string_view value) {
        weight parsed{0};
        try {
            parsed = weight::parse(value);
        } catch (const invalid_weight&) {
            parsed = weight{0};
        }
        if (parsed == weight{0}) {
            throw invalid_option(
                concat("load '", value, "' is not a decimal number above 0 with at most 3 places"));
        }
        return parsed;
    }
};

/// The indices of the first `count` members of `table`, or of all if there are fewer, that the
/// program's `GetClosestN` names for `key`: its owner, and from there on in the order of the XXH64
/// of their names, around. O(members · log members).
///
/// Source: buraksezer/consistent 1.0.0, `getClosestN`, where too large a `count` is an error.
template <class Table>
[[nodiscard]] std::vector<std::uint32_t>
buraksezer_closest(const Table& table, std::string_view key, std::size_t count) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> members;
    for (std::uint32_t i = 0; i < table.size(); ++i) {
        if (table.node(i).weight() > weight{0}) {
            members.emplace_back(hash::xxh64{}(table.node(i).name()), i);
        }
    }
    std::sort(members.begin(), members.end());
    const std::uint32_t owner = table.owner_index_at(table.position(key));
    std::rotate(members.begin(),
                std::find_if(members.begin(), members.end(),
                             [&](const auto& member) { return member.second == owner; }),
                members.end());
    std::vector<std::uint32_t> closest;
    for (std::size_t i = 0; i < std::min(count, members.size()); ++i) {
        closest.push_back(members[i].second);
    }
    return closest;
}

static_assert(slotted_scheme<buraksezer>);

} // namespace hashring::compat
