// SPDX-License-Identifier: MIT
#pragma once

#include "support/catch.hpp"
#include "support/golden_proxies.hpp"

#include <hashring/core/node.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <iostream>
#include <string>
#include <vector>

// Placements counted against the golden files of load balancers and RPC clients.
namespace golden {

inline void report(const std::string& program, const tally& counted, std::size_t at_least) {
    std::cout << program << ": " << counted.met << " of " << counted.lines << '\n';
    CAPTURE(program, counted.first);
    CHECK(counted.met == counted.lines);
    CHECK(counted.lines >= at_least);
}

inline std::vector<std::string> names_of(const std::vector<hashring::node_spec>& nodes) {
    std::vector<std::string> names;
    for (const hashring::node_spec& node : nodes) {
        names.push_back(node.name);
    }
    return names;
}

template <class Placed>
auto owner_by(const Placed& placed) {
    return [&placed](const std::string& key) {
        return std::string(placed.owner(key)->name());
    };
}

// A dump `point TAB node`; its nodes are `shown`, those of the ring in the same order.
template <class Placed>
void count_ring(tally& counted, const proxy_file& file, const std::vector<std::string>& shown,
                const Placed& placed) {
    INFO(file.name);
    REQUIRE(placed.point_count() == file.rows.size());
    for (std::size_t i = 0; i < file.rows.size(); ++i) {
        counted.add(file.rows[i] == placed.scheme().text(placed.point_position(i)) + '\t' +
                                        shown.at(placed.point_owner(i)),
                    file.name + " point " + std::to_string(i));
    }
}

// Requests that come and go, one a line: `start` takes who `choose(key, loads)` says.
template <class Choose>
void count_events(tally& counted, const proxy_file& file, const std::vector<std::string>& names,
                  Choose choose) {
    std::vector<std::uint64_t> loads(names.size());
    std::deque<std::size_t> in_flight;
    for (std::size_t i = 0; i < file.rows.size(); ++i) {
        const auto row = fields(file.rows[i]);
        std::size_t node = 0;
        if (row.at(0) == "start") {
            node = choose(unhex(row.at(1)), loads);
            in_flight.push_back(node);
            ++loads.at(node);
        } else {
            node = in_flight.front();
            in_flight.pop_front();
            --loads[node];
        }
        counted.add(names.at(node) == row.at(2), file.name + " line " + std::to_string(i));
    }
}

template <class Scheme>
Scheme with_settings(const settings& given) {
    Scheme scheme;
    for (const auto& [option, value] : given) {
        scheme.set(option, value);
    }
    return scheme;
}

} // namespace golden
