// SPDX-License-Identifier: MIT
#pragma once

#include "laws/reference.hpp"
#include "laws/subject.hpp"

#include <hashring/core/uint128.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/ring/bounded.hpp>
#include <hashring/ring/node_marks.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/table/differences.hpp>
#include <hashring/table/saved.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace laws {

template <class Position>
Position narrowed(const uint128& p) {
    if constexpr (std::same_as<Position, uint128>) {
        return p;
    } else {
        return static_cast<Position>(p.low);
    }
}

template <class Diff>
difference difference_of(const Diff& diff, std::span<const uint128> positions = {}) {
    difference result;
    const auto name = [&](std::uint32_t i) {
        return std::string(diff.name(i));
    };
    for (const auto& arc : diff.arcs()) {
        result.arcs.push_back({arc.where.first, arc.where.last, name(arc.from), name(arc.to)});
    }
    result.width = diff.moved_width();
    for (const auto& transfer : diff.transfers()) {
        result.transferred += transfer.width;
    }
    for (const uint128& p : positions) {
        const auto arc = diff.find_at(narrowed<typename Diff::position_type>(p));
        result.found.emplace_back(arc ? name(arc->from) : "", arc ? name(arc->to) : "");
    }
    return result;
}

// What a ring of any kind answers. `Base` is `subject` or what derives from it.
template <class Ring, class Base>
class ring_answers : public Base {
public:
    using position_type = typename Ring::position_type;
    using scheme_type = typename Ring::scheme_type;

    explicit ring_answers(Ring ring) : ring_(std::move(ring)) {}

    promises promised() const override {
        constexpr bool own = !scheme_type::points_depend_on_list;
        return {scheme_type::name, scheme_type::order_matters, own,
                own && scheme_type::independent_points};
    }

    bool equals(const subject& other) const override { return ring_ == ring_of(other); }
    std::uint64_t fingerprint() const override { return ring_.fingerprint(); }

    std::vector<node_spec> nodes() const override {
        std::vector<node_spec> result;
        for (std::uint32_t i = 0; i < ring_.size(); ++i) {
            const auto node = ring_.node(i);
            result.emplace_back(std::string(node.name()), node.weight(),
                                std::string(node.address()), node.vnodes_by_hand());
        }
        return result;
    }
    std::vector<std::uint32_t> counts() const override {
        std::vector<std::uint32_t> result;
        for (std::uint32_t i = 0; i < ring_.size(); ++i) {
            result.push_back(ring_.node(i).vnodes());
        }
        return result;
    }
    std::uint32_t index_of(std::string_view name) const override { return ring_.index_of(name); }
    std::size_t placed_count() const override { return ring_.placed_count(); }

    uint128 position(std::string_view key) const override { return ring_.position(key); }
    std::string owner(std::string_view key) const override {
        const auto node = ring_.owner(key);
        return node ? std::string(node->name()) : std::string();
    }
    std::uint32_t owner_index_at(const uint128& p) const override {
        return ring_.owner_index_at(narrowed<position_type>(p));
    }
    std::vector<std::uint32_t> owners_at(std::span<const uint128> positions) const override {
        std::vector<position_type> own;
        for (const uint128& p : positions) {
            own.push_back(narrowed<position_type>(p));
        }
        std::vector<std::uint32_t> result(positions.size());
        result.resize(ring_.owners_at(own, std::span(result)));
        return result;
    }
    std::vector<std::uint32_t> walk_at(const uint128& p) const override {
        std::vector<std::uint32_t> result;
        for (auto w = ring_.walk_at(narrowed<position_type>(p)); w.current() != hashring::no_node;
             w.advance()) {
            result.push_back(w.current());
        }
        return result;
    }
    std::vector<std::uint32_t> replicas_at(const uint128& p, std::size_t count) const override {
        std::vector<typename Ring::node_type> found(count);
        found.resize(ring_.replicas_at(narrowed<position_type>(p), found));
        std::vector<std::uint32_t> result;
        for (const auto& node : found) {
            result.push_back(ring_.index_of(node));
        }
        return result;
    }
    std::vector<std::string> replicas(std::string_view key, std::size_t count) const override {
        std::vector<std::string> result;
        for (const auto& node : ring_.replicas(key, count)) {
            result.emplace_back(node.name());
        }
        return result;
    }

    std::uint32_t owner_that_is_up(const uint128& p, const hashring::node_marks& marks,
                                   hashring::when_down policy) const override {
        return hashring::owner_that_is_up(ring_, narrowed<position_type>(p), marks, policy);
    }
    std::vector<std::uint32_t> replicas_that_are_up(const uint128& p,
                                                    const hashring::node_marks& marks,
                                                    std::size_t count) const override {
        std::vector<std::uint32_t> result(count);
        result.resize(hashring::replicas_that_are_up(ring_, narrowed<position_type>(p), marks,
                                                     std::span(result)));
        return result;
    }
    hashring::node_marks carried_over(const hashring::node_marks& marks,
                                      const subject& to) const override {
        return marks.carried_over(ring_, ring_of(to));
    }
    std::uint32_t owner_with_room(const uint128& p, std::span<const std::uint64_t> weights,
                                  std::span<const std::uint64_t> loads,
                                  std::uint32_t percent) const override {
        return hashring::bounded_load::owner_on_ring(ring_, narrowed<position_type>(p),
                                                     hashring::bounded_load::weight_sums(weights),
                                                     loads, percent);
    }

    std::vector<point> points() const override {
        std::vector<point> result;
        for (std::size_t i = 0; i < ring_.point_count(); ++i) {
            result.push_back({ring_.point_position(i), ring_.point_owner(i)});
        }
        return result;
    }
    std::vector<uint128> widths() const override { return ring_.widths(); }
    std::vector<double> shares() const override { return ring_.shares(); }
    difference changes_to(const subject& after, std::span<const uint128> positions) const override {
        return difference_of(ring_.changes_to(ring_of(after)), positions);
    }

protected:
    static const Ring& ring_of(const subject& other) {
        return static_cast<const ring_answers&>(other).ring_;
    }

    Ring ring_;
};

// How many points a node is to have where counts go by the weight alone: the nearest whole number.
template <class Scheme>
std::uint32_t plain_count(const Scheme& scheme, const node_spec& node, std::uint32_t of_scheme) {
    if constexpr (requires { scheme.vnodes_per_unit; } && !hashring::list_scheme<Scheme>) {
        const std::uint64_t thousandths = node.weight.thousandths() * scheme.vnodes_per_unit;
        const auto whole = static_cast<std::uint32_t>(thousandths / 1000);
        const std::uint32_t least = node.weight.thousandths() > 0 ? 1 : 0;
        return node.vnodes.value_or(std::max(least, whole + (thousandths % 1000 >= 500 ? 1U : 0U)));
    } else {
        return node.vnodes.value_or(of_scheme);
    }
}

// The points of a list of nodes by its scheme, sorted plainly.
template <class Scheme>
placement placed(const Scheme& scheme, std::vector<node_spec> nodes) {
    if constexpr (hashring::ordering_scheme<Scheme>) {
        std::ranges::sort(nodes, [](const node_spec& a, const node_spec& b) {
            return Scheme::comes_before({.name = a.name, .address = a.address},
                                        {.name = b.name, .address = b.address});
        });
    } else if (!Scheme::order_matters) {
        std::ranges::sort(nodes, {}, &node_spec::name);
    }
    std::vector<hashring::placed_node> listed; // who is counted by hand asks for nothing
    std::vector<std::optional<std::uint32_t>> by_hand;
    for (const node_spec& node : nodes) {
        listed.push_back({node.name, node.address, node.vnodes ? hashring::weight{0} : node.weight,
                          static_cast<std::uint32_t>(listed.size())});
        by_hand.push_back(node.vnodes);
    }
    hashring::list_points<typename Scheme::position_type> made;
    if constexpr (hashring::list_scheme<Scheme>) {
        made = scheme.place(listed, by_hand);
    } else {
        made.counts = scheme.counts(listed);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            made.counts[i] = plain_count(scheme, nodes[i], made.counts[i]);
            listed[i].weight = nodes[i].weight;
        }
        hashring::detail::check_point_count(made.counts);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            made.positions.resize(made.positions.size() + made.counts[i]);
            scheme.points(listed[i], std::span(made.positions).last(made.counts[i]));
        }
    }
    placement result{std::move(nodes), std::move(made.counts), {}, Scheme::last_position};
    auto next = made.positions.begin();
    for (std::uint32_t i = 0; i < result.counts.size(); ++i) {
        for (std::uint32_t j = 0; j < result.counts[i]; ++j) {
            result.points.push_back({*next++, i});
        }
    }
    std::ranges::sort(result.points, [](const point& a, const point& b) {
        constexpr bool first = Scheme::ties == hashring::tie_rule::first;
        return a.position != b.position ? a.position < b.position
                                        : (first ? a.owner < b.owner : a.owner > b.owner);
    });
    return result;
}

// A ring of a scheme.
template <class Scheme>
class ring_subject final : public ring_answers<hashring::ring<Scheme>, list_subject> {
    using ring_type = hashring::ring<Scheme>;
    using answers = ring_answers<ring_type, list_subject>;
    using answers::ring_;

public:
    explicit ring_subject(Scheme scheme) : answers(ring_type(std::move(scheme))) {}
    explicit ring_subject(ring_type ring) : answers(std::move(ring)) {}

    std::unique_ptr<subject> copy() const override { return list_copy(); }
    std::unique_ptr<list_subject> list_copy() const override {
        return std::make_unique<ring_subject>(*this);
    }
    std::string saved() const override { return hashring::save(ring_); }
    std::size_t differences_from(const subject& other) const override {
        return hashring::differences(ring_, answers::ring_of(other)).size();
    }
    std::unique_ptr<subject> loaded(const std::string& text) const override {
        return std::make_unique<ring_subject>(hashring::load<ring_type>(text, ring_.scheme()));
    }
    std::unique_ptr<list_subject> fresh(const std::vector<node_spec>& nodes) const override {
        return std::make_unique<ring_subject>(ring_type(nodes, ring_.scheme()));
    }
    placement expected(std::vector<node_spec> nodes) const override {
        return placed(ring_.scheme(), std::move(nodes));
    }

    std::size_t apply(const operation& op, std::unique_ptr<difference>& said) override {
        const std::vector<node_spec> list = op.specs();
        switch (op.what) {
        case verb::add:
            return ring_.add(list[0]) ? 1 : 0;
        case verb::add_list:
            return ring_.add(list);
        case verb::remove:
            return ring_.remove(op.name()) ? 1 : 0;
        case verb::set_weight:
            return ring_.set_weight(op.name(), list[0].weight) ? 1 : 0;
        case verb::set_vnodes:
            return ring_.set_vnodes(op.name(), *list[0].vnodes) ? 1 : 0;
        case verb::assign:
            said = std::make_unique<difference>(difference_of(ring_.assign(list)));
            return 0;
        case verb::plan:
            said = std::make_unique<difference>(difference_of(ring_.apply(list)));
            return 0;
        case verb::reload:
            ring_ = hashring::load<ring_type>(hashring::save(ring_), ring_.scheme());
            return 0;
        default:
            return 0;
        }
    }
};

} // namespace laws
