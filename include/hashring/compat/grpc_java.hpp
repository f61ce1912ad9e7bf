// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/compat/grpc.hpp>
#include <hashring/compat/java_address.hpp>
#include <hashring/compat/java_hash_map.hpp>
#include <hashring/core/node.hpp>
#include <hashring/core/text.hpp>
#include <hashring/hash/xxhash.hpp>
#include <hashring/placement/arranged.hpp>
#include <hashring/placement/labels.hpp>
#include <hashring/placement/per_weight.hpp>
#include <hashring/placement/point_rules.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/placement/signed_order.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// gRPC-Java's ring_hash, bit for bit: three rings, none of them that of the other languages.

namespace hashring::compat {

/// Which of gRPC-Java's rings.
enum class grpc_java_version : std::uint8_t {
    v1_41, ///< up to 1.47: labels in which digits pile up
    v1_49, ///< 1.48 to 1.59
    v1_68  ///< from 1.60 on: another label, and a key behind the last point is the last one's
};

/// The text that gRPC-Java hashes for a point.
template <grpc_java_version Version>
struct grpc_java_label {
    static constexpr std::string_view name =
        Version == grpc_java_version::v1_68 ? "/name_j" : "[/name]_j";
    static constexpr bool unambiguous = false; // two texts may spell one address

    void operator()(std::string& out, const placed_node& node, std::uint32_t j) const {
        const std::string text = java_socket_address::of(node.name).text;
        if (Version == grpc_java_version::v1_68) {
            out += text;
        } else {
            out += '[';
            out += text;
            out += ']';
        }
        out += '_';
        if (Version == grpc_java_version::v1_41) {
            // Of each number before, all digits but the last are left behind.
            for (std::uint32_t before = 10; before < j; ++before) {
                append_decimal(out, before / 10);
            }
        }
        append_decimal(out, j);
    }

    friend bool operator==(const grpc_java_label&, const grpc_java_label&) = default;
};

/// A ring of gRPC-Java: XXH64 of the address as Java prints it and a number, in counts as Envoy's,
/// with the addresses in the order of a HashMap; so **no ring of another language**.
///
/// A node's name is `ip:port`, `[v6]:port`, or `name/ip:port` for an address that carries a host's
/// name. Points are signed: the circle begins at the most negative. See `grpc_ring` for sizes.
///
/// Making the labels of `v1_41` takes time with the square of a node's points, as there.
///
/// Source: gRPC-Java 1.41.3, 1.49.2 and 1.68.0, RingHashLoadBalancer.
template <grpc_java_version Version>
struct grpc_java_ring : grpc_ring {
    static constexpr std::string_view point_rule =
        "XXH64, signed, of the address as Java prints it, _ and a number; as many as a running sum "
        "of the scaled shares asks for in the order of a HashMap";
    static constexpr bool order_matters = true;

    [[nodiscard]] static std::uint64_t position(std::string_view key) noexcept {
        return in_signed_order(hash::xxh64{}(key));
    }

    [[nodiscard]] std::vector<std::uint32_t> counts(std::span<const placed_node> nodes) const {
        std::vector<std::uint32_t> codes;
        for (const placed_node& node : nodes) {
            const std::uint32_t code = java_socket_address::of(node.name).hash_code;
            // Up to 1.59 a list of one address is the key.
            codes.push_back(Version == grpc_java_version::v1_68 ? code : code + 31);
        }
        return counts_in_order(nodes, java_hash_map_order(codes));
    }

    static void points(const placed_node& node, std::span<std::uint64_t> out) {
        points_by_label(hash::xxh64{}, grpc_java_label<Version>{}, node, out);
        for (std::uint64_t& point : out) {
            point = in_signed_order(point);
        }
    }

    [[nodiscard]] static std::string label(const placed_node& node, std::uint32_t j) {
        return label_text(grpc_java_label<Version>{}, node, j);
    }

    /// As a signed number.
    [[nodiscard]] static std::string text(std::uint64_t position) { return signed_text(position); }

    friend bool operator==(const grpc_java_ring&, const grpc_java_ring&) = default;
};

/// gRPC-Java up to 1.47: `[/127.0.0.1:80]_` and a number in front of which, from 11 on, stand all
/// digits but the last of each number from 10 on: `…_10`, `…_111`, `…_1112` (grpc-java #9255).
struct grpc_java_1_41 : grpc_java_ring<grpc_java_version::v1_41> {
    static constexpr std::string_view name = "grpc-java-1.41";
    static constexpr std::string_view summary = "gRPC-Java's ring_hash up to 1.47";

    friend bool operator==(const grpc_java_1_41&, const grpc_java_1_41&) = default;
};

/// gRPC-Java 1.48 to 1.59: `[/127.0.0.1:80]_0`, and so on.
struct grpc_java_1_49 : grpc_java_ring<grpc_java_version::v1_49> {
    static constexpr std::string_view name = "grpc-java-1.49";
    static constexpr std::string_view summary = "gRPC-Java's ring_hash from 1.48 to 1.59";

    friend bool operator==(const grpc_java_1_49&, const grpc_java_1_49&) = default;
};

/// gRPC-Java from 1.60 on: `/127.0.0.1:80_0`, and so on; a key behind the last point belongs to
/// that and not to the first (grpc-java #13054). So the ring holds the last point at the end of the
/// circle.
struct grpc_java_1_68 : grpc_java_ring<grpc_java_version::v1_68> {
    static constexpr std::string_view name = "grpc-java-1.68";
    static constexpr std::string_view summary = "gRPC-Java's ring_hash from 1.60 on";
    static constexpr bool points_are_arc_ends = true;
    static constexpr std::string_view owner_rule =
        "the first point at or after the key, after the last one the last";

    [[nodiscard]] list_points<std::uint64_t>
    place(std::span<const placed_node> nodes,
          std::span<const std::optional<std::uint32_t>> by_hand) const {
        const auto all = counted_points(*this, nodes, by_hand, counts(nodes));
        return at_arc_ends(all, [](std::uint64_t point, std::uint64_t next) {
            return next < point ? last_position : point; // the last, unless all are equal
        });
    }

    friend bool operator==(const grpc_java_1_68&, const grpc_java_1_68&) = default;
};

static_assert(placement_scheme<grpc_java_1_41> && placement_scheme<grpc_java_1_49> &&
              list_scheme<grpc_java_1_68>);

} // namespace hashring::compat
