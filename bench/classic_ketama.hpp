// SPDX-License-Identifier: MIT
#pragma once

#include "classic_ring.hpp"
#include "peers.hpp"

#include <hashring/core/text.hpp>
#include <hashring/placement/ketama_group.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// The ketama ring as it is usually written.

namespace hashring::bench {

/// OpenSSL's MD5, one digest at a time, of each group's name and a number; four entries of a tree
/// map from each. Keys are hashed by the same MD5.
class classic_ketama {
public:
    static constexpr std::string_view name = "std_map";
    using scheme_type = schemes::ketama_group;
    using position_type = std::uint32_t;
    using node_type = name_ref;

    explicit classic_ketama(const std::vector<std::string>& names) : names_(names) {
        for (const std::string& node : names_) {
            put(node);
        }
    }

    [[nodiscard]] position_type position(std::string_view key) const noexcept {
        return openssl_md5{}(key);
    }
    [[nodiscard]] name_ref owner_at(position_type p) const noexcept {
        const auto at = points_.lower_bound(p);
        return at == points_.end() ? points_.begin()->second : at->second;
    }
    [[nodiscard]] name_ref owner(std::string_view key) const noexcept {
        return owner_at(position(key));
    }
    /// The points that were put in, those that took another's place among them.
    [[nodiscard]] std::size_t point_count() const noexcept {
        return names_.size() * digests_a_node * 4;
    }

private:
    static constexpr unsigned digests_a_node = 40;

    void put(const std::string& node) {
        std::string label;
        for (unsigned i = 0; i < digests_a_node; ++i) {
            label = node;
            append_decimal(label, i);
            for (const std::uint32_t word : openssl_md5::words(label)) {
                points_[word] = &node;
            }
        }
    }

    std::vector<std::string> names_;
    std::map<position_type, name_ref> points_;
    pinned points_refer_to_names_;
};

} // namespace hashring::bench
