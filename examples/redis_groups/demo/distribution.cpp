// SPDX-License-Identifier: MIT

#include "acts.hpp"

#include <hashring/core/text.hpp>

#include <stdexcept>
#include <string_view>

namespace redis_groups::demo {

using hashring::concat;
using hashring::decimal;

namespace {

void load(client& to, const std::vector<std::string>& keys) {
    std::vector<write_request> writes;
    for (const std::string& key : keys) {
        writes.push_back({key, "1"});
    }
    for (const write_result& each : to.write_many(writes)) {
        if (!each.is_done()) {
            throw std::runtime_error(concat("a key cannot be loaded: ", each.why));
        }
    }
}

} // namespace

void show_distribution(stage& on, const std::vector<std::string>& keys) {
    on.title(concat("Distribution of ", decimal(keys.size()), " keys"));
    load(on.own, keys);
    on.say("loaded; each write is acknowledged by a majority of its group");
    const placement::use at(*on.ring);
    std::vector<std::uint64_t> by_ring(at.ring().size());
    for (const std::string& key : keys) {
        ++by_ring[at.ring().owner_index_at(at.ring().position(key))];
    }
    const std::vector<std::uint64_t> held = on.own.key_counts();
    const std::vector<double> shares = at.ring().shares();
    tool::grid table{
        {"group", "points", "share of the ring %", "keys by the ring", "keys held"}, {}, {}};
    for (std::uint32_t g = 0; g < at.ring().size(); ++g) {
        const auto node = at.ring().node(g);
        table.rows.push_back({std::string(node.name()), decimal(node.vnodes()),
                              percent_of(shares[g], 1.0), decimal(by_ring[g]), decimal(held[g])});
    }
    on.show(table);
    if (held != by_ring) {
        throw std::runtime_error("the servers do not hold what the ring says");
    }
}

} // namespace redis_groups::demo
