// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/placement/scheme.hpp>

#include <string>

/// \file
/// A scheme in words.

namespace hashring {

/// The four things that fix a placement, a line each: how a key becomes a position, how a node
/// becomes points, which point owns a position, and who owns a position that two nodes share.
template <placement_scheme Scheme>
[[nodiscard]] std::string describe(const Scheme& scheme) {
    std::string text = "key: ";
    text += Scheme::key_rule;
    text += "\npoints: ";
    text += Scheme::point_rule;
    for (const scheme_option& option : Scheme::options()) {
        text += "; ";
        text += option.name;
        text += " = " + scheme.get(option.name);
    }
    text += "\nowner: ";
    if constexpr (arc_end_scheme<Scheme> || mirrored_scheme<Scheme>) {
        text += Scheme::owner_rule;
    } else {
        text += "the first point at or after the key, after the last one the first";
    }
    text += Scheme::ties == tie_rule::first ? "\ntie: the node that comes first "
                                            : "\ntie: the node that comes last ";
    text += node_order_text<Scheme>;
    return text;
}

} // namespace hashring
