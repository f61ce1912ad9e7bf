// SPDX-License-Identifier: MIT
#pragma once

#include "support/dice.hpp"
#include "support/schemes.hpp"

#include <hashring/ring/ring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using node_list = std::vector<hashring::node_spec>;

template <class Ring>
std::size_t sum_of_vnodes(const Ring& ring) {
    std::size_t sum = 0;
    for (std::uint32_t i = 0; i < ring.size(); ++i) {
        sum += ring.node(i).vnodes();
    }
    return sum;
}

// How many points stand on the position of the point before them.
template <class Ring>
std::size_t collisions(const Ring& ring) {
    std::size_t count = 0;
    for (std::size_t i = 1; i < ring.point_count(); ++i) {
        count += ring.point_position(i) == ring.point_position(i - 1) ? 1U : 0U;
    }
    return count;
}

// Random changes of a ring and of a plain list of nodes beside it, in the same order.
template <class Scheme>
class history {
public:
    history(Scheme scheme, std::vector<std::string> names, std::uint64_t seed)
        : ring_(std::move(scheme)), names_(std::move(names)), random_(seed) {}

    void step() {
        const std::string name = random_.pick(names_);
        const hashring::weight w = weight_in_tenths<Scheme>(random_.below(4) * 5);
        switch (random_.below(6)) {
        case 0:
            add({hashring::node_spec(name, w)});
            break;
        case 1:
            add(random_list());
            break;
        case 2:
            remove(name);
            break;
        case 3:
            set(name, w, std::nullopt);
            break;
        case 4:
            set(name, std::nullopt, static_cast<std::uint32_t>(random_.below(9)));
            break;
        default:
            assign(random_list());
            break;
        }
    }

    // Ends at exactly `target`, by one assignment or in steps.
    void finish(node_list target) {
        random_.shuffle(target);
        if (random_.below(2) == 0) {
            assign(target);
            return;
        }
        for (const hashring::node_spec& node : node_list(nodes_)) {
            if (find(target, node.name) == target.end()) {
                remove(node.name);
            }
        }
        for (const hashring::node_spec& node : target) {
            add({node});
            set(node.name, node.weight, std::nullopt);
        }
    }

    const hashring::ring<Scheme>& result() const { return ring_; }
    const node_list& nodes() const { return nodes_; }

private:
    static node_list::iterator find(node_list& nodes, const std::string& name) {
        return std::ranges::find(nodes, name, &hashring::node_spec::name);
    }

    node_list random_list() {
        node_list list;
        random_.shuffle(names_);
        for (std::size_t i = random_.below(names_.size()); i-- > 0;) {
            list.emplace_back(names_[i], weight_in_tenths<Scheme>(random_.below(4) * 5));
        }
        return list;
    }

    void add(const node_list& list) {
        if (list.size() == 1) {
            ring_.add(list[0]);
        } else {
            ring_.add(list);
        }
        for (const hashring::node_spec& node : list) {
            if (find(nodes_, node.name) == nodes_.end()) {
                nodes_.push_back(node);
            }
        }
    }
    void remove(const std::string& name) {
        ring_.remove(name);
        std::erase_if(nodes_, [&](const hashring::node_spec& node) { return node.name == name; });
    }
    void set(const std::string& name, std::optional<hashring::weight> w,
             std::optional<std::uint32_t> vnodes) {
        if (w) {
            ring_.set_weight(name, *w);
        } else {
            ring_.set_vnodes(name, *vnodes);
        }
        if (const auto node = find(nodes_, name); node != nodes_.end()) {
            node->weight = w.value_or(node->weight);
            node->vnodes = vnodes;
        }
    }
    void assign(const node_list& list) {
        ring_.assign(list);
        nodes_ = list;
    }

    hashring::ring<Scheme> ring_;
    std::vector<std::string> names_;
    dice random_;
    node_list nodes_;
};
