// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"

#include <hashring/hashring.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

using namespace hashring;

// Here because every test of this folder is also run under the thread sanitizer.
// vedhavyas/hashring #3, serialx/hashring #25: look-ups shared one hash object under a read lock.
TEST_CASE("readers: eight threads that look up get what one gets", "[ring][threads][B86]") {
    const ring<> r(node_names(10, 6));
    constexpr std::uint64_t keys = 100'000;
    std::vector<std::uint32_t> expected;
    for (std::uint64_t key = 0; key < keys; ++key) {
        expected.push_back(r.owner_index_at(r.position(key)));
    }
    std::array<std::size_t, 8> wrong{};
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < wrong.size(); ++t) {
        threads.emplace_back([&, t] {
            std::size_t mine = 0;
            for (std::uint64_t i = 0; i < keys; ++i) {
                const std::uint64_t key = (i + t * keys / wrong.size()) % keys;
                mine += r.owner(key)->name() == r.node(expected[key]).name() ? 0U : 1U;
            }
            wrong[t] = mine;
        });
    }
    for (std::thread& each : threads) {
        each.join();
    }
    CHECK(wrong == std::array<std::size_t, 8>{});
}
