// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/hash/mix.hpp>
#include <hashring/hash/murmur64a.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/placement/point_rules.hpp>
#include <hashring/placement/scheme.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Schemes that no program should use.
namespace test_schemes {

// Nodes that say where their points are: "a:3,17,17" has three. A key is a position in decimal. A
// weight of 0 places nothing, and any other all that the name lists.
template <std::unsigned_integral Position, Position Last = std::numeric_limits<Position>::max(),
          hashring::tie_rule Ties = hashring::tie_rule::first>
struct listed : hashring::scheme_defaults<Position> {
    static constexpr std::string_view name = "listed";
    static constexpr std::string_view summary = "nodes that list their positions";
    static constexpr std::string_view key_rule = "the decimal number";
    static constexpr std::string_view point_rule = "the decimal numbers after the colon";
    static constexpr Position last_position = Last;
    static constexpr hashring::tie_rule ties = Ties;

    static std::span<const hashring::scheme_option> options() noexcept { return {}; }
    void set(std::string_view, std::string_view) {}
    std::string get(std::string_view) const { return {}; }

    Position position(std::string_view key) const noexcept {
        return hashring::parse_decimal<Position>(key).value_or(Position{0});
    }
    std::vector<std::uint32_t> counts(std::span<const hashring::placed_node> nodes) const {
        std::vector<std::uint32_t> result;
        result.reserve(nodes.size());
        for (const auto& node : nodes) {
            const auto listed_points = std::count_if(node.name.begin(), node.name.end(),
                                                     [](char c) { return c == ':' || c == ','; });
            result.push_back(
                node.weight.thousandths() > 0 ? static_cast<std::uint32_t>(listed_points) : 0);
        }
        return result;
    }
    void points(const hashring::placed_node& node, std::span<Position> out) const {
        std::string_view rest = node.name.substr(node.name.find(':') + 1);
        for (Position& p : out) {
            const std::size_t comma = std::min(rest.find(','), rest.size());
            p = position(rest.substr(0, comma));
            rest = rest.substr(std::min(comma + 1, rest.size()));
        }
    }
    std::string label(const hashring::placed_node& node, std::uint32_t) const {
        return std::string(node.name);
    }

    friend bool operator==(const listed&, const listed&) = default;
};

// A sound hash on a circle so small that a few thousand points collide by the hundred.
template <hashring::tie_rule Ties = hashring::tie_rule::first>
struct narrow : hashring::scheme_defaults<std::uint16_t>, hashring::counts_per_weight<100> {
    static constexpr std::string_view name = "narrow";
    static constexpr std::string_view summary = "a hash cut to 16 bits";
    static constexpr std::string_view key_rule = "the top 16 bits of the mixed MurmurHash64A";
    static constexpr std::string_view point_rule = "the top 16 bits of the points hashed once";
    static constexpr hashring::tie_rule ties = Ties;

    std::uint16_t position(std::string_view key) const noexcept { return cut(hash(key)); }
    void points(const hashring::placed_node& node, std::span<std::uint16_t> out) const noexcept {
        for (std::size_t j = 0; j < out.size(); ++j) {
            out[j] = cut(hashring::hashed_once_position(hash(node.name), j));
        }
    }
    std::string label(const hashring::placed_node& node, std::uint32_t) const {
        return std::string(node.name);
    }

    friend bool operator==(const narrow&, const narrow&) = default;

private:
    static std::uint64_t hash(std::string_view bytes) noexcept {
        return hashring::hash::mix(hashring::hash::murmur64a{}(bytes));
    }
    static std::uint16_t cut(std::uint64_t hash) noexcept {
        return static_cast<std::uint16_t>(hash >> 48U);
    }
};

static_assert(hashring::placement_scheme<listed<std::uint8_t, 30>>);
static_assert(hashring::placement_scheme<narrow<>>);

// A node of a `listed` scheme.
template <std::unsigned_integral Position>
std::string listed_node(std::string_view name, const std::vector<Position>& positions) {
    std::string text(name);
    char separator = ':';
    for (const Position p : positions) {
        text += separator;
        hashring::append_decimal(text, p);
        separator = ',';
    }
    return text;
}

} // namespace test_schemes
