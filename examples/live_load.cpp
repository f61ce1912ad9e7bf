// SPDX-License-Identifier: MIT

// Bounded load: half of all requests are for one key, and yet no node has more in flight than 1.25
// times the mean.

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <queue>
#include <utility>

namespace {

/// Every other request is for one key.
std::uint64_t key_of(std::uint64_t request) {
    return request % 2 == 0 ? 42 : request;
}

/// The most that any node ever had in flight, while 80 requests always were.
std::uint64_t fullest(const hashring::ring<>& nodes, std::uint32_t percent) {
    const hashring::node_marks all_up(nodes.size());
    hashring::live_load load(nodes, percent);
    std::queue<hashring::live_load::ticket> in_flight;
    std::uint64_t most = 0;
    for (std::uint64_t request = 0; request < 10'000; ++request) {
        if (in_flight.size() == 80) {
            load.release(std::move(in_flight.front())); // the answer is there
            in_flight.pop();
        }
        auto ticket = load.acquire(nodes, nodes.position(key_of(request)), all_up);
        most = std::max(most, load.in_flight(ticket.node()));
        in_flight.push(std::move(ticket));
    }
    return most;
}

} // namespace

int main() {
    const hashring::ring<> nodes{"proxy-a", "proxy-b", "proxy-c", "proxy-d"};
    const std::uint64_t unbounded = fullest(nodes, 10'000);
    const std::uint64_t bounded = fullest(nodes, 125);
    std::cout << "of 80 requests in flight on 4 nodes, the fullest node had " << unbounded
              << " without a bound, and " << bounded << " with one\n";
    return unbounded >= 40 && bounded == 25 ? 0 : 1;
}
