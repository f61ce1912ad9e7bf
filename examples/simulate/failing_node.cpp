// SPDX-License-Identifier: MIT
#include "simulate/failing_node.hpp"

#include <algorithm>
#include <utility>

namespace simulate {

load_function clockwise(std::vector<owned_arc> arcs, std::size_t nodes) {
    return [arcs = std::move(arcs), nodes](const std::vector<bool>& up) {
        std::vector<double> loads(nodes, 0.0);
        // Backwards, twice round: what comes after an arc is known when it is reached.
        const std::size_t none = nodes;
        std::size_t next = none;
        for (std::size_t i = 2 * arcs.size(); i-- > 0;) {
            const owned_arc& a = arcs[i % arcs.size()];
            next = up[a.owner] ? a.owner : next;
            if (i < arcs.size() && next != none) {
                loads[next] += a.share;
            }
        }
        return loads;
    };
}

load_function by_replicas(std::vector<std::vector<std::size_t>> blocks, std::size_t nodes) {
    return [blocks = std::move(blocks), nodes](const std::vector<bool>& up) {
        std::vector<double> loads(nodes, 0.0);
        const double one = 1.0 / static_cast<double>(blocks.size());
        for (const std::vector<std::size_t>& replicas : blocks) {
            const auto readable = std::count_if(replicas.begin(), replicas.end(),
                                                [&](std::size_t node) { return up[node]; });
            for (const std::size_t node : replicas) {
                loads[node] += up[node] ? one / static_cast<double>(readable) : 0.0;
            }
        }
        return loads;
    };
}

aftermath kill(const load_function& loads, std::size_t nodes, std::size_t dead, double headroom) {
    std::vector<bool> up(nodes, true);
    const std::vector<double> before = loads(up);
    up[dead] = false;
    std::vector<double> now = loads(up);
    aftermath result;
    double squares = 0.0;
    for (std::size_t i = 0; i < nodes; ++i) {
        const double gained = i == dead ? 0.0 : (now[i] - before[i]) / before[dead];
        result.most_hit = std::max(result.most_hit, gained);
        squares += gained * gained;
    }
    result.receivers = squares > 0.0 ? 1.0 / squares : 0.0;
    std::size_t down = 1;
    for (bool spreads = true; spreads; now = loads(up)) {
        spreads = false;
        for (std::size_t i = 0; i < nodes; ++i) {
            if (up[i] && now[i] > before[i] * (1.0 + headroom)) {
                up[i] = false;
                ++down;
                spreads = true;
            }
        }
    }
    result.lost = static_cast<double>(down) / static_cast<double>(nodes);
    return result;
}

} // namespace simulate
