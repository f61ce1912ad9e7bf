// SPDX-License-Identifier: MIT

// A stranger's program that has threads, which the library asks nobody else to have.

#include <hashring/service/self_check.hpp>

#include <chrono>
#include <future>
#include <utility>
#include <vector>

int main() {
    std::promise<int> planned;
    hashring::self_check_settings settings;
    settings.first = std::chrono::seconds(0);
    hashring::self_check<> check(
        {.source =
             [] {
                 auto full = hashring::node_stats::with_free("cache-a", 1000, 100, 160);
                 auto free = hashring::node_stats::with_free("cache-b", 1000, 700, 160);
                 return std::vector{std::move(full), std::move(free)};
             },
         .apply =
             [&](const hashring::weights_plan& plan) {
                 planned.set_value(plan.changes.size() == 1 ? 0 : 1);
             }},
        settings);
    check.start();
    return planned.get_future().get();
}
