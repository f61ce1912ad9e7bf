// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/ring/point_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// Copies that do not fail together: spread over zones, racks and hosts.

namespace hashring {

/// Which failure domains each node of a ring is in, from the widest level (0, such as zones) to the
/// narrowest; behind the last one stands the node itself.
///
/// Two nodes share a domain if they have the same text there and share all wider ones: rack `r1` of
/// one zone is not rack `r1` of another. Nodes of which a text is empty share it as if it were one:
/// who does not say where a node is, does not say that it is elsewhere. A regular value.
class domain_ladder {
public:
    domain_ladder() = default;

    /// The ladder of `levels` levels of the nodes of `ring`, of which `domain(node, level)` is the
    /// text. When the ring's nodes change, or which of them have points, it is made anew. O(nodes ·
    /// levels · log nodes).
    template <class Ring, class Domain>
    domain_ladder(const Ring& ring, std::size_t levels, Domain domain)
        : levels_(levels), counts_(levels) {
        std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> known; // by the wider one
        for (std::uint32_t i = 0; i < ring.size(); ++i) {
            std::uint32_t inside = 0;
            for (std::size_t level = 0; level < levels; ++level) {
                const auto next = static_cast<std::uint32_t>(known.size() + 1);
                const std::string text(std::string_view(domain(ring.node(i), level)));
                inside = known.try_emplace({inside, text}, next).first->second;
                ids_.push_back(inside);
            }
        }
        count(ring, known.size());
    }

    /// How many levels there are above the nodes.
    [[nodiscard]] std::size_t levels() const noexcept { return levels_; }

    /// Whether nodes `a` and `b`, which are different, share a domain at `level` in [0, levels()];
    /// at the last one, that of the nodes themselves, they do not.
    [[nodiscard]] bool share(std::uint32_t a, std::uint32_t b, std::size_t level) const noexcept {
        return level < levels_ && ids_[a * levels_ + level] == ids_[b * levels_ + level];
    }

    /// How many domains of `level`, below levels(), have nodes with points.
    [[nodiscard]] std::size_t count(std::size_t level) const noexcept { return counts_[level]; }

    friend bool operator==(const domain_ladder&, const domain_ladder&) = default;

private:
    /// Counts the domains, of which there are `domains` on all levels together.
    template <class Ring>
    void count(const Ring& ring, std::size_t domains) {
        std::vector<bool> seen(domains + 1);
        for (std::uint32_t i = 0; i < ring.size(); ++i) {
            for (std::size_t level = 0; level < levels_ && ring.node(i).vnodes() > 0; ++level) {
                const std::uint32_t id = ids_[i * levels_ + level];
                counts_[level] += seen[id] ? 0U : 1U;
                seen[id] = true;
            }
        }
    }

    std::size_t levels_ = 0;
    std::vector<std::uint32_t> ids_;  ///< by node, then by level
    std::vector<std::size_t> counts_; ///< by level, of domains
};

/// What to do where there are fewer domains than copies.
enum class domain_rule : std::uint8_t {
    strict,     ///< fewer copies, no two of them in one domain of the widest level
    best_effort ///< the next level, down to different nodes
};

/// How copies came to be spread.
struct domain_spread {
    std::size_t found = 0; ///< how many copies there are
    /// No two copies share a domain at this level: 0 is the best, and with one copy or none it is
    /// 0.
    std::size_t apart_at = 0;

    friend bool operator==(const domain_spread&, const domain_spread&) = default;
};

namespace detail {

/// Whether `node` is one of `chosen`, or shares a domain with one of them at `level`.
[[nodiscard]] inline bool is_near(const domain_ladder& ladder, std::uint32_t node,
                                  std::span<const std::uint32_t> chosen,
                                  std::size_t level) noexcept {
    return std::any_of(chosen.begin(), chosen.end(), [&](std::uint32_t other) {
        return other == node || ladder.share(node, other, level);
    });
}

/// A walk that takes copies level by level.
template <class Walk>
class domain_search {
public:
    domain_search(Walk walk, const domain_ladder& ladder, std::span<std::uint32_t> out)
        : walk_(std::move(walk)), ladder_(&ladder), out_(out) {}

    /// Takes all copies that are apart at `level`: of the nodes passed so far, then farther on. The
    /// nodes that it passes are kept if another level follows.
    void take_level(std::size_t level, bool is_last) {
        // They are in different domains: at most one in each.
        const std::size_t most =
            level < ladder_->levels() ? std::min(out_.size(), ladder_->count(level)) : out_.size();
        for (std::size_t i = 0; i < passed_.size() && spread_.found < most; ++i) {
            static_cast<void>(take(passed_[i], level));
        }
        while (spread_.found < most && next() != no_node) {
            if (!take(walk_.current(), level) && !is_last) {
                passed_.push_back(walk_.current());
            }
        }
    }

    [[nodiscard]] const domain_spread& found() const noexcept { return spread_; }

private:
    /// One node farther, at first none: no point is looked at before it is needed.
    std::uint32_t next() noexcept {
        if (std::exchange(has_begun_, true)) {
            walk_.advance();
        }
        return walk_.current();
    }

    bool take(std::uint32_t node, std::size_t level) noexcept {
        if (is_near(*ladder_, node, out_.first(spread_.found), level)) {
            return false;
        }
        out_[spread_.found++] = node;
        spread_.apart_at = level;
        return true;
    }

    Walk walk_;
    const domain_ladder* ladder_;
    std::span<std::uint32_t> out_;
    domain_spread spread_;
    std::vector<std::uint32_t> passed_;
    bool has_begun_ = false;
};

} // namespace detail

/// Fills `out` with nodes for the copies of what stands at `position` of `ring`: first its owner,
/// then clockwise each node that shares no domain of the widest level with those before it; where
/// these run out, by `rule`, those that share none of the next level, and so on. No node comes
/// twice. A shortfall is in what it returns: `found` below `out.size()`, or `apart_at` above 0.
///
/// Laws: with no levels it is `replicas`; asked for any it looks at no point behind that of the
/// last copy on the way, as a level is over when each of its domains has a copy, so that it ends
/// whatever is asked for. One walk, which compares each node with the copies found so far. Besides
/// what the walk needs it allocates only where nodes are passed that a narrower level may come back
/// to.
template <class Ring>
domain_spread replicas_over_domains(const Ring& ring, typename Ring::position_type position,
                                    const domain_ladder& ladder, domain_rule rule,
                                    std::span<std::uint32_t> out) {
    detail::domain_search search(ring.walk_at(position), ladder, out);
    const std::size_t last = rule == domain_rule::strict ? 0 : ladder.levels();
    for (std::size_t level = 0; level <= last; ++level) {
        search.take_level(level, level == last);
    }
    return search.found();
}

} // namespace hashring
