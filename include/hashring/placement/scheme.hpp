// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/core/uint128.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// A scheme fixes everything that a placement depends on. `ring<Scheme>` is the engine.

namespace hashring {

/// Which of two nodes owns a position on which both have a point.
enum class tie_rule : std::uint8_t {
    first, ///< the one that comes first: by name, or in the list where a scheme's order matters
    last   ///< the one that comes last, as in a map in which a later entry replaces an earlier one
};

/// One option of a scheme, as the command line offers it: `--name VALUE`, or a bare `--name` if
/// `values` is empty.
struct scheme_option {
    std::string_view name;
    std::string_view values;
    std::string_view preset;
    std::string_view help;
};

/// A scheme: a regular value whose members are its options. It has
///
/// - `S::position_type`   an unsigned integer of 16 to 64 bits, or `uint128`;
/// - `S::last_position`   the circle is 0 … `last_position`, after which comes 0 again;
/// - `S::name`            stable text by which the command line and saved rings know it;
/// - `S::summary`         one line on what it is;
/// - `S::key_rule`, `S::point_rule`  one line each on how a key and how a node is placed;
/// - `S::order_matters`   whether the order of the list of nodes is a part of the placement;
/// - `S::points_depend_on_list`  whether a node's points depend on the other nodes: its place
///                        among them, or a count shared out over the whole list;
/// - `S::ties`            who owns a position that two nodes have a point on;
/// - `S::dumps_equal_points`  whether a dump of the ring shows both points on one position (a map
///                        shows the owner's alone); the ring itself always holds both;
/// - `S::independent_points`  whether a node's points lie independently of each other, so that more
///                        of them even the load out; false says that they do not;
/// - `S::options()`       what can be set, in order, as a range of `scheme_option`;
/// - `s.set(option, value)`  sets one; throws `invalid_option`;
/// - `s.get(option)`      its value as text, such that `set(o, get(o))` changes nothing;
/// - `s.position(bytes)`  where a key stands, `noexcept`, at most `last_position`;
/// - `s.counts(nodes)`    how many virtual nodes each of the list gets: 0 for a weight of 0;
/// - `s.points(node, out)`  fills `out` with the positions of the node's virtual nodes 0, 1, …;
///                        where `independent_points`, more of them never change the first ones;
/// - `s.label(node, j)`   in words, what virtual node j is hashed from;
/// - `s.text(position)`   a position in decimal as the program of the scheme prints it.
///
/// What follows only some schemes have, as their programs need it; the others are as it says behind
/// "else". Flags are there only where they are true.
///
/// - `s.places_keys_as(other)`  whether keys stand where they do by `other`; else an option that
///                        changes where they stand is none of the scheme's;
/// - `S::comes_before(a, b)`, `S::node_order`  whether node `a` comes before `b`, a strict total
///                        order of all nodes, and this order in words (`ordering_scheme`); else
///                        that of the list if `order_matters`, or that of the names;
/// - `S::points_are_arc_ends`, `S::owner_rule`  a ring holds, in place of a node's points, the last
///                        positions that they own (see `at_arc_ends`), and a line says which point
///                        owns what (`arc_end_scheme`); else the first point at or after a key
///                        owns it;
/// - `S::steps_to_end(point, end)`  of a node's points the one that is the fewest steps from `end`
///                        serves what ends there, by a scheme of arc ends; else steps are those
///                        forward around the circle;
/// - `S::mirrored`, `S::owner_rule`  positions and points are the program's counted back from the
///                        last one, so that its last point at or before a key is the first at or
///                        after it; `s.text` gives the program's numbers (`mirrored_scheme`);
/// - `S::dumps_owners`    a dump of the ring names at both points of one position the owner of the
///                        position (`owner_dumping_scheme`); else each one's own node;
/// - `S::ejects`          the program makes its ring anew from the nodes that are up: one that is
///                        down is to get a weight of 0 (`ejecting_scheme`); else the node of the
///                        next point answers for it, and the others keep theirs;
/// - `S::tries`, `s.position(bytes, t)`  the program hashes a key again whose node is down: where
///                        it stands at try t in [0, tries), try 0 being `s.position(bytes)`
///                        (`retrying_scheme`); else there is one position;
/// - `S::address_of(attributes)`  the text for `node_spec::address`, of what a list of nodes says
///                        (`node_attributes`); else its address is what the list calls so;
/// - `s.take(nodes)`      changes the span of `node_spec` and the options into what the program
///                        makes of them, for a ring to be built of; throws `invalid_weight` for
///                        what the program cannot take; else it takes them as they are.
///
/// Of these no ring calls the last four: they are for whoever reads a list of nodes, and knows who
/// is down, in the place of the program.
template <class S>
concept placement_scheme =
    std::regular<S> && position_integer<typename S::position_type> &&
    requires(const S& s, S& writable, std::string_view text, const placed_node& node,
             std::span<const placed_node> nodes, std::span<typename S::position_type> out,
             typename S::position_type position) {
        { S::last_position } -> std::convertible_to<typename S::position_type>;
        { S::name } -> std::convertible_to<std::string_view>;
        { S::summary } -> std::convertible_to<std::string_view>;
        { S::key_rule } -> std::convertible_to<std::string_view>;
        { S::point_rule } -> std::convertible_to<std::string_view>;
        { S::order_matters } -> std::convertible_to<bool>;
        { S::points_depend_on_list } -> std::convertible_to<bool>;
        { S::ties } -> std::convertible_to<tie_rule>;
        { S::dumps_equal_points } -> std::convertible_to<bool>;
        { S::independent_points } -> std::convertible_to<bool>;
        { *S::options().begin() } -> std::convertible_to<scheme_option>;
        writable.set(text, text);
        { s.get(text) } -> std::convertible_to<std::string>;
        { s.position(text) } noexcept -> std::same_as<typename S::position_type>;
        { s.counts(nodes) } -> std::same_as<std::vector<std::uint32_t>>;
        s.points(node, out);
        { s.label(node, std::uint32_t{}) } -> std::convertible_to<std::string>;
        { s.text(position) } -> std::convertible_to<std::string>;
    };

/// The points of a whole list of nodes, made at once.
template <position_integer Position>
struct list_points {
    std::vector<std::uint32_t> counts; ///< one per node
    std::vector<Position> positions;   ///< those of the first node, then of the next, in any order

    friend bool operator==(const list_points&, const list_points&) = default;
};

/// A scheme that picks the points of all nodes of a list together, with `points_depend_on_list`. It
/// has `s.place(nodes, by_hand)`, in which `by_hand` says for each node how many points its user
/// gave it, if that is so; such a node comes with a weight of 0. `s.counts(nodes)` are the counts
/// of `s.place` with none by hand, and `s.points(node, out)` the virtual nodes that it picks from.
template <class S>
concept list_scheme = placement_scheme<S> && bool{S::points_depend_on_list} &&
                      requires(const S& s, std::span<const placed_node> nodes,
                               std::span<const std::optional<std::uint32_t>> by_hand) {
                          {
                              s.place(nodes, by_hand)
                          } -> std::same_as<list_points<typename S::position_type>>;
                      };

/// A scheme whose program makes its ring anew without the nodes that are down, so that the counts
/// of those that are up may change.
template <class S>
concept ejecting_scheme = requires {
    requires bool { S::ejects };
};

/// A scheme whose program hashes a key again if its node is down.
template <class S>
concept retrying_scheme = requires(const S& s, std::string_view key, std::uint32_t t) {
    { S::tries } -> std::convertible_to<std::uint32_t>;
    { s.position(key, t) } -> std::same_as<typename S::position_type>;
};

/// A scheme of whose points a ring holds the last positions that they own.
template <class S>
concept arc_end_scheme = requires {
    requires bool { S::points_are_arc_ends };
    { S::owner_rule } -> std::convertible_to<std::string_view>;
};

/// A scheme whose circle runs the other way round than its program's.
template <class S>
concept mirrored_scheme = requires {
    requires bool { S::mirrored };
    { S::owner_rule } -> std::convertible_to<std::string_view>;
};

/// A scheme whose program's dump names at each point the owner of its position.
template <class S>
concept owner_dumping_scheme = requires {
    requires bool { S::dumps_owners };
};

/// A scheme that has an order of nodes of its own, whatever the list's is.
template <class S>
concept ordering_scheme = !bool{S::order_matters} && requires(const placed_node& node) {
    { S::comes_before(node, node) } -> std::same_as<bool>;
    { S::node_order } -> std::convertible_to<std::string_view>;
};

/// Whether a scheme has its nodes in the order of their names.
template <class S>
inline constexpr bool ordered_by_name = !bool{S::order_matters} && !ordering_scheme<S>;

/// The order of nodes in words: `in the list`, `by name`, or the scheme's own.
template <class S>
inline constexpr std::string_view node_order_text = [] {
    if constexpr (ordering_scheme<S>) {
        return std::string_view(S::node_order);
    } else {
        return std::string_view(ordered_by_name<S> ? "by name" : "in the list");
    }
}();

/// What most schemes have in common; a scheme derives from it and redefines what differs.
template <position_integer Position>
struct scheme_defaults {
    using position_type = Position;
    static constexpr Position last_position = std::numeric_limits<Position>::max();
    static constexpr bool order_matters = false;
    static constexpr bool points_depend_on_list = false;
    static constexpr tie_rule ties = tie_rule::first;
    static constexpr bool dumps_equal_points = true;
    static constexpr bool independent_points = true;

    [[nodiscard]] static std::string text(Position position) { return decimal(position); }

    friend bool operator==(const scheme_defaults&, const scheme_defaults&) = default;
};

} // namespace hashring
