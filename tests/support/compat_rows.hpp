// SPDX-License-Identifier: MIT
#pragma once

#include "support/catch.hpp"
#include "support/process.hpp"
#include "support/tool_calls.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

// What `hashring compat` says of some nodes.
namespace support {

// The topologies of `tests/golden/memcached/topo`.
inline const std::string three = "10.0.0.1:11211\n10.0.0.2:11211\n10.0.0.3:11211\n";
inline const std::string five =
    "10.0.1.1:11211 1\n10.0.1.2:11212 2\n10.0.1.3:6379 3\n10.0.1.4:11211 5\n10.0.1.5:22122 8\n";

inline nlohmann::json compare(const std::string& nodes, const arguments& more) {
    const scratch folder;
    const outcome o = run_tool(
        with({"compat", "--nodes", folder.write("nodes", nodes), "--format", "json"}, more));
    CAPTURE(o.err, more);
    REQUIRE(o.code == 0);
    return nlohmann::json::parse(o.out);
}

inline nlohmann::json row_of(const nlohmann::json& whole, const std::string& scheme) {
    for (const nlohmann::json& row : whole["schemes"]) {
        if (row["scheme"] == scheme) {
            return row;
        }
    }
    FAIL(scheme);
    return {};
}

inline std::vector<std::string> reasons(const nlohmann::json& whole, const std::string& scheme) {
    return row_of(whole, scheme)["differences"].get<std::vector<std::string>>();
}

} // namespace support
