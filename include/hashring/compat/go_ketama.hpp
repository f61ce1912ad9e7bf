// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/libketama.hpp>
#include <hashring/compat/option_values.hpp>
#include <hashring/compat/weighted_ketama.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/hash/md5.hpp>
#include <hashring/placement/arranged.hpp>
#include <hashring/placement/labels.hpp>
#include <hashring/placement/point_rules.hpp>
#include <hashring/placement/scheme.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// dgryski/go-ketama, and so Perl's Algorithm::ConsistentHash::Ketama, bit for bit.

namespace hashring::compat {

/// go-ketama's ring: libketama's with any names and keys. Counts are those of `libketama_points`,
/// rounded to single precision once for the share and once for the product; **each depends on every
/// node**, and a node of weight 0, which owns nothing, counts as one all the same. Weights are
/// whole numbers: a fraction throws `invalid_weight`.
///
/// `func` is how it searches. `HashFunc1`, its own choice, runs below 0 where a key's hash is
/// exactly 0 and answers the **last** point's node; `HashFunc2` the first's, and else they are the
/// same. For that a ring by 1 holds two points more than the program's: of the last point's node on
/// 0, and of the first point's on the last position.
///
/// Whose a shared position is the program leaves to a sort that is not stable: here the first of
/// the list owns it.
///
/// Source: dgryski/go-ketama, commit 8c956565334c, ketama.go.
struct go_ketama : scheme_defaults<std::uint32_t> {
    static constexpr std::string_view name = "go-ketama";
    static constexpr std::string_view summary =
        "dgryski/go-ketama: about 160 points a node by weight, MD5 of the name";
    static constexpr std::string_view key_rule = "first little-endian word of the key's MD5";
    static constexpr std::string_view point_rule =
        "word j mod 4 of the MD5 of name-(j / 4), counts by weight in double and single precision";
    static constexpr std::string_view owner_rule =
        "the first point at or after the key, after the last one the first; by func 1 the last for "
        "a key on 0";
    static constexpr bool order_matters = true;
    static constexpr bool points_depend_on_list = true;
    static constexpr bool points_are_arc_ends = true;
    static constexpr scheme_option func_option{
        "func", "N", "1", "1 is HashFunc1, which gives hash 0 to the last point; 2 is HashFunc2"};
    static constexpr std::array<std::string_view, 2> func_names = {"1", "2"};

    /// Whether it is `HashFunc2`.
    bool searches_right = false;

    [[nodiscard]] static constexpr std::array<scheme_option, 1> options() noexcept {
        return {func_option};
    }

    void set(std::string_view option, std::string_view value) {
        check(option);
        searches_right = parse_name(option, value, func_names) == 1;
    }

    [[nodiscard]] std::string get(std::string_view option) const {
        check(option);
        return std::string(func_names[searches_right ? 1 : 0]);
    }

    [[nodiscard]] static constexpr std::uint32_t position(std::string_view key) noexcept {
        return hash::md5{}(key);
    }

    [[nodiscard]] list_points<std::uint32_t>
    place(std::span<const placed_node> nodes,
          std::span<const std::optional<std::uint32_t>> by_hand) const {
        auto all = counted_points(*this, nodes, by_hand, program_counts(nodes));
        return searches_right ? all : with_zero_at_the_last(all);
    }

    /// How many points the program gives to each of `nodes`: without the two that `func` 1 adds.
    /// O(nodes). Throws `invalid_weight` for a fraction.
    [[nodiscard]] static std::vector<std::uint32_t>
    program_counts(std::span<const placed_node> nodes) {
        return weighted_counts(nodes, [&](std::uint64_t w, std::uint64_t total, std::uint64_t) {
            return libketama_points(w, total, nodes.size());
        });
    }

    [[nodiscard]] std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) const {
        const std::vector<std::optional<std::uint32_t>> none(nodes.size());
        return place(nodes, none).counts;
    }

    static void points(const placed_node& node, std::span<std::uint32_t> out) {
        points_by_digest(labels::dashed{}, node, out);
    }

    [[nodiscard]] static std::string label(const placed_node& node, std::uint32_t j) {
        return digest_label(labels::dashed{}, node, j);
    }

    /// What ends with the circle is served by a point behind that, all else by one before.
    [[nodiscard]] static constexpr std::uint32_t steps_to_end(std::uint32_t point,
                                                              std::uint32_t end) noexcept {
        return end == last_position ? point - end : end - point;
    }

    friend bool operator==(const go_ketama&, const go_ketama&) = default;

private:
    static void check(std::string_view option) {
        if (option != func_option.name) {
            throw unknown_option(option);
        }
    }

    /// `listed` with position 0 taken from the first point's node and given to the last's.
    [[nodiscard]] static list_points<std::uint32_t>
    with_zero_at_the_last(const list_points<std::uint32_t>& listed) {
        arranged_points<std::uint32_t> arranged(listed);
        auto& points = arranged.points;
        if (points.empty()) {
            return listed;
        }
        const std::uint32_t first = points.front().node;
        const std::uint32_t last = points.back().node;
        const bool ends_before = points.back().position != last_position;
        std::erase_if(points, [](const auto& point) { return point.position == 0; });
        points.insert(points.begin(), {0, last});
        if (ends_before) {
            points.push_back({last_position, first});
        }
        return arranged.listed();
    }
};

static_assert(list_scheme<go_ketama> && arc_end_scheme<go_ketama>);

} // namespace hashring::compat
