// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/ring/fingerprint_text.hpp>
#include <hashring/ring/saved_lines.hpp>
#include <hashring/ring/saved_nodes.hpp>
#include <hashring/table/lookup.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// A ring or a table as text, to keep on a disk or to hand to another process.
///
/// ```
/// hashring placement 1
/// scheme xxh3
/// option vnodes 160
/// node cache-a 1
/// node cache%20b 2.5 10.0.0.1:11211
/// vnodes 400
/// fingerprint 8b1a9953c4611296
/// end 7007131893366544489
/// ```
///
/// The nodes make the points again, wherever the text is loaded, so that it is small and can be
/// read; the fingerprint says that they are the same points. `vnodes` follows a node whose count
/// was set by hand. JSON is for the command-line tool.

namespace hashring {

namespace detail {

inline constexpr std::string_view placement_title = "hashring placement";

/// What has a saved form of its own, as its history is a part of it.
template <class Placed>
concept saves_itself = requires(const Placed& placed) { placed.save(); };

[[nodiscard]] inline std::vector<node_spec> read_nodes(line_reader& lines,
                                                       std::size_t most = max_points) {
    std::vector<node_spec> nodes;
    while (lines.begin("node")) {
        check_room(lines, nodes.size(), most, "nodes");
        nodes.push_back(read_node(lines));
        if (lines.begin("vnodes")) {
            nodes.back().vnodes = lines.number_word<std::uint32_t>();
            lines.end_of_line();
        }
    }
    return nodes;
}

[[nodiscard]] inline std::uint64_t read_fingerprint(line_reader& lines) {
    lines.expect("fingerprint");
    const std::string_view text = lines.word();
    const auto fingerprint = parse_fingerprint(text);
    if (!fingerprint) {
        lines.fail(concat(quoted(text), " is not a fingerprint"));
    }
    lines.end_of_line();
    return *fingerprint;
}

/// Becomes the placement of nodes that stand before line `line` of a text.
template <class Placed, class MakePayload>
void assign_saved(Placed& placed, const std::vector<node_spec>& nodes, std::size_t line,
                  MakePayload& make_payload) {
    bool is_of_payload = false;
    try {
        static_cast<void>(placed.assign(nodes, [&](const node_spec& node) {
            is_of_payload = true;
            auto payload = make_payload(node);
            is_of_payload = false;
            return payload;
        }));
    } catch (const std::invalid_argument& error) {
        if (is_of_payload) {
            throw;
        }
        throw invalid_state(line, error.what());
    }
}

template <class Placed, class MakePayload>
[[nodiscard]] Placed load_nodes(std::string_view text, MakePayload& make_payload,
                                typename Placed::scheme_type scheme) {
    line_reader lines(text);
    read_scheme(lines, placement_title, scheme);
    const std::vector<node_spec> nodes = read_nodes(lines);
    const std::uint64_t fingerprint = read_fingerprint(lines);
    const std::size_t line = lines.number();
    lines.finish();
    Placed placed(std::move(scheme));
    assign_saved(placed, nodes, line, make_payload);
    if (placed.fingerprint() != fingerprint) {
        throw invalid_state(line, "these nodes are placed otherwise here than where it was saved");
    }
    return placed;
}

} // namespace detail

/// A ring or a table as text: its scheme, options, nodes with weights, addresses and counts, and
/// its fingerprint; no payloads. What depends on its history (`anchor_table`; `exact_ring` by a
/// `save` of its own) is saved with it. O(points).
template <node_lookup Placed>
[[nodiscard]] std::string save(const Placed& placed) {
    if constexpr (detail::saves_itself<Placed>) {
        return placed.save();
    } else {
        detail::line_writer out;
        detail::write_scheme(out, detail::placement_title, placed.scheme());
        for (std::uint32_t i = 0; i < placed.size(); ++i) {
            const auto node = placed.node(i);
            detail::write_node(out, node.name(), node.weight(), node.address());
            if (const auto count = node.vnodes_by_hand()) {
                out.line("vnodes", decimal(*count));
            }
        }
        out.line("fingerprint", fingerprint_text(placed.fingerprint()));
        return std::move(out).finish();
    }
}

/// What was saved, built anew: `load<ring<>>(text)`. `make_payload` is called with each node's
/// `node_spec`, as by `assign`. What no option of the scheme tells, such as a seed of
/// `schemes::labelled`, is not in the text: it is taken from `scheme`.
///
/// Throws `invalid_state`, which names the line, for a text that is damaged, cut off, of another
/// scheme or version or of something else, and where the same nodes are placed otherwise here; and
/// what `make_payload` throws. It takes as long as the text is, and as its nodes take to place: a
/// short text may ask for as many points as a ring may have. A line may have any length; nodes, and
/// an exact ring's points, are at most 16,777,216.
///
/// Law: it equals what was saved, has its fingerprint, and goes on as that does.
template <node_lookup Placed, class MakePayload>
    requires std::invocable<MakePayload&, const node_spec&>
[[nodiscard]] Placed load(std::string_view text, MakePayload make_payload,
                          typename Placed::scheme_type scheme = {}) {
    if constexpr (detail::saves_itself<Placed>) {
        return Placed::load(text, std::move(make_payload), std::move(scheme));
    } else {
        return detail::load_nodes<Placed>(text, make_payload, std::move(scheme));
    }
}

/// The same without payloads.
template <node_lookup Placed>
[[nodiscard]] Placed load(std::string_view text, typename Placed::scheme_type scheme = {}) {
    return load<Placed>(
        text, [](const node_spec&) { return typename Placed::payload_type{}; }, std::move(scheme));
}

} // namespace hashring
