// SPDX-License-Identifier: MIT

// A cluster that keeps itself level: every period its loads are collected, a plan is made, and the
// ring is changed. Here the disks are numbers, the source is a function of them, and data follow
// the ring at once; the period is 20 ms, where a real one is 30 s.

#include <hashring/hashring.hpp>
#include <hashring/service/self_check.hpp>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

namespace {

/// Disks of 1, 2 and 4 TB that begin with as many virtual nodes each.
class cluster {
public:
    cluster() {
        const std::uint64_t terabytes[] = {1, 2, 4, 1, 2, 4};
        for (const std::uint64_t t : terabytes) {
            const std::string name = "disk-" + std::to_string(disks_.size());
            disks_.push_back({name, t * 1'000'000'000'000, 0, 500});
            ring_.add(hashring::node_spec(name, hashring::weight{1}, {}, 500));
        }
    }

    /// What every disk holds now: its share of 7 TB.
    [[nodiscard]] std::vector<hashring::node_stats> stats() const {
        const std::lock_guard lock(mutex_);
        std::vector<hashring::node_stats> result = disks_;
        const std::vector<double> shares = ring_.shares();
        for (hashring::node_stats& disk : result) {
            const std::uint32_t i = ring_.index_of(disk.name);
            disk.used = static_cast<std::uint64_t>(shares[i] * 7e12);
            disk.vnodes = ring_.node(i).vnodes();
        }
        return result;
    }

    void apply(const hashring::weights_plan& plan) {
        const std::lock_guard lock(mutex_);
        const auto moved = ring_.apply(plan); // the arcs to move, to be copied before this
        for (const hashring::vnode_change& change : plan.changes) {
            std::printf("  %s\n", change.text().c_str());
        }
        std::printf("  %.1f %% of the data move\n", 100 * moved.moved_fraction());
    }

    void log(const hashring::round_report<hashring::weights_plan>& round) {
        std::printf("round %d: %s\n", static_cast<int>(round.number), round.text().c_str());
        const std::lock_guard lock(mutex_);
        is_level_ = round.outcome == hashring::round_outcome::nothing_to_do;
        level_.notify_all();
    }

    /// Whether there is nothing left to do, waiting for that if need be.
    [[nodiscard]] bool wait_until_level() {
        std::unique_lock lock(mutex_);
        return level_.wait_for(lock, std::chrono::seconds(60), [this] { return is_level_; });
    }

private:
    mutable std::mutex mutex_; // of the ring, which others read and change meanwhile
    std::condition_variable level_;
    bool is_level_ = false;
    hashring::ring<> ring_;
    std::vector<hashring::node_stats> disks_;
};

} // namespace

int main() {
    cluster cluster;
    const double before = hashring::measure(cluster.stats()).load_gap;
    hashring::self_check_settings settings;
    settings.period = std::chrono::milliseconds(20);

    const auto log = [&](const auto& round) {
        cluster.log(round);
    };
    hashring::self_check<> check({.source = [&] { return cluster.stats(); },
                                  .apply = [&](const auto& plan) { cluster.apply(plan); },
                                  .report = log},
                                 settings);
    check.start(); // a thread that looks every period until `check` ends

    const bool is_level = cluster.wait_until_level();
    check.stop();
    const double after = hashring::measure(cluster.stats()).load_gap;
    std::printf("load gap %.1f %%, before %.1f %%\n", 100 * after, 100 * before);
    return is_level && after <= 0.1 ? 0 : 1;
}
