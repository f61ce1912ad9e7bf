// SPDX-License-Identifier: MIT
#pragma once

#include "placement.hpp"
#include "ring_placement.hpp"
#include "tries.hpp"

#include <hashring/table/table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tool {

template <class Scheme>
using marked_table = hashring::table<Scheme, line_mark>;

/// The table of `specs`, which are `nodes` in their order and have been taken by the scheme.
template <class Scheme>
[[nodiscard]] marked_table<Scheme> build_table(const std::vector<listed_node>& nodes,
                                               const std::vector<hashring::node_spec>& specs,
                                               const option_values& options) {
    marked_table<Scheme> table(configured<Scheme>(options));
    std::uint32_t place = 0;
    table.assign(specs, [&](const hashring::node_spec&) {
        const std::uint32_t here = place++; // asked in the order of the list
        return line_mark{here, nodes[here].down};
    });
    return table;
}

/// A placement by a table. No node follows another there: where weights are taken, a table without
/// the nodes that are down answers for them, or a key is hashed again where the program does so;
/// where not, nobody does.
template <class Scheme>
class table_placement : public placement {
    static constexpr bool slotted = hashring::slotted_scheme<Scheme>;
    static constexpr bool hashes_again = hashring::retrying_scheme<Scheme>;

public:
    table_placement(const std::vector<listed_node>& nodes, const option_values& options) {
        std::vector<hashring::node_spec> specs = specs_of<Scheme>(nodes);
        if constexpr (requires(Scheme s) { s.take(std::span<hashring::node_spec>(specs)); }) {
            configured<Scheme>(options).take(specs);
        }
        table_ = build_table<Scheme>(nodes, specs, options);
        if (Scheme::takes_weights && !hashes_again &&
            std::any_of(nodes.begin(), nodes.end(), [](const listed_node& n) { return n.down; })) {
            for (std::size_t i = 0; i < nodes.size(); ++i) {
                specs[i].weight = nodes[i].down ? hashring::weight{0} : specs[i].weight;
            }
            drained_ = build_table<Scheme>(nodes, specs, options);
        }
    }

    [[nodiscard]] std::uint32_t owner(std::string_view key) const override {
        const std::uint32_t index = owner_index(key);
        return index == no_node || mark(index).down ? no_node : mark(index).place;
    }

    std::size_t copies(std::string_view key, std::span<std::uint32_t> out) const override {
        const std::uint32_t only = owner(key);
        if (only == no_node || out.empty()) {
            return 0;
        }
        out[0] = only;
        return 1;
    }

    void set_domains(const domain_texts& /*levels*/) override {}
    [[nodiscard]] hashring::domain_spread
    copies_apart(std::string_view key, hashring::domain_rule /*rule*/,
                 std::span<std::uint32_t> out) const override {
        return {copies(key, out), 0};
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
        return decimal(table_.position(key));
    }

    [[nodiscard]] std::vector<placed> nodes() const override {
        std::vector<placed> result(table_.size());
        const std::vector<double> by_node = shares();
        for (std::uint32_t i = 0; i < table_.size(); ++i) {
            const auto node = table_.node(i);
            result[mark(i).place] = {std::string(node.name()), node.weight(), node.vnodes(),
                                     wished_share(i),          by_node[i],    mark(i).down};
        }
        return result;
    }

    [[nodiscard]] std::vector<double> shares_with_copies(std::size_t /*one*/) const override {
        const std::vector<double> by_node = shares();
        std::vector<double> result(table_.size());
        for (std::uint32_t i = 0; i < table_.size(); ++i) {
            result[mark(i).place] = by_node[i];
        }
        return result;
    }

    [[nodiscard]] std::size_t point_count() const override {
        if constexpr (slotted) {
            return table_.slot_count();
        } else {
            return 0;
        }
    }
    [[nodiscard]] std::string point_position(std::size_t i) const override { return decimal(i); }
    [[nodiscard]] std::string point_text(std::size_t i) const override { return decimal(i); }
    [[nodiscard]] std::uint32_t point_owner(std::size_t i) const override {
        return mark(slot_owner(table_, i)).place;
    }

    [[nodiscard]] std::vector<std::uint32_t> program_counts() const override { return {}; }
    [[nodiscard]] std::string label(std::uint32_t /*node*/, std::uint32_t /*j*/) const override {
        return {};
    }

    [[nodiscard]] explanation explain(std::string_view key) const override {
        explanation why;
        why.hash = key_rule_of(table_.scheme());
        const auto position = table_.position(key);
        why.position = decimal(position);
        const std::uint32_t index = table_.owner_index_at(position);
        if (index == no_node) {
            return why;
        }
        if constexpr (slotted) {
            why.slots = slot_count(slot_count(up()) > 0 ? up() : table_);
            why.slot = decimal(Scheme::slot_of(position, why.slots));
        } else {
            why.slot = decimal(index);
            why.slots = table_.size();
        }
        const std::uint32_t answers = owner(key);
        if (mark(index).down || answers == no_node) {
            why.clockwise.push_back(mark(index).place);
        }
        if (answers != no_node) {
            why.clockwise.push_back(answers);
        }
        return why;
    }

    [[nodiscard]] std::uint64_t fingerprint() const override { return table_.fingerprint(); }

    [[nodiscard]] difference changes_to(const placement& after) const override {
        const auto& other = static_cast<const table_placement&>(after);
        difference result;
        std::map<std::pair<std::string, std::string>, moved_total> totals;
        const std::size_t count = std::max(slot_count(up()), slot_count(other.up()));
        std::size_t changed = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::string from = slot_name(i);
            const std::string to = other.slot_name(i);
            if (from == to) {
                continue;
            }
            ++changed;
            moved_total& total = totals[{from, to}];
            total.share += 1.0;
            const bool continues = !result.arcs.empty() &&
                                   result.arcs.back().last == decimal(i - 1) &&
                                   result.arcs.back().from == from && result.arcs.back().to == to;
            if (continues) {
                result.arcs.back().last = decimal(i);
            } else {
                result.arcs.push_back({decimal(i), decimal(i), from, to});
                ++total.arcs;
            }
        }
        for (const auto& [names, total] : totals) {
            result.totals.push_back(
                {names.first, names.second, total.arcs, total.share / static_cast<double>(count)});
        }
        result.moved_share =
            count == 0 ? 0.0 : static_cast<double>(changed) / static_cast<double>(count);
        result.least_share = least_share(other);
        return result;
    }

private:
    [[nodiscard]] std::uint32_t owner_index(std::string_view key) const {
        if constexpr (hashes_again) {
            return node_by_tries(table_, key);
        } else {
            return up().owner_index_at(up().position(key));
        }
    }

    /// The table that answers.
    [[nodiscard]] const marked_table<Scheme>& up() const { return drained_ ? *drained_ : table_; }

    [[nodiscard]] const line_mark& mark(std::uint32_t node) const {
        return table_.node(node).payload();
    }

    [[nodiscard]] static std::size_t slot_count(const marked_table<Scheme>& table) {
        if constexpr (slotted) {
            return table.slot_count();
        } else {
            return 0;
        }
    }
    [[nodiscard]] static std::uint32_t slot_owner(const marked_table<Scheme>& table,
                                                  std::size_t i) {
        if constexpr (slotted) {
            return table.slot_owner(i);
        } else {
            return no_node;
        }
    }
    /// Who answers for slot `i`.
    [[nodiscard]] std::string slot_name(std::size_t i) const {
        return i < slot_count(up()) ? std::string(up().node(slot_owner(up(), i)).name()) : "-";
    }

    [[nodiscard]] double wished_share(std::uint32_t node) const {
        std::uint64_t total = 0;
        for (std::uint32_t i = 0; i < table_.size(); ++i) {
            total += table_.node(i).weight().thousandths();
        }
        return total == 0 ? 0.0
                          : static_cast<double>(table_.node(node).weight().thousandths()) /
                                static_cast<double>(total);
    }

    /// By node, what it answers for.
    [[nodiscard]] std::vector<double> shares() const {
        std::vector<double> shares = up().shares();
        for (std::uint32_t i = 0; i < table_.size(); ++i) {
            shares[i] = mark(i).down ? 0.0 : shares[i];
        }
        return shares;
    }

    /// The least that had to move: what nodes wish for after and did not before.
    [[nodiscard]] double least_share(const table_placement& after) const {
        double sum = 0.0;
        for (std::uint32_t i = 0; i < after.table_.size(); ++i) {
            const std::uint32_t old = table_.index_of(after.table_.node(i).name());
            const double had = old == no_node ? 0.0 : wished_share(old);
            sum += std::max(0.0, after.wished_share(i) - had);
        }
        return sum;
    }

    marked_table<Scheme> table_;
    std::optional<marked_table<Scheme>> drained_; ///< in which those that are down own nothing
};

/// All that the tool needs to know of a scheme of a table.
template <class Scheme>
[[nodiscard]] scheme_entry table_entry_of() {
    scheme_entry entry;
    entry.name = Scheme::name;
    entry.summary = Scheme::summary;
    for (const hashring::scheme_option& option : Scheme::options()) {
        entry.options.push_back(option);
    }
    entry.lists = hashring::slotted_scheme<Scheme> ? "slot" : "";
    entry.counts = counting::slots;
    entry.down_rule = down_rule_of<Scheme>(Scheme::takes_weights, "nobody");
    entry.has_fixed_counts = true;
    entry.removes_any = Scheme::removes_any;
    entry.describe = [](const option_values& options) {
        return hashring::describe(configured<Scheme>(options));
    };
    entry.check_count = [](const listed_node& node, const option_values& options) {
        if constexpr (!Scheme::takes_weights) { // what a node weighs is its line's affair
            hashring::table<Scheme> alone(configured<Scheme>(options));
            alone.add(hashring::node_spec(node.name, node.weight));
        }
    };
    entry.place = [](const std::vector<listed_node>& nodes,
                     const option_values& options) -> std::unique_ptr<placement> {
        return std::make_unique<table_placement<Scheme>>(nodes, options);
    };
    return entry;
}

} // namespace tool
