// SPDX-License-Identifier: MIT

// Run by callgrind with `--instr-atstart=no`, it has each count dumped under a name, a size and a
// bound. `growth PART PARTS` runs one of so many parts, so that several can run at once; `growth
// PART PARTS NAME` only what is called so.

#include "growth/growth.hpp"

#include <valgrind/callgrind.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

void count(const growth::growing& each, std::size_t size) {
    const std::function<void()> work = each.prepare(size);
    const std::string text =
        each.name + " " + std::to_string(size) + " " + std::to_string(each.bound);
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
    work();
    CALLGRIND_DUMP_STATS_AT(text.c_str());
    CALLGRIND_STOP_INSTRUMENTATION;
}

} // namespace

int main(int argc, char** argv) {
    const auto part = static_cast<std::size_t>(argc > 1 ? std::atoi(argv[1]) : 0);
    const auto parts = static_cast<std::size_t>(argc > 2 ? std::atoi(argv[2]) : 1);
    const std::string_view only = argc > 3 ? argv[3] : "";
    std::size_t number = 0;
    for (const auto& list : {growth::rings(), growth::placements(), growth::readers()}) {
        for (const growth::growing& each : list) {
            if (number++ % parts == part && (only.empty() || only == each.name)) {
                count(each, each.size);
                count(each, 2 * each.size);
            }
        }
    }
}
