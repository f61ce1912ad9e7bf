// SPDX-License-Identifier: MIT

#include "../store/copy_check.hpp"
#include "../store/repairer.hpp"
#include "acts.hpp"

#include <hashring/core/text.hpp>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace redis_groups::demo {

using hashring::concat;
using hashring::decimal;
using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

namespace {

constexpr milliseconds patience{15000};

/// Waits until a write to the first group is done again. Returns how long that took.
milliseconds until_written(stage& on, std::string_view key) {
    const auto start = clock::now();
    while (!on.own.set(key, "after").is_done()) {
        if (clock::now() - start > patience) {
            throw std::runtime_error("no other master was found");
        }
    }
    return std::chrono::duration_cast<milliseconds>(clock::now() - start);
}

std::string master_of(stage& on, group_number group) {
    const placement::use at(*on.ring);
    const hashring::group::members& copies = on.own.group(at, group).view().copies();
    const std::size_t master = copies.master();
    return master == hashring::group::no_copy ? "nobody" : copies[master].name;
}

std::string told(const traffic_counts& counts) {
    return concat(decimal(counts.done), " writes done, ", decimal(counts.refused),
                  " refused (certainly not applied), ", decimal(counts.unknown),
                  " unknown (they may be)");
}

} // namespace

void show_failover(stage& on) {
    on.title("A master dies under load");
    settings impatient = on.chosen;
    impatient.patience = {};
    traffic writers(on.ring, impatient, on.keys_in(0, "load:", 100'000), {});
    std::this_thread::sleep_for(milliseconds(500));
    const std::string old_master = master_of(on, 0);
    on.servers[0].copy(0).kill();
    on.say(concat("SIGKILL for ", old_master, ", the master of ", on.servers[0].name()));
    const milliseconds took = until_written(on, on.keys_in(0, "probe:", 1).front());
    on.say(concat("Sentinel has made ", master_of(on, 0), " the master; writes go on after ",
                  tool::fixed(static_cast<double>(took.count()) / 1000.0, 1), " s"));
    std::this_thread::sleep_for(milliseconds(300));
    writers.stop();
    on.take_in(writers.by_group());
    on.say(told(writers.counts()));
    const std::uint64_t lost = writers.lost(on.own);
    on.say(concat("acknowledged writes that are lost: ", decimal(lost)));
    if (lost > 0) {
        throw std::runtime_error("a majority had acknowledged them");
    }
}

void show_repair(stage& on) {
    on.title("The old master comes back, without its data");
    on.servers[0].copy(0).restart({});
    repairer repair(on.servers[0].spec(), on.chosen);
    static_cast<void>(repair.run(patience, [&](std::string_view what) { on.say(what); }));
    const copy_comparison found = compare_copies(on.servers[0].spec(), on.chosen);
    on.say(concat("all ", decimal(found.copies + 1), " copies of ", on.servers[0].name(),
                  " hold the same ", decimal(found.keys), " keys"));
    if (!found.is_equal() || found.copies + 1 != on.servers[0].size()) {
        throw std::runtime_error(
            concat(decimal(found.different), " keys differ, or a copy does not answer"));
    }
}

} // namespace redis_groups::demo
