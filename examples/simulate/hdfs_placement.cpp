// SPDX-License-Identifier: MIT
#include "simulate/hdfs_placement.hpp"

#include <algorithm>
#include <cmath>

namespace simulate {

name_node::name_node(const cluster& nodes, hdfs_policy policy, std::uint64_t blocks,
                     std::size_t copies, std::uint64_t seed)
    : policy_(policy),
      copies_(std::min(copies, nodes.size())),
      replicas_(nodes.size(), 0),
      random_(seed, 4) {
    const double all =
        static_cast<double>(blocks * copies_) * 100.0 / static_cast<double>(fill_percent);
    for (const std::uint64_t capacity : nodes.capacities) {
        room_.push_back(all * static_cast<double>(capacity) /
                        static_cast<double>(nodes.capacity()));
    }
}

double name_node::used(std::size_t node) const {
    return static_cast<double>(replicas_[node]) / room_[node];
}

std::size_t name_node::draw(const std::vector<std::size_t>& from) {
    return from[random_.below(from.size())];
}

std::size_t name_node::choose(const std::vector<std::size_t>& from) {
    const std::size_t a = draw(from);
    if (policy_ == hdfs_policy::random) {
        return a;
    }
    const std::size_t b = draw(from);
    if (a == b || std::fabs(used(a) - used(b)) < 0.05) {
        return a;
    }
    const bool prefers_emptier = random_.below(100) < 60;
    return (used(a) < used(b)) == prefers_emptier ? a : b;
}

std::vector<std::size_t> name_node::place_block() {
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < replicas_.size(); ++i) {
        if (static_cast<double>(replicas_[i]) + 1.0 <= room_[i]) {
            left.push_back(i);
        }
    }
    std::vector<std::size_t> chosen;
    while (chosen.size() < copies_ && !left.empty()) {
        chosen.push_back(choose(left));
        left.erase(std::find(left.begin(), left.end(), chosen.back()));
    }
    for (const std::size_t node : chosen) {
        ++replicas_[node];
    }
    return chosen;
}

std::vector<std::uint64_t> place_blocks(const cluster& nodes, hdfs_policy policy,
                                        std::uint64_t blocks, std::size_t copies,
                                        std::uint64_t seed) {
    name_node master(nodes, policy, blocks, copies, seed);
    for (std::uint64_t block = 0; block < blocks; ++block) {
        (void)master.place_block();
    }
    return master.replicas();
}

} // namespace simulate
