// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/node.hpp>
#include <hashring/core/weight.hpp>
#include <hashring/placement/per_weight.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// The part that the classic designs of a ring share, whatever they keep their points in.

namespace hashring::bench {

using name_ref = const std::string*;

/// What contains one is neither copied nor moved.
struct pinned {
    pinned() = default;
    pinned(const pinned&) = delete;
    pinned& operator=(const pinned&) = delete;
    ~pinned() = default;
};

/// What the designs share: the nodes, and where their points stand. A design adds `insert(points)`,
/// `erase(points of one node)`, `clear()`, `owner_at` and `replicas_at`.
template <class Scheme, class Design>
class classic_ring {
public:
    using scheme_type = Scheme;
    using position_type = typename Scheme::position_type;
    using node_type = name_ref;
    using points = std::vector<std::pair<position_type, name_ref>>;

    void add(const std::string& name) { add(name, weight{}); }
    void add(const std::vector<std::string>& names) {
        points fresh;
        for (const std::string& name : names) {
            append_points(name, weight{}, fresh);
        }
        design().insert(std::move(fresh));
    }
    void remove(const std::string& name) {
        const auto node = nodes_.find(name);
        design().erase(points_of(node->first, node->second));
        nodes_.erase(node);
    }
    void set_weight(const std::string& name, weight wished) {
        remove(name);
        add(name, wished);
    }
    /// Emptied and filled anew.
    void assign(const std::vector<std::string>& names) {
        design().clear();
        nodes_.clear();
        add(names);
    }

    [[nodiscard]] position_type position(std::string_view key) const noexcept {
        return Scheme{}.position(key);
    }
    [[nodiscard]] name_ref owner(std::string_view key) const noexcept {
        return design().owner_at(position(key));
    }
    std::size_t replicas(std::string_view key, std::span<name_ref> out) const noexcept {
        return design().replicas_at(position(key), out);
    }

private:
    friend Design;
    classic_ring() = default;

    [[nodiscard]] Design& design() noexcept { return static_cast<Design&>(*this); }
    [[nodiscard]] const Design& design() const noexcept {
        return static_cast<const Design&>(*this);
    }

    void add(const std::string& name, weight wished) {
        points fresh;
        append_points(name, wished, fresh);
        design().insert(std::move(fresh));
    }
    void append_points(const std::string& name, weight wished, points& out) {
        const auto count = vnodes_for(wished, Scheme{}.vnodes_per_unit);
        const auto node = nodes_.emplace(name, count).first;
        const points fresh = points_of(node->first, count);
        out.insert(out.end(), fresh.begin(), fresh.end());
    }
    [[nodiscard]] static points points_of(const std::string& name, std::uint32_t count) {
        std::vector<position_type> positions(count);
        Scheme{}.points(placed_node{name, {}}, std::span<position_type>(positions));
        points result;
        for (const position_type p : positions) {
            result.emplace_back(p, &name);
        }
        return result;
    }

    std::map<std::string, std::uint32_t> nodes_; // name → number of points
    pinned points_refer_to_names_;
};

} // namespace hashring::bench
