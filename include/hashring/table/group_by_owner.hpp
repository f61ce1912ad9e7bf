// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/key.hpp>
#include <hashring/ring/batch.hpp>
#include <hashring/ring/point_list.hpp>
#include <hashring/table/lookup.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <ranges>
#include <span>
#include <vector>

/// \file
/// A batch of keys by their owners: one request for each node in place of one for each key.

namespace hashring {

/// Which keys of a batch each node owns, as places in the batch, counted from 0. Each key is in one
/// group, and in each group they are in the order of the batch.
class owner_groups {
public:
    owner_groups() = default;

    /// The groups of keys whose owners are `owners`, indices below `nodes` or `no_node`.
    owner_groups(std::span<const std::uint32_t> owners, std::size_t nodes)
        : ends_(nodes + 1), keys_(owners.size()) {
        for (const std::uint32_t owner : owners) {
            ++ends_[owner == no_node ? nodes : owner];
        }
        std::exclusive_scan(ends_.begin(), ends_.end(), ends_.begin(), std::size_t{0});
        for (std::size_t key = 0; key < owners.size(); ++key) {
            keys_[ends_[owners[key] == no_node ? nodes : owners[key]]++] = key;
        }
    }

    /// The keys of node `i`, below the number of nodes.
    [[nodiscard]] std::span<const std::size_t> of(std::uint32_t i) const noexcept {
        const std::size_t first = i == 0 ? 0 : ends_[i - 1];
        return std::span(keys_).subspan(first, ends_[i] - first);
    }
    /// The keys that nobody owns: none, or all of the batch.
    [[nodiscard]] std::span<const std::size_t> of_nobody() const noexcept {
        return ends_.empty() ? std::span<const std::size_t>()
                             : of(static_cast<std::uint32_t>(ends_.size() - 1));
    }

    friend bool operator==(const owner_groups&, const owner_groups&) = default;

private:
    std::vector<std::size_t> ends_; ///< of each node's run in `keys_`, and of nobody's
    std::vector<std::size_t> keys_;
};

/// The groups of `keys` on a ring or table. O(keys + nodes).
///
/// Law: node i has the keys of which `owner` says so.
template <node_lookup Placed, key_range Keys>
[[nodiscard]] owner_groups group_by_owner(const Placed& placed, const Keys& keys) {
    std::vector<std::uint32_t> owners;
    if constexpr (requires { placed.owners(keys, std::span<std::uint32_t>()); }) {
        owners.resize(static_cast<std::size_t>(std::ranges::distance(keys)));
        placed.owners(keys, std::span(owners));
    } else {
        for (const auto& key : keys) {
            owners.push_back(placed.owner_index_at(placed.position(key)));
        }
    }
    return {owners, placed.size()};
}

} // namespace hashring
