// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/option_values.hpp>
#include <hashring/compat/scaled_ring.hpp>
#include <hashring/compat/weighted_ketama.hpp>
#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/placement/scheme.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// What part of a cluster each host is to Envoy, with localities or without.

namespace hashring::compat {

/// The weights of Envoy's localities, in their order; none if a cluster is not weighted by them.
class envoy_localities {
public:
    struct locality {
        std::string name;
        std::uint32_t weight = 1;
        friend bool operator==(const locality&, const locality&) = default;
    };

    envoy_localities() = default;

    /// Reads `NAME=WEIGHT,NAME=WEIGHT`, or nothing. Throws `invalid_option` for anything else and
    /// for a name that comes twice.
    [[nodiscard]] static envoy_localities parse(std::string_view text) {
        envoy_localities result;
        while (!text.empty()) {
            const std::string_view item = text.substr(0, text.find(','));
            const std::size_t equals = std::min(item.rfind('='), item.size());
            const auto weight =
                parse_decimal<std::uint32_t>(item.substr(std::min(equals + 1, item.size())));
            const std::string name(item.substr(0, equals));
            if (!weight || name.empty() || result.find(name) != result.all_.size()) {
                throw invalid_option(concat("locality-weights '", item,
                                            "' is no NAME=WEIGHT, or the name comes twice"));
            }
            result.all_.push_back({name, *weight});
            text.remove_prefix(std::min(item.size() + 1, text.size()));
        }
        return result;
    }

    [[nodiscard]] std::string text() const {
        std::string result;
        for (const locality& l : all_) {
            result += concat(result.empty() ? "" : ",", l.name, "=", decimal(l.weight));
        }
        return result;
    }

    [[nodiscard]] bool empty() const noexcept { return all_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }

    /// The place of the locality called `name`, or `size()`.
    [[nodiscard]] std::size_t find(std::string_view name) const noexcept {
        return static_cast<std::size_t>(
            std::find_if(all_.begin(), all_.end(),
                         [&](const locality& l) { return l.name == name; }) -
            all_.begin());
    }

    /// The part of all weights that locality `i` has.
    [[nodiscard]] double share(std::size_t i) const noexcept {
        std::uint64_t sum = 0;
        for (const locality& l : all_) {
            sum += l.weight;
        }
        return sum == 0 ? 0.0 : static_cast<double>(all_[i].weight) / static_cast<double>(sum);
    }

    friend bool operator==(const envoy_localities&, const envoy_localities&) = default;

private:
    std::vector<locality> all_;
};

/// The part of the cluster that each host is, and in which order Envoy goes through them.
struct envoy_shares {
    std::vector<double> of;           ///< by node; 0 for one that is left out
    std::vector<std::uint32_t> order; ///< all nodes, locality by locality
};

/// A host's weight times the part of its locality (1 without them), divided by the sum of the
/// weights there; a node's `address` names its locality. Hosts of weight 0 or in a locality of
/// weight 0 are left out.
///
/// Throws `invalid_weight` for a fraction, and `invalid_node` for a locality without a weight.
///
/// Source: Envoy 1.32, `normalizeHostWeights` and `normalizeLocalityWeights` in
/// thread_aware_lb_impl.cc.
[[nodiscard]] inline envoy_shares share_out(std::span<const placed_node> nodes,
                                            const envoy_localities& localities) {
    std::vector<std::uint64_t> sums(std::max<std::size_t>(localities.size(), 1));
    std::vector<std::size_t> groups;
    for (const placed_node& node : nodes) {
        groups.push_back(localities.empty() ? 0 : localities.find(node.address));
        if (groups.back() == sums.size()) {
            throw invalid_node(concat("the node '", node.name, "' is in the locality '",
                                      node.address, "', which has no weight"));
        }
        sums[groups.back()] += whole_weight(node.name, node.weight);
    }
    envoy_shares shares;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto weight = static_cast<double>(whole_weight(nodes[i].name, nodes[i].weight));
        const double part = localities.empty() ? 1.0 : localities.share(groups[i]);
        const auto sum = static_cast<double>(sums[groups[i]]);
        shares.of.push_back(sum > 0.0 ? rounded(rounded(weight * part) / sum) : 0.0);
    }
    shares.order.resize(nodes.size());
    std::iota(shares.order.begin(), shares.order.end(), 0U);
    std::sort(shares.order.begin(), shares.order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return groups[a] != groups[b] ? groups[a] < groups[b] : a < b;
    });
    return shares;
}

/// The base of Envoy's schemes: the option `locality-weights`, and keys.
///
/// A key is what a hash policy hashes: a header's value, a cookie. A node's name is the text that
/// Envoy hashes for a host: the metadata `envoy.lb` / `hash_key`, or else the host name if
/// `use_hostname_for_hashing`, or else `ip:port`, `[v6]:port` or the path of a socket.
struct envoy_cluster {
    static constexpr bool ejects = true;
    static constexpr scheme_option localities_option{
        "locality-weights", "LIST", "",
        "weights of localities, NAME=N,NAME=N in their order; a node's is its zone="};

    envoy_localities localities;

    void set(std::string_view option, std::string_view value) {
        if (option != localities_option.name) {
            throw unknown_option(option);
        }
        localities = envoy_localities::parse(value);
    }
    [[nodiscard]] std::string get(std::string_view option) const {
        if (option != localities_option.name) {
            throw unknown_option(option);
        }
        return localities.text();
    }

    /// The address of a node with these attributes.
    [[nodiscard]] static std::string address_of(const node_attributes& said) {
        return std::string(said.zone);
    }

    friend bool operator==(const envoy_cluster&, const envoy_cluster&) = default;
};

} // namespace hashring::compat
