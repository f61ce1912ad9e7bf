// SPDX-License-Identifier: MIT
#pragma once

#include "laws/operations.hpp"

#include <hashring/core/node.hpp>
#include <hashring/table/anchor_table.hpp>
#include <hashring/table/differences.hpp>
#include <hashring/table/lookup.hpp>
#include <hashring/table/saved.hpp>
#include <hashring/table/scheme.hpp>
#include <hashring/table/table.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace laws {

// What a table says of itself.
struct table_promises {
    bool order_matters = false;
    bool takes_weights = false;
    bool removes_any = false;
    bool changes_weights = false; // it has `set_weight`
    bool replaces = false;        // it has `replace`
    bool is_slotted = false;
    bool is_by_bucket = false; // who joins gets the bucket that was left last
    std::size_t capacity = 0;  // the most nodes, if it is by bucket
};

// A table of any scheme behind one type, so that the laws are compiled once.
class table_subject {
public:
    virtual ~table_subject() = default;

    virtual table_promises promised() const = 0;
    virtual std::unique_ptr<table_subject> copy() const = 0;
    virtual std::unique_ptr<table_subject> loaded(const std::string& text) const = 0;
    virtual std::string saved() const = 0;
    virtual bool equals(const table_subject& other) const = 0;
    virtual std::uint64_t fingerprint() const = 0;
    virtual std::size_t differences_from(const table_subject& other) const = 0;

    virtual std::vector<node_spec> nodes() const = 0;
    virtual std::vector<std::uint32_t> counts() const = 0;
    virtual std::uint32_t index_of(std::string_view name) const = 0;
    virtual std::size_t placed_count() const = 0;
    virtual std::vector<double> shares() const = 0;

    virtual std::uint64_t position(std::string_view key) const = 0;
    virtual std::string owner(std::string_view key) const = 0;
    virtual std::uint32_t owner_index_at(std::uint64_t p) const = 0;
    // The owners of all slots, and the slot of a position; without slots none, and 0.
    virtual std::vector<std::uint32_t> slots() const = 0;
    virtual std::size_t slot_of(std::uint64_t p) const = 0;

    // The table of a list, built at once, and the list in its order.
    virtual std::unique_ptr<table_subject> fresh(const std::vector<node_spec>& nodes) const = 0;
    virtual std::vector<node_spec> arranged(std::vector<node_spec> nodes) const = 0;
    virtual std::size_t apply(const operation& op) = 0;
};

template <class Table>
class table_of final : public table_subject {
    using scheme_type = typename Table::scheme_type;
    using position_type = typename Table::position_type;

public:
    explicit table_of(Table table) : table_(std::move(table)) {}

    table_promises promised() const override {
        table_promises result;
        result.order_matters = scheme_type::order_matters;
        result.takes_weights = hashring::takes_weights<Table>;
        result.removes_any = hashring::removes_any<Table>;
        result.is_slotted = hashring::slotted_scheme<scheme_type>;
        result.changes_weights = requires(Table t) { t.set_weight("", hashring::weight{}); };
        result.replaces = requires(Table t) { t.replace("", node_spec{}); };
        if constexpr (requires { table_.buckets(); }) {
            result.is_by_bucket = true;
            result.capacity =
                hashring::parse_decimal<std::size_t>(table_.scheme().get("capacity")).value_or(0);
        }
        return result;
    }
    std::unique_ptr<table_subject> copy() const override {
        return std::make_unique<table_of>(*this);
    }
    std::unique_ptr<table_subject> loaded(const std::string& text) const override {
        return std::make_unique<table_of>(hashring::load<Table>(text, table_.scheme()));
    }
    std::string saved() const override { return hashring::save(table_); }
    bool equals(const table_subject& other) const override { return table_ == own(other); }
    std::uint64_t fingerprint() const override { return table_.fingerprint(); }
    std::size_t differences_from(const table_subject& other) const override {
        return hashring::differences(table_, own(other)).size();
    }

    std::vector<node_spec> nodes() const override {
        std::vector<node_spec> result;
        for (std::uint32_t i = 0; i < table_.size(); ++i) {
            const auto node = table_.node(i);
            result.emplace_back(std::string(node.name()), node.weight());
        }
        return result;
    }
    std::vector<std::uint32_t> counts() const override {
        std::vector<std::uint32_t> result;
        for (std::uint32_t i = 0; i < table_.size(); ++i) {
            result.push_back(table_.node(i).vnodes());
        }
        return result;
    }
    std::uint32_t index_of(std::string_view name) const override { return table_.index_of(name); }
    std::size_t placed_count() const override { return table_.placed_count(); }
    std::vector<double> shares() const override { return table_.shares(); }

    std::uint64_t position(std::string_view key) const override { return table_.position(key); }
    std::string owner(std::string_view key) const override {
        const auto node = table_.owner(key);
        return node ? std::string(node->name()) : std::string();
    }
    std::uint32_t owner_index_at(std::uint64_t p) const override {
        return table_.owner_index_at(static_cast<position_type>(p));
    }
    std::vector<std::uint32_t> slots() const override {
        std::vector<std::uint32_t> result;
        if constexpr (hashring::slotted_scheme<scheme_type>) {
            for (std::size_t i = 0; i < table_.slot_count(); ++i) {
                result.push_back(table_.slot_owner(i));
            }
        }
        return result;
    }
    std::size_t slot_of(std::uint64_t p) const override {
        if constexpr (hashring::slotted_scheme<scheme_type>) {
            return scheme_type::slot_of(static_cast<position_type>(p), table_.slot_count());
        } else {
            return 0;
        }
    }

    std::unique_ptr<table_subject> fresh(const std::vector<node_spec>& nodes) const override {
        return std::make_unique<table_of>(Table(nodes, table_.scheme()));
    }
    std::vector<node_spec> arranged(std::vector<node_spec> nodes) const override {
        if constexpr (hashring::ordering_scheme<scheme_type>) {
            std::ranges::sort(nodes, [](const node_spec& a, const node_spec& b) {
                return scheme_type::comes_before({.name = a.name}, {.name = b.name});
            });
        } else if (!scheme_type::order_matters) {
            std::ranges::sort(nodes, {}, &node_spec::name);
        }
        return nodes;
    }

    std::size_t apply(const operation& op) override {
        const std::vector<node_spec> list = op.specs();
        switch (op.what) {
        case verb::add:
            return table_.add(list[0]) ? 1 : 0;
        case verb::add_list:
            return table_.add(list);
        case verb::remove:
            return table_.remove(op.name()) ? 1 : 0;
        case verb::assign:
            table_.assign(list);
            return 0;
        case verb::reload:
            table_ = hashring::load<Table>(hashring::save(table_), table_.scheme());
            return 0;
        default:
            return change(op, list);
        }
    }

private:
    static const Table& own(const table_subject& other) {
        return static_cast<const table_of&>(other).table_;
    }
    std::size_t change(const operation& op, const std::vector<node_spec>& list) {
        if constexpr (requires { table_.set_weight("", hashring::weight{}); }) {
            if (op.what == verb::set_weight) {
                return table_.set_weight(op.name(), list[0].weight) ? 1 : 0;
            }
        }
        if constexpr (requires { table_.replace("", node_spec{}); }) {
            if (op.what == verb::replace) {
                return table_.replace(op.name(), list[1]) ? 1 : 0;
            }
        }
        return 0;
    }

    Table table_;
};

} // namespace laws
