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
    /// text. When the ring's nodes change it is made anew. O(nodes · levels · log nodes).
    template <class Ring, class Domain>
    domain_ladder(const Ring& ring, std::size_t levels, Domain domain) : levels_(levels) {
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
    }

    /// How many levels there are above the nodes.
    [[nodiscard]] std::size_t levels() const noexcept { return levels_; }

    /// Whether nodes `a` and `b`, which are different, share a domain at `level` in [0, levels()];
    /// at the last one, that of the nodes themselves, they do not.
    [[nodiscard]] bool share(std::uint32_t a, std::uint32_t b, std::size_t level) const noexcept {
        return level < levels_ && ids_[a * levels_ + level] == ids_[b * levels_ + level];
    }

    friend bool operator==(const domain_ladder&, const domain_ladder&) = default;

private:
    std::size_t levels_ = 0;
    std::vector<std::uint32_t> ids_; ///< by node, then by level
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

} // namespace detail

/// Fills `out` with nodes for the copies of what stands at `position` of `ring`: first its owner,
/// then clockwise each node that shares no domain of the widest level with those before it; where
/// these run out, by `rule`, those that share none of the next level, and so on. No node comes
/// twice. A shortfall is in what it returns: `found` below `out.size()`, or `apart_at` above 0.
///
/// Laws: with no levels it is `replicas`; each node of the walk is taken, or passed, once, so that
/// it ends whatever is asked for. One walk, which compares each node with the copies found so far,
/// and allocates only where nodes are passed that a narrower level may come back to.
template <class Ring>
domain_spread replicas_over_domains(const Ring& ring, typename Ring::position_type position,
                                    const domain_ladder& ladder, domain_rule rule,
                                    std::span<std::uint32_t> out) {
    domain_spread spread;
    const auto take = [&](std::uint32_t node, std::size_t level) {
        if (detail::is_near(ladder, node, out.first(spread.found), level)) {
            return false;
        }
        out[spread.found++] = node;
        spread.apart_at = level;
        return true;
    };
    std::vector<std::uint32_t> passed;
    for (auto walk = ring.walk_at(position); spread.found < out.size() && walk.current() != no_node;
         walk.advance()) {
        if (!take(walk.current(), 0) && rule == domain_rule::best_effort) {
            passed.push_back(walk.current());
        }
    }
    for (std::size_t level = 1; level <= ladder.levels(); ++level) {
        for (std::size_t i = 0; i < passed.size() && spread.found < out.size(); ++i) {
            static_cast<void>(take(passed[i], level));
        }
    }
    return spread;
}

} // namespace hashring
