// SPDX-License-Identifier: MIT
#pragma once

#include "failure.hpp"
#include "given_points.hpp"
#include "led_walk.hpp"
#include "placement.hpp"
#include "tries.hpp"

#include <hashring/ring/domains.hpp>
#include <hashring/ring/ring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tool {

/// What a node's payload is here: its place in the nodes file, its mark and its weight.
struct line_mark {
    std::uint32_t place = 0;
    bool down = false;
    hashring::weight weight{};
};

template <class Scheme>
using marked_ring = hashring::ring<Scheme, line_mark>;

template <class Scheme>
[[nodiscard]] Scheme configured(const option_values& options) {
    Scheme scheme;
    for (const auto& [name, value] : options) {
        scheme.set(name, value);
    }
    return scheme;
}

/// How keys are hashed, with the options where these decide it.
template <class Scheme>
[[nodiscard]] std::string key_rule_of(const Scheme& scheme) {
    std::string rule(Scheme::key_rule);
    if constexpr (requires { scheme.places_keys_as(scheme); }) {
        for (const hashring::scheme_option& option : Scheme::options()) {
            rule += concat("; ", option.name, " = ", scheme.get(option.name));
        }
    }
    return rule;
}

/// What the scheme takes for a node's address.
template <class Scheme>
[[nodiscard]] std::string address_of(const listed_node& node) {
    if constexpr (requires { Scheme::address_of(hashring::node_attributes{}); }) {
        return Scheme::address_of(
            hashring::node_attributes{node.addr, node.zone, node.guid, node.id});
    } else {
        return node.addr;
    }
}

/// The nodes as specs, in the order of the file.
template <class Scheme>
[[nodiscard]] std::vector<hashring::node_spec> specs_of(const std::vector<listed_node>& nodes) {
    std::vector<hashring::node_spec> specs;
    specs.reserve(nodes.size());
    for (const listed_node& node : nodes) {
        specs.emplace_back(node.name, node.weight, address_of<Scheme>(node));
    }
    return specs;
}

/// The ring of `specs`, which are `nodes` in their order.
template <class Scheme>
[[nodiscard]] marked_ring<Scheme> build_ring(const std::vector<listed_node>& nodes,
                                             const std::vector<hashring::node_spec>& specs,
                                             const Scheme& scheme) {
    marked_ring<Scheme> ring(scheme);
    std::uint32_t place = 0;
    ring.assign(specs, [&](const hashring::node_spec& spec) {
        const std::uint32_t here = place++; // asked in the order of the list
        return line_mark{here, nodes[here].down, spec.weight};
    });
    return ring;
}

/// A placement by a ring. Shares and differences of a program that hashes keys again are those of a
/// ring on which the next point answers for one that is down.
template <class Listed>
class ring_placement : public placement {
    using Scheme = drainable<Listed>;
    static constexpr bool hashes_again = hashring::retrying_scheme<Scheme>;

public:
    ring_placement(const std::vector<listed_node>& nodes, const option_values& options) {
        auto scheme = configured<Scheme>(options);
        std::vector<hashring::node_spec> specs = specs_of<Scheme>(nodes);
        if constexpr (requires { scheme.take(std::span<hashring::node_spec>(specs)); }) {
            scheme.take(specs);
        }
        ring_ = build_ring(nodes, specs, scheme);
        if (std::any_of(nodes.begin(), nodes.end(), [](const listed_node& n) { return n.down; })) {
            if constexpr (hashring::ejecting_scheme<Scheme>) {
                eject(nodes, specs);
            } else {
                drain(nodes, specs, scheme);
            }
        }
    }

    [[nodiscard]] std::uint32_t owner(std::string_view key) const override {
        const std::uint32_t index = owner_index(key);
        return index == no_node ? no_node : mark(index).place;
    }

    std::size_t copies(std::string_view key, std::span<std::uint32_t> out) const override {
        const std::uint32_t first = owner(key);
        if (first == no_node || out.empty()) {
            return 0;
        }
        out[0] = first;
        std::size_t found = 1;
        for (auto walk = up().walk_from(key); found < out.size() && walk.current() != no_node;
             walk.advance()) {
            if (const std::uint32_t place = mark(walk.current()).place; place != first) {
                out[found++] = place;
            }
        }
        return found;
    }

    void set_domains(const domain_texts& levels) override {
        ladder_ =
            hashring::domain_ladder(up(), levels.size(), [&](const auto& node, std::size_t level) {
                return std::string_view(levels[level][node.payload().place]);
            });
    }

    [[nodiscard]] hashring::domain_spread
    copies_apart(std::string_view key, hashring::domain_rule rule,
                 std::span<std::uint32_t> out) const override {
        const std::uint32_t first = owner_index(key);
        if (first == no_node) {
            return {};
        }
        const led_ring<marked_ring<Scheme>> led{up(), first};
        const auto spread =
            hashring::replicas_over_domains(led, up().position(key), ladder_, rule, out);
        for (std::uint32_t& node : out.first(spread.found)) {
            node = mark(node).place;
        }
        return spread;
    }

    [[nodiscard]] std::uint64_t owners_sum(std::span<const std::string> keys) const override {
        std::uint64_t sum = 0;
        for (const std::string& key : keys) {
            sum += owner_index(key);
        }
        return sum;
    }
    [[nodiscard]] std::size_t memory_bytes() const override { return up().memory_bytes(); }

    [[nodiscard]] std::string position_text(std::string_view key) const override {
        return text(ring_.position(key));
    }

    [[nodiscard]] std::vector<placed> nodes() const override {
        std::vector<placed> result(ring_.size());
        const std::vector<double> shares = up().shares(); // a node that is down has none
        std::uint64_t total = 0;
        for (std::uint32_t i = 0; i < ring_.size(); ++i) {
            total += mark(i).weight.thousandths();
        }
        for (std::uint32_t i = 0; i < ring_.size(); ++i) {
            const auto node = ring_.node(i);
            const double wished = total == 0 ? 0.0
                                             : static_cast<double>(mark(i).weight.thousandths()) /
                                                   static_cast<double>(total);
            result[mark(i).place] = {std::string(node.name()),
                                     mark(i).weight,
                                     node.vnodes(),
                                     wished,
                                     shares[i],
                                     mark(i).down};
        }
        return result;
    }

    [[nodiscard]] std::vector<double> shares_with_copies(std::size_t copies) const override {
        const marked_ring<Scheme>& ring = up();
        std::vector<hashring::uint128> widths(ring.size());
        std::vector<hashring::node_ref<line_mark>> holders(std::min(copies, ring.placed_count()));
        for (std::size_t p = 0; p < ring.point_count(); ++p) {
            ring.replicas_at(ring.point_position(p), holders);
            for (const auto& holder : holders) {
                widths[holder.payload().place] += ring.point_width(p);
            }
        }
        std::vector<double> shares;
        for (const hashring::uint128& w : widths) {
            shares.push_back(hashring::fraction(w, circle()));
        }
        return shares;
    }

    [[nodiscard]] std::size_t point_count() const override { return ring_.point_count(); }
    [[nodiscard]] std::string point_position(std::size_t i) const override {
        return text(ring_.point_position(dumped(i)));
    }
    [[nodiscard]] std::string point_text(std::size_t i) const override {
        const std::size_t point = dumped(i);
        if (!Scheme::dumps_equal_points && point > 0 &&
            ring_.point_position(point) == ring_.point_position(point - 1)) {
            return {};
        }
        return text(ring_.point_position(point));
    }
    [[nodiscard]] std::uint32_t point_owner(std::size_t i) const override {
        const std::size_t point = dumped(i);
        return mark(hashring::owner_dumping_scheme<Scheme>
                        ? ring_.owner_index_at(ring_.point_position(point))
                        : ring_.point_owner(point))
            .place;
    }

    [[nodiscard]] std::vector<std::uint32_t> program_counts() const override {
        std::vector<hashring::placed_node> asked;
        std::vector<std::uint32_t> counts;
        for (std::uint32_t i = 0; i < ring_.size(); ++i) {
            asked.push_back(asked_for(i));
            counts.push_back(ring_.node(i).vnodes());
        }
        if constexpr (requires { Scheme::program_counts(asked); }) {
            counts = Scheme::program_counts(asked);
        }
        std::vector<std::uint32_t> by_place(counts.size());
        for (std::uint32_t i = 0; i < ring_.size(); ++i) {
            by_place[mark(i).place] = counts[i];
        }
        return by_place;
    }

    [[nodiscard]] std::string label(std::uint32_t place, std::uint32_t j) const override {
        std::uint32_t i = 0;
        while (mark(i).place != place) {
            ++i;
        }
        return ring_.scheme().label(asked_for(i), j);
    }

    [[nodiscard]] explanation explain(std::string_view key) const override {
        explanation why;
        why.hash = key_rule_of(ring_.scheme());
        const auto position = ring_.position(key);
        why.position = text(position);
        if (ring_.point_count() == 0) {
            return why;
        }
        const std::size_t point = ring_.point_index(position);
        why.point = text(ring_.point_position(point));
        why.point_number = dumped(point);
        why.distance = distance(position, ring_.point_position(point));
        find_label(point, why);
        why.clockwise = places_asked(ring_, key);
        return why;
    }

    [[nodiscard]] std::uint64_t fingerprint() const override { return ring_.fingerprint(); }

    [[nodiscard]] difference changes_to(const placement& after) const override {
        const auto moves = diff(up(), static_cast<const ring_placement&>(after).up());
        difference result;
        for (const auto& a : moves.arcs()) {
            constexpr bool mirrored = hashring::mirrored_scheme<Scheme>;
            result.arcs.push_back({text(mirrored ? a.where.last : a.where.first),
                                   text(mirrored ? a.where.first : a.where.last),
                                   std::string(moves.name(a.from, "-")),
                                   std::string(moves.name(a.to, "-"))});
        }
        if (hashring::mirrored_scheme<Scheme>) {
            std::reverse(result.arcs.begin(), result.arcs.end());
        }
        for (const hashring::transfer& m : moves.transfers()) {
            result.totals.push_back({std::string(moves.name(m.from, "-")),
                                     std::string(moves.name(m.to, "-")), m.arcs,
                                     hashring::fraction(m.width, circle())});
        }
        result.moved_share = moves.moved_fraction();
        result.least_share = moves.least_fraction();
        return result;
    }

private:
    [[nodiscard]] std::uint32_t owner_index(std::string_view key) const {
        if constexpr (hashes_again) {
            return node_by_tries(ring_, key);
        } else {
            return up().owner_index_at(up().position(key));
        }
    }

    /// Makes the ring in which those that are down have no points, and the others the same.
    void drain(const std::vector<listed_node>& nodes, std::vector<hashring::node_spec>& specs,
               Scheme& scheme) {
        if constexpr (hashring::list_scheme<Scheme>) {
            scheme.given = points_without(ring_, [&](std::uint32_t i) { return mark(i).down; });
        } else {
            for (std::uint32_t i = 0; i < ring_.size(); ++i) {
                specs[mark(i).place].vnodes = mark(i).down ? 0 : ring_.node(i).vnodes();
            }
        }
        drained_ = build_ring(nodes, specs, scheme);
    }

    /// Makes the ring that the program makes anew of those that are up.
    void eject(const std::vector<listed_node>& nodes, std::vector<hashring::node_spec>& specs) {
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            specs[i].weight = nodes[i].down ? hashring::weight{0} : specs[i].weight;
        }
        ring_.assign(specs);
    }

    /// The ring that answers: the next node clockwise for one that is down.
    [[nodiscard]] const marked_ring<Scheme>& up() const { return drained_ ? *drained_ : ring_; }

    using position_type = typename Scheme::position_type;

    [[nodiscard]] static hashring::uint128 circle() {
        return hashring::circle_width(position_type{Scheme::last_position});
    }

    [[nodiscard]] const line_mark& mark(std::uint32_t node) const {
        return ring_.node(node).payload();
    }
    [[nodiscard]] std::string text(position_type position) const {
        return ring_.scheme().text(position);
    }

    /// The place on the ring of point `i` of the program's dump, and the other way round.
    [[nodiscard]] std::size_t dumped(std::size_t i) const {
        return hashring::mirrored_scheme<Scheme> ? ring_.point_count() - 1 - i : i;
    }

    [[nodiscard]] static std::string distance(position_type from, position_type to) {
        const auto forward =
            from <= to ? static_cast<position_type>(to - from)
                       : static_cast<position_type>(Scheme::last_position - from + to + 1U);
        return hashring::decimal(forward);
    }

    /// What a scheme is asked of a node by.
    [[nodiscard]] hashring::placed_node asked_for(std::uint32_t index) const {
        const auto node = ring_.node(index);
        return {node.name(), node.address(), node.weight(), index};
    }

    /// Points do not keep which virtual node they are; one of the node's is at this position. Where
    /// points are picked it may be one behind as many as the node has.
    void find_label(std::size_t point, explanation& why) const {
        const std::uint32_t owner = ring_.point_owner(point);
        const auto node = ring_.node(owner);
        const hashring::placed_node asked = asked_for(owner);
        if constexpr (hashring::arc_end_scheme<Scheme>) {
            why.vnode = vnode_ending_at(asked, node.vnodes(), ring_.point_position(point));
            why.label = ring_.scheme().label(asked, why.vnode);
            return;
        }
        for (std::vector<position_type> positions(node.vnodes());
             positions.size() <= hashring::max_points; positions.resize(2 * positions.size())) {
            ring_.scheme().points(asked, std::span<position_type>(positions));
            const auto found =
                std::find(positions.begin(), positions.end(), ring_.point_position(point));
            if (found != positions.end()) {
                why.vnode = static_cast<std::uint32_t>(found - positions.begin());
                why.label = ring_.scheme().label(asked, why.vnode);
                return;
            }
        }
    }

    /// The virtual node, of `count`, whose arc ends at `end`: as the scheme says, or the last one
    /// at or before it.
    [[nodiscard]] std::uint32_t vnode_ending_at(const hashring::placed_node& node,
                                                std::uint32_t count, position_type end) const {
        std::vector<position_type> positions(count);
        ring_.scheme().points(node, std::span<position_type>(positions));
        const auto steps = [end](position_type point) {
            if constexpr (requires { Scheme::steps_to_end(point, end); }) {
                return Scheme::steps_to_end(point, end);
            } else {
                return static_cast<position_type>(end - point);
            }
        };
        const auto nearer = [&](position_type a, position_type b) {
            return steps(a) < steps(b);
        };
        return static_cast<std::uint32_t>(
            std::min_element(positions.begin(), positions.end(), nearer) - positions.begin());
    }

    marked_ring<Scheme> ring_;
    std::optional<marked_ring<Scheme>> drained_; ///< without the points of those that are down
    hashring::domain_ladder ladder_;
};

} // namespace tool
