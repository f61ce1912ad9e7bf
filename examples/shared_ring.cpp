// SPDX-License-Identifier: MIT

// A ring in a running service: threads look keys up while another one changes the cluster. Each
// answer says which version of the ring it is from; nobody waits for anybody.

#include <hashring/hashring.hpp>
#include <hashring/service/shared_ring.hpp>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

/// What a thread that serves requests does, until it is told to stop.
void serve(hashring::shared_ring<>::reader nodes, const std::atomic<bool>& stop,
           std::atomic<std::uint64_t>& served) {
    for (std::uint64_t request = 0; !stop; ++request) {
        const auto answer = nodes.owner(request); // good until the next call
        if (answer.node) {
            ++served;
        }
    }
}

} // namespace

int main() {
    hashring::shared_ring<> cluster(hashring::ring<>{"cache-a", "cache-b", "cache-c"});
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> served{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) {
        threads.emplace_back(serve, cluster.read(), std::cref(stop), std::ref(served));
    }

    for (int i = 0; i < 100; ++i) { // a node comes and goes
        const std::string name = "cache-" + std::to_string(i);
        cluster.update([&](hashring::ring<>& ring) { ring.add(name); });
        cluster.update([&](hashring::ring<>& ring) { ring.remove(name); });
    }
    while (served == 0) {
        std::this_thread::yield();
    }
    stop = true;
    for (std::thread& each : threads) {
        each.join();
    }
    std::printf("version %llu of the ring has %zu nodes\n",
                static_cast<unsigned long long>(cluster.version()), cluster.newest()->ring.size());
    return 0;
}
