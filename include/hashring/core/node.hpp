// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/weight.hpp>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// \file
/// A node as its user describes it.

namespace hashring {

/// A node to place: its stable name and what decides how many points it gets.
///
/// Text converts to one, so `ring.add("cache-a")` and `ring.assign(names)` read as they should.
struct node_spec {
    /// The identity, any bytes but none; placement depends on it and not on an address.
    std::string name;
    /// The wished share, relative to the other nodes.
    hashring::weight weight{};
    /// For the schemes that place a node by more than its name: an address that is hashed in its
    /// place (`bkdr-spaced`), or what else the program knows it by, as the scheme says; else
    /// unused.
    std::string address{};
    /// The number of virtual nodes, if it is not the scheme's rule that turns the weight into it.
    std::optional<std::uint32_t> vnodes{};

    node_spec() = default;
    node_spec(std::string node_name, hashring::weight wished = {}, std::string hashed_address = {},
              std::optional<std::uint32_t> count = {})
        : name(std::move(node_name)),
          weight(wished),
          address(std::move(hashed_address)),
          vnodes(count) {}
    /// From any text: a literal, a view, a node of a ring.
    template <std::convertible_to<std::string_view> Text>
    node_spec(const Text& node_name) : name(std::string_view(node_name)) {}

    friend bool operator==(const node_spec&, const node_spec&) = default;
};

/// What a list of nodes may say of one beyond its name and weight. A scheme that places by some of
/// it makes its nodes' `address` of them: see `placement_scheme`.
struct node_attributes {
    std::string_view address{};
    std::string_view zone{};
    std::string_view guid{};
    std::optional<std::uint32_t> id{};
};

/// A node as a scheme sees it while it places points: views, valid during the call.
struct placed_node {
    std::string_view name{};
    std::string_view address{};
    hashring::weight weight{};
    /// The place in the list, from 0; only schemes with `order_matters` may use it.
    std::uint32_t index = 0;
};

} // namespace hashring
