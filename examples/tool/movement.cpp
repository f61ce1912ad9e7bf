// SPDX-License-Identifier: MIT
#include "movement.hpp"

#include "evenness.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <string_view>

namespace tool {

namespace {

/// Whether arcs or slots tell exactly what moves: a remainder by another number moves all of them.
bool compares(const scheme_entry& scheme, const placement& before, const placement& after) {
    return scheme.counts != counting::slots ||
           (!scheme.lists.empty() && before.point_count() == after.point_count());
}

/// By name, the part of the keys that each node should have of those that are up.
std::map<std::string_view, double> wishes(const std::vector<placed>& nodes) {
    double sum = 0.0;
    for (const placed& node : nodes) {
        sum += takes_keys(node) ? node.wished_share : 0.0;
    }
    std::map<std::string_view, double> parts;
    for (const placed& node : nodes) {
        if (takes_keys(node)) {
            parts[node.name] = node.wished_share / sum;
        }
    }
    return parts;
}

/// What nodes should have after the change and not before, in all.
double least_share(const std::vector<placed>& before, const std::vector<placed>& after) {
    const std::map<std::string_view, double> had = wishes(before);
    double sum = 0.0;
    for (const auto& [name, wish] : wishes(after)) {
        const auto old = had.find(name);
        sum += std::max(0.0, wish - (old == had.end() ? 0.0 : old->second));
    }
    return sum;
}

/// The name of the owner of a key, `-` for nobody.
std::string_view owner_name(const placement& placed, const std::vector<tool::placed>& nodes,
                            std::string_view key) {
    const std::uint32_t owner = placed.owner(key);
    return owner == no_node ? std::string_view("-") : std::string_view(nodes[owner].name);
}

/// The part of the keys of `sample` that change their owner.
double count_moved(const placement& before, const placement& after,
                   std::span<const std::string> sample) {
    const std::vector<placed> old_nodes = before.nodes();
    const std::vector<placed> new_nodes = after.nodes();
    std::size_t moved = 0;
    for (const std::string& key : sample) {
        moved += owner_name(before, old_nodes, key) != owner_name(after, new_nodes, key) ? 1U : 0U;
    }
    return static_cast<double>(moved) / static_cast<double>(sample.size());
}

/// The places of the nodes that are let go.
std::vector<std::size_t> leaving(const scheme_entry& scheme, const placement& before) {
    const std::vector<placed> nodes = before.nodes();
    std::vector<std::size_t> able;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (takes_keys(nodes[i])) {
            able.push_back(i);
        }
    }
    if (able.size() < 2) {
        return {};
    }
    if (!scheme.removes_any) {
        return able.back() + 1 == nodes.size() ? std::vector{able.back()}
                                               : std::vector<std::size_t>{};
    }
    std::vector<std::size_t> places = {able.front(), able[able.size() / 2], able.back()};
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

} // namespace

std::optional<double> times_least(std::span<const movement> moves) {
    double moved = 0.0;
    double least = 0.0;
    for (const movement& m : moves) {
        moved += m.moved_share;
        least += m.least_share;
    }
    return least > 0.0 ? std::optional(moved / least) : std::nullopt;
}

std::optional<double> mean_moved(std::span<const movement> moves) {
    double moved = 0.0;
    for (const movement& m : moves) {
        moved += m.moved_share;
    }
    return moves.empty() ? std::nullopt : std::optional(moved / static_cast<double>(moves.size()));
}

movements move_nodes(const scheme_entry& scheme, const option_values& options,
                     const placement& before, const std::vector<listed_node>& nodes,
                     const listed_node& fresh, std::span<const std::string> sample) {
    movements all;
    std::vector<listed_node> changed = nodes;
    const auto moved = [&](std::string& refusal) -> std::optional<movement> {
        try {
            const std::unique_ptr<placement> after = scheme.place(changed, options);
            const double least = least_share(before.nodes(), after->nodes());
            if (compares(scheme, before, *after)) {
                return movement{before.changes_to(*after).moved_share, least};
            }
            all.by_keys = true;
            return movement{count_moved(before, *after, sample), least};
        } catch (const std::invalid_argument& reason) {
            refusal = reason.what();
            return std::nullopt;
        }
    };
    changed.push_back(fresh);
    all.join = moved(all.join_refusal);
    for (const std::size_t place : leaving(scheme, before)) {
        changed = nodes;
        changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(place));
        if (const std::optional<movement> leave = moved(all.leave_refusal)) {
            all.leaves.push_back(*leave);
            all.leaving.push_back(place);
        }
    }
    return all;
}

} // namespace tool
