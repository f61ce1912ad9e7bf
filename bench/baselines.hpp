// SPDX-License-Identifier: MIT
#pragma once

#include "classic_ring.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// The classic designs of a ring, with the points of a scheme: a tree map, a binary search in a
/// sorted vector, and a list that is scanned from end to end. Each is written as it usually is, and
/// answers with a pointer to the owner's name.

namespace hashring::bench {

/// Fills `out` with the different owners from `at` on. `next` steps clockwise for ever; `left` is
/// the number of points.
template <class Iterator, class Next>
std::size_t collect_owners(Iterator at, std::size_t left, Next next, std::span<name_ref> out) {
    std::size_t found = 0;
    for (; found < out.size() && left > 0; --left, at = next(at)) {
        const auto known = out.first(found);
        if (std::find(known.begin(), known.end(), at->second) == known.end()) {
            out[found++] = at->second;
        }
    }
    return found;
}

/// A tree map from position to owner: Java's `TreeMap`, as in the postal and Redis papers and the
/// shard blog.
template <class Scheme>
class tree_map : public classic_ring<Scheme, tree_map<Scheme>> {
public:
    static constexpr std::string_view name = "std_map";
    using base = classic_ring<Scheme, tree_map>;
    using typename base::points;
    using typename base::position_type;

    explicit tree_map(const std::vector<std::string>& names) { base::add(names); }

    void insert(points fresh) { points_.insert(fresh.begin(), fresh.end()); }
    void erase(const points& gone) {
        for (const auto& [position, owner] : gone) {
            points_.erase(position);
        }
    }
    void clear() noexcept { points_.clear(); }
    [[nodiscard]] name_ref owner_at(position_type p) const noexcept { return find(p)->second; }
    std::size_t replicas_at(position_type p, std::span<name_ref> out) const noexcept {
        const auto next = [&](auto at) {
            return ++at == points_.end() ? points_.begin() : at;
        };
        return collect_owners(find(p), points_.size(), next, out);
    }
    [[nodiscard]] std::size_t point_count() const noexcept { return points_.size(); }

private:
    [[nodiscard]] auto find(position_type p) const noexcept {
        const auto at = points_.lower_bound(p);
        return at == points_.end() ? points_.begin() : at;
    }

    std::map<position_type, name_ref> points_;
};

/// A sorted vector of points and `std::upper_bound`.
template <class Scheme>
class sorted_vector : public classic_ring<Scheme, sorted_vector<Scheme>> {
public:
    static constexpr std::string_view name = "upper_bound";
    using base = classic_ring<Scheme, sorted_vector>;
    using typename base::points;
    using typename base::position_type;

    explicit sorted_vector(const std::vector<std::string>& names) { base::add(names); }

    void insert(points fresh) {
        std::sort(fresh.begin(), fresh.end(), before);
        points merged;
        merged.reserve(points_.size() + fresh.size());
        std::merge(points_.begin(), points_.end(), fresh.begin(), fresh.end(),
                   std::back_inserter(merged), before);
        points_ = std::move(merged);
    }
    void erase(const points& gone) {
        const name_ref owner = gone.front().second;
        std::erase_if(points_, [&](const auto& x) { return x.second == owner; });
    }
    void clear() noexcept { points_.clear(); }
    [[nodiscard]] name_ref owner_at(position_type p) const noexcept { return find(p)->second; }
    std::size_t replicas_at(position_type p, std::span<name_ref> out) const noexcept {
        const auto next = [&](auto at) {
            return ++at == points_.end() ? points_.begin() : at;
        };
        return collect_owners(find(p), points_.size(), next, out);
    }
    [[nodiscard]] std::size_t point_count() const noexcept { return points_.size(); }

private:
    using point = typename points::value_type;
    [[nodiscard]] static bool before(const point& a, const point& b) noexcept {
        return a.first < b.first;
    }
    [[nodiscard]] auto find(position_type p) const noexcept {
        const auto at_or_after = [](position_type key, const point& x) {
            return key <= x.first;
        };
        const auto at = std::upper_bound(points_.begin(), points_.end(), p, at_or_after);
        return at == points_.end() ? points_.begin() : at;
    }

    points points_;
};

/// A list in no order: whoever asks looks at every point for the nearest one clockwise.
template <class Scheme>
class scanned_list : public classic_ring<Scheme, scanned_list<Scheme>> {
    static_assert(Scheme::last_position ==
                      std::numeric_limits<typename Scheme::position_type>::max(),
                  "distances are differences modulo the width of the type");

public:
    static constexpr std::string_view name = "scanned_list";
    using base = classic_ring<Scheme, scanned_list>;
    using typename base::points;
    using typename base::position_type;

    explicit scanned_list(const std::vector<std::string>& names) { base::add(names); }

    void insert(const points& fresh) { points_.insert(points_.end(), fresh.begin(), fresh.end()); }
    void erase(const points& gone) {
        const name_ref owner = gone.front().second;
        std::erase_if(points_, [&](const auto& x) { return x.second == owner; });
    }
    void clear() noexcept { points_.clear(); }
    [[nodiscard]] name_ref owner_at(position_type p) const noexcept { return nearest(p, {}); }
    std::size_t replicas_at(position_type p, std::span<name_ref> out) const noexcept {
        std::size_t found = 0;
        while (found < out.size()) {
            const name_ref owner = nearest(p, out.first(found));
            if (owner == nullptr) {
                break;
            }
            out[found++] = owner;
        }
        return found;
    }
    [[nodiscard]] std::size_t point_count() const noexcept { return points_.size(); }

private:
    [[nodiscard]] name_ref nearest(position_type p, std::span<const name_ref> but) const noexcept {
        name_ref owner = nullptr;
        auto least = std::numeric_limits<position_type>::max();
        for (const auto& [position, candidate] : points_) {
            const auto distance = static_cast<position_type>(position - p);
            if ((distance < least || owner == nullptr) &&
                std::find(but.begin(), but.end(), candidate) == but.end()) {
                least = distance;
                owner = candidate;
            }
        }
        return owner;
    }

    points points_;
};

} // namespace hashring::bench
