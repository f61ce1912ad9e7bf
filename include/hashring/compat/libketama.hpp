// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/binary32.hpp>
#include <hashring/compat/option_values.hpp>
#include <hashring/compat/weighted_ketama.hpp>
#include <hashring/core/error.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/hash/md5.hpp>
#include <hashring/placement/labels.hpp>
#include <hashring/placement/point_rules.hpp>
#include <hashring/placement/scheme.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// libketama, the first of the ketama rings (Last.fm, `RJ/ketama`), bit for bit.

namespace hashring::compat {

/// The number of points that libketama gives to a server of weight `w` among `servers` whose
/// weights sum to `total`: a multiple of four, about 160 on average. `w` and `total` are above 0.
///
/// As in `weighted_ketama_points` the share is rounded to single precision, but the product is made
/// in double, where it is exact up to 2^23 servers, and rounded once: 25 equal servers get 160
/// points each, 61 get 156.
///
/// Source: libketama, commit 18cf9a7, `ketama_create_continuum` in ketama.c.
[[nodiscard]] constexpr std::uint32_t libketama_points(std::uint64_t w, std::uint64_t total,
                                                       std::uint64_t servers) noexcept {
    const binary32 part = binary32::nearest(w) / binary32::nearest(total);
    return static_cast<std::uint32_t>(4 * (part * (40 * servers)).floor());
}

/// libketama's ring: about 160 points a server in proportion to the weights, the four words of the
/// MD5 digests of `name-j`. The name is the first word of the server file's line, the port always
/// with it. A key ends at its first NUL and stands at the first word of its MD5.
///
/// **Every count depends on every node.** On one position the server that comes first in the file
/// owns (where the C library's `qsort` is stable, as glibc 2.36's is).
///
/// Names of more than 23 bytes, which the program refuses, throw `invalid_node`; of 22 and 23 bytes
/// it takes them and returns them with garbage behind. A fraction throws `invalid_weight`. A node
/// of weight 0 owns nothing and is not counted; in its file the program refuses 0, and so does
/// `take`. The program has room for about 117 servers and does not look; this ring has no such end.
/// If the last line of its file has no line feed, the program drops the weight's last digit.
///
/// Source: libketama, commit 18cf9a7, ketama.c.
struct libketama : scheme_defaults<std::uint32_t>, no_options {
    static constexpr std::string_view name = "libketama";
    static constexpr std::string_view summary =
        "the first ketama ring: about 160 points a server by weight, MD5 of host:port";
    static constexpr std::string_view key_rule =
        "first little-endian word of the MD5 of the key up to its first NUL";
    static constexpr std::string_view point_rule =
        "word j mod 4 of the MD5 of name-(j / 4), counts by weight in double and single precision";
    static constexpr bool order_matters = true;
    static constexpr bool points_depend_on_list = true;
    /// The most bytes of a name.
    static constexpr std::size_t longest_name = 23;

    /// Throws `invalid_weight` for a weight that the program's file cannot have.
    static void take(std::span<const node_spec> nodes) {
        for (const node_spec& node : nodes) {
            if (whole_weight(node.name, node.weight) == 0) {
                throw invalid_weight(concat("libketama refuses the weight 0 of '", node.name, "'"));
            }
        }
    }

    [[nodiscard]] static constexpr std::uint32_t position(std::string_view key) noexcept {
        return hash::md5{}(key.substr(0, key.find('\0')));
    }

    [[nodiscard]] static std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) {
        for (const placed_node& node : nodes) {
            if (node.name.size() > longest_name) {
                throw invalid_node(
                    concat("the name '", node.name, "' has more than the 23 bytes of libketama"));
            }
        }
        return weighted_counts(nodes, libketama_points);
    }

    static void points(const placed_node& node, std::span<std::uint32_t> out) {
        points_by_digest(labels::dashed{}, node, out);
    }

    [[nodiscard]] static std::string label(const placed_node& node, std::uint32_t j) {
        return digest_label(labels::dashed{}, node, j);
    }

    friend bool operator==(const libketama&, const libketama&) = default;
};

static_assert(placement_scheme<libketama>);

} // namespace hashring::compat
