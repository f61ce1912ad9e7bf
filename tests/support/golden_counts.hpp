// SPDX-License-Identifier: MIT
#pragma once

#include "support/catch.hpp"
#include "support/golden_proxies.hpp"

#include <hashring/core/node.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

// Placements counted against the golden files of load balancers and RPC clients.
namespace golden {

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

// That no file of these families (the beginnings of names) lies there that no beginning in `read`
// names.
inline void check_all_read(const std::vector<std::string>& families,
                           const std::vector<std::string>& read) {
    const auto starts_with_one_of = [](const std::string& name, const auto& beginnings) {
        return std::any_of(beginnings.begin(), beginnings.end(),
                           [&](const std::string& begin) { return name.starts_with(begin); });
    };
    for (const char* folder : {"owners", "rings"}) {
        for (const proxy_file& file : proxy_files(folder, "")) {
            CAPTURE(folder, file.name);
            CHECK(
                (!starts_with_one_of(file.name, families) || starts_with_one_of(file.name, read)));
        }
    }
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
