// SPDX-License-Identifier: MIT
#pragma once

#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/mismatches.hpp"

#include <hashring/core/node.hpp>
#include <hashring/placement/scheme.hpp>

#include <cstddef>
#include <string>
#include <vector>

// Rings against the golden files that other programs made.
namespace golden {

using hashring::node_spec;
using hashring::weight;

// The ring as `hashring ring` prints it: where a scheme's program keeps points in a map, points
// that own nothing are left out.
template <class Ring>
[[nodiscard]] std::vector<std::string> dump(const Ring& ring) {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < ring.point_count(); ++i) {
        const auto position = ring.point_position(i);
        if (!Ring::scheme_type::dumps_equal_points && i > 0 &&
            position == ring.point_position(i - 1)) {
            continue;
        }
        const bool owners = hashring::owner_dumping_scheme<typename Ring::scheme_type>;
        const auto node = owners ? ring.owner_index_at(position) : ring.point_owner(i);
        lines.push_back(ring.scheme().text(position) + '\t' + std::string(ring.node(node).name()));
    }
    return lines;
}

// The memcached topologies: host, port and weight a line. A node is known as host:port.
inline std::vector<node_spec> topology(const std::string& file) {
    std::vector<node_spec> nodes;
    for (const std::string& line : lines(file)) {
        const auto row = fields(line);
        nodes.emplace_back(row.at(0) + ':' + row.at(1), weight::parse(row.at(2)));
    }
    return nodes;
}

// How many of the keys a compact owners file's program takes; each has to be placed where it says.
template <class Ring>
std::size_t check_owners(const Ring& ring, const std::vector<node_spec>& nodes,
                         const std::vector<std::string>& keys, const std::string& owners_file) {
    const auto owners = lines(owners_file);
    REQUIRE(owners.size() == keys.size());
    hashring::test::mismatches found;
    std::size_t taken = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (owners[i] == "-") {
            continue;
        }
        ++taken;
        const std::string& wanted = nodes.at(std::stoul(owners[i])).name;
        found.expect(ring.owner(keys[i]) == wanted, owners_file, "key", i, "wants", wanted);
    }
    CHECK_NO_MISMATCHES(found);
    return taken;
}

} // namespace golden
