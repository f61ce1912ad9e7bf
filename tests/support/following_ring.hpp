// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <utility>
#include <vector>

// A closed loop: a rebalancer, a ring that does what it says, and data that follow the ring at
// once. The data are evenly spread over the circle, so that a node's load is its share of the
// circle over its capacity, exactly.

namespace closed_loop {

using hashring::node_spec;
using hashring::node_stats;

// A cluster whose loads are the shares of its ring.
class following_ring {
public:
    // Capacities are in any unit; every node begins with `vnodes` virtual nodes.
    following_ring(std::vector<std::string> names, std::vector<std::uint64_t> capacities,
                   std::uint32_t vnodes)
        : capacities_(std::move(capacities)) {
        for (std::string& name : names) {
            specs_.emplace_back(std::move(name), hashring::weight{}, std::string{}, vnodes);
        }
        std::sort(specs_.begin(), specs_.end(),
                  [](const node_spec& a, const node_spec& b) { return a.name < b.name; });
        ring_.assign(specs_);
        shares_ = ring_.shares();
    }

    [[nodiscard]] std::size_t size() const { return specs_.size(); }
    [[nodiscard]] const std::vector<double>& shares() const { return shares_; }

    // Share over share of the capacity, 1 being even.
    [[nodiscard]] std::vector<double> loads() const {
        double sum = 0.0;
        for (const std::uint64_t c : capacities_) {
            sum += static_cast<double>(c);
        }
        std::vector<double> result;
        for (std::size_t i = 0; i < size(); ++i) {
            result.push_back(shares_[i] * sum / static_cast<double>(capacities_[i]));
        }
        return result;
    }
    [[nodiscard]] double load_gap() const {
        return hashring::measure(std::span<const double>(loads())).load_gap;
    }
    // Virtual nodes in all.
    [[nodiscard]] std::uint64_t points() const {
        std::uint64_t sum = 0;
        for (const node_spec& spec : specs_) {
            sum += *spec.vnodes;
        }
        return sum;
    }

    // The statistics of now. The data fill `percent` hundredths of all capacity.
    [[nodiscard]] std::vector<node_stats> stats(std::uint64_t percent = 50) const {
        std::uint64_t sum = 0;
        for (const std::uint64_t c : capacities_) {
            sum += c * scale;
        }
        std::vector<node_stats> result;
        for (std::size_t i = 0; i < size(); ++i) {
            node_stats node;
            node.name = specs_[i].name;
            node.total = capacities_[i] * scale;
            const double data = static_cast<double>(sum) * static_cast<double>(percent) / 100.0;
            node.used = static_cast<std::uint64_t>(shares_[i] * data);
            node.vnodes = *specs_[i].vnodes;
            result.push_back(std::move(node));
        }
        return result;
    }

    // Takes the counts of `changes`; the data follow. Returns the part of all data that moved.
    template <class Changes>
    double apply(const Changes& changes) {
        if (changes.empty()) {
            return 0.0;
        }
        for (const auto& change : changes) {
            std::lower_bound(
                specs_.begin(), specs_.end(), change.name,
                [](const node_spec& a, const std::string& name) { return a.name < name; })
                ->vnodes = change.vnodes;
        }
        const double moved = ring_.assign(specs_).moved_fraction();
        shares_ = ring_.shares();
        return moved;
    }

    // The part of the data that has to move at least for all nodes to be even.
    [[nodiscard]] double least_to_move() const {
        double sum = 0.0;
        for (const std::uint64_t c : capacities_) {
            sum += static_cast<double>(c);
        }
        double least = 0.0;
        for (std::size_t i = 0; i < size(); ++i) {
            least += std::max(0.0, shares_[i] - static_cast<double>(capacities_[i]) / sum);
        }
        return least;
    }

private:
    static constexpr std::uint64_t scale = 1'000'000'000'000;

    std::vector<node_spec> specs_;
    std::vector<std::uint64_t> capacities_;
    std::vector<double> shares_;
    hashring::ring<> ring_;
};

// Shows what it is given `periods` later; the counts of virtual nodes are always those of now.
class late_stats {
public:
    explicit late_stats(std::size_t periods) : periods_(periods) {}

    [[nodiscard]] std::vector<node_stats> show(std::vector<node_stats> now) {
        seen_.push_back(now);
        if (seen_.size() > periods_ + 1) {
            seen_.pop_front();
        }
        for (std::size_t i = 0; i < now.size(); ++i) {
            now[i].used = seen_.front()[i].used;
        }
        return now;
    }

private:
    std::size_t periods_;
    std::deque<std::vector<node_stats>> seen_;
};

// What a run of periods came to.
struct course {
    std::vector<double> gaps{};  // after each period
    std::vector<double> moved{}; // in each period, of all data
    std::size_t last_plan = 0;   // the period of the last plan that changed anything, from 1
    bool at_rest = false;        // loads and state had come to repeat themselves for ever

    [[nodiscard]] double final_gap() const { return gaps.back(); }
    [[nodiscard]] double moved_in_all() const {
        double sum = 0.0;
        for (const double m : moved) {
            sum += m;
        }
        return sum;
    }
    // The first period from which on the gap is below `gap`; one past the last if it is not.
    [[nodiscard]] std::size_t settled_below(double gap) const {
        std::size_t period = gaps.size();
        while (period > 0 && gaps[period - 1] < gap) {
            --period;
        }
        return period + 1;
    }
};

// Lets `rule`, a function of stats and state with a plan for result, govern the ring for `periods`,
// with loads that are `late` periods old. It ends before that when nothing can change any more:
// a rule is a function, so that a plan without changes which leaves the state as it was, on loads
// that do not change, is every later plan.
template <class State, class Rule>
course govern(following_ring& ring, State state, std::size_t periods, std::size_t late, Rule rule) {
    course result;
    late_stats window(late);
    std::size_t quiet = 0;
    for (std::size_t period = 1; period <= periods && quiet <= late + 1; ++period) {
        const auto plan = rule(window.show(ring.stats()), state);
        result.moved.push_back(ring.apply(plan.changes));
        result.gaps.push_back(ring.load_gap());
        result.last_plan = plan.empty() ? result.last_plan : period;
        quiet = plan.empty() && plan.state == state ? quiet + 1 : 0;
        state = plan.state;
    }
    result.at_rest = quiet > late + 1;
    return result;
}

// The damped rule under `settings`.
inline course damped(following_ring& ring, const hashring::thresholds& settings,
                     std::size_t periods, std::size_t late = 0) {
    return govern(ring, hashring::rebalance_state{}, periods, late,
                  [&](const auto& stats, const auto& state) {
                      return hashring::rebalance(stats, settings, state);
                  });
}

// The paper's rule, one virtual node at a time.
inline course literal(following_ring& ring, const hashring::thresholds& settings,
                      std::size_t periods) {
    return govern(ring, hashring::literal_state{}, periods, 0,
                  [&](const auto& stats, const auto& state) {
                      return hashring::literal_hashed(stats, settings, state);
                  });
}

} // namespace closed_loop
