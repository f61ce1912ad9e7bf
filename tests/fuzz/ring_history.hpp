// SPDX-License-Identifier: MIT
#pragma once

#include "fuzz/fuzz.hpp"
#include "support/model.hpp"
#include "support/test_schemes.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz {

namespace detail {

/// A ring and beside it a list of nodes, of which the model makes the ring anew.
template <class Scheme>
class ring_and_model {
public:
    void step(drawn& choice) {
        const std::size_t what = choice.below(6);
        const hashring::node_spec node = some_node(choice);
        if (what == 0) {
            expect(ring_.add(node) == !find(node.name), "add says whether it is new");
            add(node);
        } else if (what == 1) {
            const bool was_there = find(node.name) != nullptr;
            expect(ring_.remove(node.name) == was_there, "remove says whether it was there");
            std::erase_if(model_.nodes, [&](const auto& n) { return n.name == node.name; });
        } else if (what == 2) {
            const bool was_there = find(node.name) != nullptr;
            expect(ring_.set_weight(node.name, node.weight) == was_there, "set_weight says so");
            set(node.name, node.weight, std::nullopt);
        } else if (what == 3) {
            const auto count = static_cast<std::uint32_t>(choice.below(5));
            const hashring::node_spec* const known = find(node.name);
            ring_.set_vnodes(node.name, count);
            set(node.name, known != nullptr ? known->weight : hashring::weight{}, count);
        } else {
            take_list(choice, what == 4);
        }
        compare();
    }

private:
    static hashring::node_spec some_node(drawn& choice) {
        const std::uint8_t byte = choice.byte();
        // few names, and among them an empty one
        std::string name(byte % 7 == 0 ? 0U : 1U, static_cast<char>('a' + byte % 7));
        return {std::move(name), hashring::weight{static_cast<unsigned>(byte / 7 % 4)}};
    }

    hashring::node_spec* find(std::string_view name) {
        const auto found = std::ranges::find(model_.nodes, name, &hashring::node_spec::name);
        return found == model_.nodes.end() ? nullptr : &*found;
    }
    void add(const hashring::node_spec& node) {
        if (find(node.name) == nullptr) {
            model_.nodes.push_back(node);
        }
    }
    void set(std::string_view name, hashring::weight weight, std::optional<std::uint32_t> vnodes) {
        if (hashring::node_spec* const node = find(name)) {
            node->weight = weight;
            node->vnodes = vnodes;
        }
    }

    void take_list(drawn& choice, bool adds) {
        std::vector<hashring::node_spec> list;
        for (std::size_t i = choice.below(5); i > 0; --i) {
            list.push_back(some_node(choice));
        }
        const hashring::ring<Scheme> before = ring_;
        if (adds) {
            ring_.add(list);
            std::ranges::for_each(list, [&](const auto& node) { add(node); });
        } else {
            const auto moved = ring_.assign(list);
            model_.nodes = list;
            expect_difference(before, moved);
        }
    }
    /// The arcs of a difference are those positions whose owners differ.
    void expect_difference(const hashring::ring<Scheme>& before,
                           const hashring::ring_diff<Scheme>& moved) const {
        for (unsigned p = 0; p <= Scheme::last_position; p += 37) {
            const auto position = static_cast<typename Scheme::position_type>(p);
            const auto old_owner = before.owner_at(position);
            const auto new_owner = ring_.owner_at(position);
            const bool differ = old_owner && new_owner
                                    ? old_owner->name() != new_owner->name()
                                    : old_owner.has_value() != new_owner.has_value();
            expect(moved.find_at(position).has_value() == differ, "a difference is one of owners");
        }
    }

    void compare() const {
        const auto points = model_.points();
        expect(points_of(ring_) == points, "the points are those of the model");
        expect(ring_.size() == model_.nodes.size(), "the nodes are those of the model");
        for (unsigned p = 0; p <= Scheme::last_position; p += 251) {
            const auto position = static_cast<typename Scheme::position_type>(p);
            const auto owner = ring_.owner_at(position);
            expect((owner ? std::string(owner->name()) : "") == owner_among(points, position),
                   "owners are those of the model");
        }
    }

    static Scheme few_vnodes() {
        Scheme scheme;
        scheme.vnodes_per_unit = 3;
        return scheme;
    }

    hashring::ring<Scheme> ring_{few_vnodes()};
    model_ring<Scheme> model_{few_vnodes(), {}};
};

template <class Scheme>
void play(drawn choice) {
    ring_and_model<Scheme> both;
    while (!choice.is_empty()) {
        try {
            both.step(choice);
        } catch (const std::invalid_argument&) {
            // what is refused changes nothing: the next step compares
        }
    }
}

} // namespace detail

/// A history of a ring, told by bytes: after each step it is what a plain model says, on a small
/// circle on which points collide.
inline void ring_history(std::string_view bytes) {
    drawn choice(bytes);
    if (choice.below(2) == 0) {
        detail::play<test_schemes::narrow<hashring::tie_rule::first>>(choice);
    } else {
        detail::play<test_schemes::narrow<hashring::tie_rule::last>>(choice);
    }
}

} // namespace fuzz
