// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/envoy_shares.hpp>
#include <hashring/compat/modula.hpp>
#include <hashring/compat/option_values.hpp>
#include <hashring/compat/scaled_ring.hpp>
#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/hash/xxhash.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/table/prime.hpp>
#include <hashring/table/scheme.hpp>
#include <hashring/table/slots.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// Envoy's `maglev`, bit for bit.

namespace hashring::compat {

namespace detail {

/// Whose turn it is: in round r each host whose share times r has reached its target, which then
/// grows by the largest share. Doubles decide, as in the program.
class envoy_turns {
public:
    explicit envoy_turns(std::vector<double> shares)
        : shares_(std::move(shares)),
          targets_(shares_.size(), 0.0),
          most_(*std::max_element(shares_.begin(), shares_.end())),
          at_(shares_.size()) {}

    [[nodiscard]] std::uint32_t operator()() {
        for (;;) {
            if (at_ == shares_.size()) {
                at_ = 0;
                round_ += 1.0;
            }
            const std::size_t host = at_++;
            if (rounded(round_ * shares_[host]) >= targets_[host]) {
                targets_[host] = rounded(targets_[host] + most_);
                return static_cast<std::uint32_t>(host);
            }
        }
    }

private:
    std::vector<double> shares_;
    std::vector<double> targets_;
    double most_;
    std::size_t at_;
    double round_ = 0.0;
};

} // namespace detail

/// Envoy's Maglev: a table of M slots, M prime, that hosts fill in turns by their weights; its
/// compact table holds the same. See `envoy_cluster` for names and localities.
///
/// Offset and skip of a host are XXH64 of its name with the seeds 0 and 1, modulo M and modulo
/// M − 1, plus 1. Shares are close to the weights, not exact. Since 1.27 the hosts come in the
/// order of their names (`Sorted`), before that in that of the list. A host that is not healthy
/// leaves the table. Weights are whole numbers, else `invalid_weight`.
///
/// Source: Envoy 1.32, maglev_lb.cc.
template <bool Sorted>
struct envoy_maglev_by : detail::modula_rules<std::uint64_t>, envoy_cluster {
    static constexpr std::string_view name = Sorted ? "envoy-maglev" : "envoy-maglev-1.26";
    static constexpr std::string_view summary =
        Sorted ? "Envoy's maglev since 1.27: hosts by name fill a table in turns by weight"
               : "Envoy's maglev up to 1.26: hosts in the order of the list fill the table";
    static constexpr std::string_view key_rule = "XXH64 of the key";
    static constexpr std::string_view node_rule =
        "in turns by weight each host takes the next free slot of (offset + j * skip) mod "
        "table-size";
    static constexpr std::string_view owner_rule = "the owner of slot hash mod table-size";
    static constexpr bool order_matters = !Sorted;
    static constexpr std::uint32_t preset_size = 65537;
    /// The most slots that Envoy allows.
    static constexpr std::uint32_t max_size = 5'000'011;
    static constexpr scheme_option size_option{"table-size", "N", "65537",
                                               "slots, a prime number; 100 a node or more"};

    std::uint32_t table_size = preset_size; ///< prime, at most `max_size`

    [[nodiscard]] static constexpr std::array<scheme_option, 2> options() noexcept {
        return {size_option, localities_option};
    }

    void set(std::string_view option, std::string_view value) {
        if (option != size_option.name) {
            envoy_cluster::set(option, value);
            return;
        }
        const auto size = parse_decimal<std::uint32_t>(value);
        if (!size || *size > max_size || !is_prime(*size)) {
            throw invalid_option(
                concat("table-size '", value, "' is not a prime number up to 5000011"));
        }
        table_size = *size;
    }

    [[nodiscard]] std::string get(std::string_view option) const {
        return option == size_option.name ? decimal(table_size) : envoy_cluster::get(option);
    }

    [[nodiscard]] static std::uint64_t position(std::string_view key) noexcept {
        return hash::xxh64{}(key);
    }

    /// The position to ask for at retry `attempt`; 0 is the first try.
    [[nodiscard]] static constexpr std::uint64_t at_attempt(std::uint64_t position,
                                                            std::uint32_t attempt) noexcept {
        return position ^ (0 - std::uint64_t{attempt});
    }

    [[nodiscard]] slot_list build(std::span<const placed_node> nodes) const {
        const envoy_shares shares = share_out(nodes, localities);
        std::vector<std::uint32_t> hosts;
        std::vector<double> theirs;
        std::vector<slot_preference> wishes;
        for (std::uint32_t i = 0; i < nodes.size(); ++i) {
            const std::uint32_t node = Sorted ? i : shares.order[i];
            if (shares.of[node] > 0.0) {
                hosts.push_back(node);
                theirs.push_back(shares.of[node]);
                wishes.push_back(preference(nodes[node].name));
            }
        }
        if (hosts.empty()) {
            return {};
        }
        auto owners = fill_slots(wishes, table_size, detail::envoy_turns(std::move(theirs)));
        for (std::uint32_t& owner : owners) {
            owner = hosts[owner];
        }
        return slot_list(std::move(owners));
    }

    friend bool operator==(const envoy_maglev_by&, const envoy_maglev_by&) = default;

private:
    [[nodiscard]] slot_preference preference(std::string_view host) const noexcept {
        return {static_cast<std::uint32_t>(hash::xxh64{0}(host) % table_size),
                static_cast<std::uint32_t>(hash::xxh64{1}(host) % (table_size - 1)) + 1};
    }
};

using envoy_maglev = envoy_maglev_by<true>;
using envoy_maglev_1_26 = envoy_maglev_by<false>;

static_assert(slotted_scheme<envoy_maglev> && slotted_scheme<envoy_maglev_1_26>);

} // namespace hashring::compat
