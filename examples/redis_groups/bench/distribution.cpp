// SPDX-License-Identifier: MIT

#include "distribution.hpp"

#include "../../tool/progress.hpp"
#include "../farm/cluster.hpp"
#include "../store/client.hpp"
#include "../trial/numbered_keys.hpp"

#include <hashring/core/text.hpp>

#include <memory>
#include <stdexcept>

namespace redis_groups::bench {

using hashring::concat;

namespace {

constexpr std::size_t keys_at_a_time = 10'000;

void write_all(client& to, const std::vector<std::string>& keys, tool::progress_bar& bar) {
    const std::string value(32, 'v');
    for (std::size_t first = 0; first < keys.size(); first += keys_at_a_time) {
        std::vector<write_request> writes;
        for (std::size_t i = first; i < std::min(first + keys_at_a_time, keys.size()); ++i) {
            writes.push_back({keys[i], value});
        }
        for (const write_result& each : to.write_many(writes)) {
            if (!each.is_done()) {
                throw std::runtime_error(concat("a write is not done: ", each.why));
            }
        }
        bar.step();
    }
}

void append_shares(client& of, const std::vector<std::string>& keys, std::vector<group_share>& to) {
    const std::vector<std::uint64_t> held = of.key_counts();
    const placement::use at(*of.ring());
    const group_ring& ring = at.ring();
    const std::vector<double> shares = ring.shares();
    std::vector<std::uint64_t> by_ring(ring.size());
    for (const std::string& key : keys) {
        ++by_ring[ring.owner_index_at(ring.position(key))];
    }
    for (std::uint32_t g = 0; g < ring.size(); ++g) {
        to.push_back(
            {ring.size(), std::string(ring.node(g).name()), shares[g], by_ring[g], held[g]});
    }
    if (held != by_ring) {
        throw std::runtime_error("the servers do not hold what the ring says");
    }
}

} // namespace

std::vector<group_share> measure_distribution(const options& chosen) {
    const std::vector<std::string> keys = numbered_keys(chosen.keys);
    std::vector<group_share> result;
    const std::size_t batches = (keys.size() + keys_at_a_time - 1) / keys_at_a_time;
    tool::progress_bar bar(batches * (chosen.groups - 1));
    for (std::size_t groups = 2; groups <= chosen.groups; ++groups) {
        const cluster servers(groups, chosen.replicas);
        client writer(servers.specs(), chosen.how);
        write_all(writer, keys, bar);
        append_shares(writer, keys, result);
    }
    return result;
}

} // namespace redis_groups::bench
