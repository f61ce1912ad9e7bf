// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/weight.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hashring::test {

/// What `allocate_budget` must give, by search instead of sorting: a node whose quota of what is
/// left is below 1 gets 1, until there is none; then whole parts, then one each to whom most is
/// missing.
struct budget_by_search {
    std::vector<std::uint64_t> thousandths;
    std::vector<std::uint32_t> count;
    std::vector<bool> lifted;
    std::uint64_t left = 0;
    std::uint64_t sum = 0;

    budget_by_search(const std::vector<weight>& w, std::uint32_t total) : left(total) {
        for (const auto& one : w) {
            thousandths.push_back(one.thousandths());
            sum += one.thousandths();
        }
        count.assign(w.size(), 0);
        lifted.assign(w.size(), false);
        while (lift_one()) {
        }
        for (std::size_t i = 0; i < w.size(); ++i) {
            count[i] = lifted[i]  ? 1
                       : sum == 0 ? 0
                                  : static_cast<std::uint32_t>(thousandths[i] * left / sum);
        }
        while (sum > 0 && missing() > 0) {
            ++count[neediest()];
        }
    }

    bool lift_one() {
        for (std::size_t i = 0; i < thousandths.size(); ++i) {
            if (!lifted[i] && thousandths[i] > 0 && thousandths[i] * left < sum) {
                lifted[i] = true;
                left -= 1;
                sum -= thousandths[i];
                return true;
            }
        }
        return false;
    }

    std::uint64_t missing() const {
        std::uint64_t given = 0;
        for (std::size_t i = 0; i < count.size(); ++i) {
            given += lifted[i] ? 0 : count[i];
        }
        return left - given;
    }

    /// The node furthest below its quota, the earliest of equals.
    std::size_t neediest() const {
        std::size_t best = count.size();
        std::uint64_t most = 0;
        for (std::size_t i = 0; i < count.size(); ++i) {
            const std::uint64_t quota = thousandths[i] * left;
            const std::uint64_t given = count[i] * sum;
            if (!lifted[i] && quota > given && quota - given > most) {
                most = quota - given;
                best = i;
            }
        }
        return best;
    }
};

} // namespace hashring::test
