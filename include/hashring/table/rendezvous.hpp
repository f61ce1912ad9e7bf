// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/core/uint128.hpp>
#include <hashring/hash/concept.hpp>
#include <hashring/hash/mix.hpp>
#include <hashring/hash/xxhash.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/ring/point_list.hpp>
#include <hashring/table/negative_log2.hpp>
#include <hashring/table/scheme.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Weighted rendezvous hashing: each node draws for each key, and the best draw wins.

namespace hashring {

namespace detail {

inline constexpr std::string_view rendezvous_name = "rendezvous";

/// Those that draw, the equally heavy ones next to each other.
struct rendezvous_draws {
    struct heavy {
        std::uint64_t thousandths;
        std::size_t end; ///< of the run of those that weigh so much

        friend bool operator==(const heavy&, const heavy&) = default;
    };

    std::vector<std::uint64_t> seeds;  ///< by weight, then by node
    std::vector<std::uint32_t> owners; ///< of each seed
    std::vector<heavy> runs;

    [[nodiscard]] std::size_t bytes() const noexcept {
        return seeds.capacity() * sizeof(seeds[0]) + owners.capacity() * sizeof(owners[0]) +
               runs.capacity() * sizeof(runs[0]);
    }

    friend bool operator==(const rendezvous_draws&, const rendezvous_draws&) = default;
};

/// A draw: of two the greater has the greater weight ÷ −log2(hash), or else hash.
struct draw {
    std::uint64_t hash;
    std::uint32_t owner;
};

} // namespace detail

namespace schemes {

/// Rendezvous: node i draws d = mix(S ⊕ h), S the hash of its name and h that of the key, and of
/// all nodes the one with the greatest weight ÷ −log2((⌊d / 256⌋ + 1) / 2^56) owns the key; of
/// equal ones that with the greater d, then the first by name.
///
/// Laws: in expectation shares are exactly as the weights, whatever these are; a node's draws
/// depend on it alone, so that a new one only takes keys, one that leaves gives its own to all
/// others by their weights, and a new weight moves keys to or from its node only. The same nodes
/// give the same placement. A weight of 0 does not draw. Integers decide.
///
/// **A look-up is O(nodes)**: about 2 ns a node, and the logarithm once for each different weight.
/// 12 bytes a node.
///
/// Source: D. Thaler, C. Ravishankar, "Using Name-Based Mappings to Increase Hit Rates", IEEE/ACM
/// Transactions on Networking, 1998; weights by a logarithm: J. Resch, "New Hashing Algorithms for
/// Data Storage", 2015. The hashes and the logarithm in integers are this library's own.
template <position_hash Hash = hash::xxh3>
    requires std::same_as<typename Hash::result_type, std::uint64_t>
struct rendezvous_by {
    using position_type = std::uint64_t;
    using built_type = hashring::detail::rendezvous_draws;

    static constexpr std::string_view name =
        hashring::detail::name_with_hash<hashring::detail::rendezvous_name, Hash, hash::xxh3>;
    static constexpr std::string_view summary =
        "weighted rendezvous: every node draws, shares as the weights, a look-up is O(nodes)";
    static constexpr std::string_view key_rule = hashring::detail::key_hashed_by<Hash>;
    static constexpr std::string_view node_rule = "each node draws mix(hash of its name ^ key)";
    static constexpr std::string_view owner_rule =
        "the greatest weight / -log2(draw / 2^64), of equal ones the greatest draw";
    static constexpr bool order_matters = false;
    static constexpr bool takes_weights = true;
    static constexpr bool removes_any = true;

    [[nodiscard]] static constexpr std::array<scheme_option, 0> options() noexcept { return {}; }
    void set(std::string_view option, std::string_view) { (void)get(option); }
    [[nodiscard]] std::string get(std::string_view option) const {
        throw invalid_option(concat("no option '", option, "'"));
    }

    [[nodiscard]] std::uint64_t position(std::string_view key) const noexcept {
        return Hash{}(key);
    }

    [[nodiscard]] built_type build(std::span<const placed_node> nodes) const {
        std::map<std::uint64_t, std::vector<std::uint32_t>> by_weight;
        for (std::uint32_t i = 0; i < nodes.size(); ++i) {
            if (nodes[i].weight.thousandths() > 0) {
                by_weight[nodes[i].weight.thousandths()].push_back(i);
            }
        }
        built_type built;
        for (const auto& [thousandths, members] : by_weight) {
            for (const std::uint32_t i : members) {
                built.seeds.push_back(Hash{}(nodes[i].name));
                built.owners.push_back(i);
            }
            built.runs.push_back({thousandths, built.seeds.size()});
        }
        return built;
    }

    /// O(nodes).
    [[nodiscard]] std::uint32_t owner_of(const built_type& built,
                                         std::uint64_t position) const noexcept {
        if (built.runs.empty()) {
            return no_node;
        }
        hashring::detail::draw best = best_of(built, 0, built.runs.front().end, position);
        if (built.runs.size() == 1) { // all weigh the same
            return best.owner;
        }
        std::uint64_t weighs = built.runs.front().thousandths;
        for (std::size_t r = 1; r < built.runs.size(); ++r) {
            const hashring::detail::draw other =
                best_of(built, built.runs[r - 1].end, built.runs[r].end, position);
            if (beats(other, built.runs[r].thousandths, best, weighs)) {
                best = other;
                weighs = built.runs[r].thousandths;
            }
        }
        return best.owner;
    }

    friend bool operator==(const rendezvous_by&, const rendezvous_by&) = default;

private:
    /// The greatest draw of those from `first` to before `last`; of equal ones the first.
    [[nodiscard]] static hashring::detail::draw best_of(const built_type& built, std::size_t first,
                                                        std::size_t last,
                                                        std::uint64_t position) noexcept {
        std::size_t at = first;
        std::uint64_t most = hash::mix(built.seeds[first] ^ position);
        for (std::size_t i = first + 1; i < last; ++i) {
            const std::uint64_t drawn = hash::mix(built.seeds[i] ^ position);
            at = drawn > most ? i : at;
            most = std::max(drawn, most);
        }
        return {most, built.owners[at]};
    }

    /// Whether `a` comes before `b`, which weighs less.
    [[nodiscard]] static bool beats(const hashring::detail::draw& a, std::uint64_t weight_of_a,
                                    const hashring::detail::draw& b,
                                    std::uint64_t weight_of_b) noexcept {
        const uint128 for_a = multiply(weight_of_a, negative_log2(b.hash));
        const uint128 for_b = multiply(weight_of_b, negative_log2(a.hash));
        if (for_a != for_b) {
            return for_a > for_b;
        }
        return a.hash != b.hash ? a.hash > b.hash : a.owner < b.owner;
    }
};

/// Rendezvous with XXH3.
using rendezvous = rendezvous_by<>;

static_assert(table_scheme<rendezvous>);

} // namespace schemes

} // namespace hashring
