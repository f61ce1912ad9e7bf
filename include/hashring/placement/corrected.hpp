// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/hash/mix.hpp>
#include <hashring/placement/best_fit.hpp>
#include <hashring/placement/correction.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/placement/share_sums.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// The ownership-corrected allocator: shares as wished, from the list of nodes alone.

namespace hashring::schemes {

namespace detail {
inline constexpr std::string_view corrected_prefix = "corrected-";
}

/// Schemes whose virtual nodes can be picked from: those of a node lie independently of each other
/// and of how many there are. Widths are exact, so that circles of 128 bits are left out.
template <class S>
concept correctable_scheme = placement_scheme<S> && bool{S::independent_points} &&
                             !list_scheme<S> && std::unsigned_integral<typename S::position_type>;

/// `Base` with its virtual nodes picked so that every node owns what its weight wishes:
/// `ring<corrected<xxh3>>`. Labels, keys and the circle are those of `Base`, and whether the order
/// of the list matters.
///
/// The list of nodes alone decides; whole numbers only. First counts are
/// corrected: who owns too little gets more of its virtual nodes, who owns too much fewer. Then
/// single virtual nodes are dropped and added where they fit best. From 64 virtual nodes a unit of
/// weight on, the load gap comes to twice `tolerance` or little more, instead of 20 to 50 %.
///
/// With `copies` above 1 it is the share with so many copies that is corrected: of how much a node
/// is among the first `copies` different nodes clockwise. Correcting owners alone makes the share
/// with copies worse than plain counts. A node that should hold a copy of everything, or more,
/// keeps its plain count.
///
/// **What moves.** As every share is corrected, a change of the list also moves keys between nodes
/// that it does not name: 1.3 / 3.4 / 28 times the least at 10 / 100 / 1,000 nodes of 160 virtual
/// nodes, 1.15 / 1.8 at 10 / 100 of 512. For many nodes there is `exact_ring`, which moves the
/// least. A node whose count was set by hand keeps the first of its virtual nodes, and the others
/// are corrected around it. Building takes milliseconds at 10 nodes, and about a second at 1000.
///
/// Source: BALANCE, section 8; measured in section 5.
template <placement_scheme Base>
struct corrected : Base {
    static_assert(correctable_scheme<Base>,
                  "more points of a node even nothing out unless they lie independently");

    using typename Base::position_type;

    static constexpr std::string_view name =
        hash::detail::joined<detail::corrected_prefix, Base::name>::value;
    static constexpr std::string_view summary =
        "virtual nodes picked from a scheme's so that shares are as wished";
    static constexpr bool points_depend_on_list = true;
    static constexpr bool independent_points = false; ///< they even out better than those would

    /// Which share is corrected: the owner's (1), or the one with so many copies; in [1, 255].
    std::uint32_t copies = 1;
    /// How far a share may be off, in millionths of itself; in [1, 1000000].
    std::uint32_t tolerance = 2000;

    [[nodiscard]] static std::vector<scheme_option> options() {
        std::vector<scheme_option> result;
        for (const scheme_option& option : Base::options()) {
            result.push_back(option);
        }
        result.push_back({"corrected-copies", "R", "1", "correct the share with R copies"});
        result.push_back({"tolerance", "PPM", "2000", "millionths that a share may be off"});
        return result;
    }

    void set(std::string_view option, std::string_view value) {
        if (option == "corrected-copies") {
            copies = number(option, value, hashring::detail::max_copies);
        } else if (option == "tolerance") {
            tolerance = number(option, value, 1'000'000);
        } else {
            Base::set(option, value);
        }
    }
    [[nodiscard]] std::string get(std::string_view option) const {
        return option == "corrected-copies" ? decimal(copies)
               : option == "tolerance"      ? decimal(tolerance)
                                            : Base::get(option);
    }

    /// The virtual nodes that each node gets. O(points · log points), up to twelve times, and for
    /// the fine part O(points) per node.
    [[nodiscard]] list_points<position_type>
    place(std::span<const placed_node> nodes,
          std::span<const std::optional<std::uint32_t>> by_hand) const {
        const Base& base = *this;
        const hashring::detail::correction_goal goal{copies, tolerance};
        hashring::detail::count_correction<Base> counts(base, nodes, by_hand, goal);
        auto list = counts.run();
        hashring::detail::best_fit<Base>(counts, list, goal).run();
        return grouped(list);
    }

    /// How many that are. It takes as long.
    [[nodiscard]] std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) const {
        return place(nodes, {}).counts;
    }

    friend bool operator==(const corrected&, const corrected&) = default;

private:
    [[nodiscard]] static std::uint32_t number(std::string_view option, std::string_view value,
                                              std::uint32_t most) {
        const auto n = parse_decimal<std::uint32_t>(value);
        if (!n || *n < 1 || *n > most) {
            throw invalid_option(
                concat(option, " '", value, "' is not a whole number from 1 to ", decimal(most)));
        }
        return *n;
    }

    [[nodiscard]] static list_points<position_type>
    grouped(const hashring::detail::corrected_list<Base>& list) {
        list_points<position_type> result{list.counts, {}};
        std::vector<std::size_t> next;
        std::size_t sum = 0;
        for (const std::uint32_t count : list.counts) {
            next.push_back(sum);
            sum += count;
        }
        result.positions.resize(sum);
        for (const auto& point : list.points) {
            result.positions[next[point.owner]++] = point.position;
        }
        return result;
    }
};

} // namespace hashring::schemes
