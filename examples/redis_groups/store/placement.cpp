// SPDX-License-Identifier: MIT

#include "placement.hpp"

#include <hashring/core/error.hpp>
#include <hashring/core/text.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace redis_groups {

placement::placement(const std::vector<group_spec>& groups) {
    ring_ = make(groups);
}

placement::numbered_ring placement::make(const std::vector<group_spec>& groups) {
    numbered_ring result;
    std::vector<group_spec> all = groups_;
    for (const group_spec& spec : groups) {
        if (result.ring.contains(spec.name)) {
            throw hashring::invalid_node(
                hashring::concat("the group '", spec.name, "' is listed twice"));
        }
        result.ring.add(spec.name, spec.weight);
        const auto known = std::find_if(all.begin(), all.end(), [&](const group_spec& other) {
            return other.name == spec.name;
        });
        result.numbers.push_back(static_cast<group_number>(known - all.begin()));
        if (known == all.end()) {
            all.push_back(spec);
        }
    }
    groups_ = std::move(all);
    return result;
}

std::unique_lock<std::shared_mutex> placement::exclusive() const {
    const std::lock_guard<std::mutex> ahead(gate_);
    return std::unique_lock(mutex_);
}

void placement::begin_move(const std::vector<group_spec>& groups,
                           const std::function<std::uint64_t()>& least_epoch) {
    const auto lock = exclusive();
    if (next_) {
        throw std::logic_error("keys are moving already");
    }
    const std::uint64_t epoch = least_epoch();
    next_ = make(groups);
    least_epoch_ = std::max(least_epoch_, epoch);
}

void placement::end_move() {
    const auto lock = exclusive();
    if (!next_) {
        throw std::logic_error("nothing moves");
    }
    ring_ = std::move(*next_);
    next_.reset();
}

placement::use::use(const placement& from) : from_(from) {
    const std::lock_guard<std::mutex> behind(from.gate_);
    lock_ = std::shared_lock(from.mutex_);
}

std::vector<route> placement::use::routes(std::span<const std::string_view> keys) const {
    std::vector<route> result(keys.size());
    std::vector<std::uint32_t> owners(keys.size());
    from_.ring_.ring.owners(keys, std::span(owners));
    for (std::size_t i = 0; i < owners.size(); ++i) {
        result[i].owner = from_.ring_.numbers[owners[i]];
    }
    if (from_.next_) {
        from_.next_->ring.owners(keys, std::span(owners));
        for (std::size_t i = 0; i < owners.size(); ++i) {
            const group_number next = from_.next_->numbers[owners[i]];
            if (next != result[i].owner) {
                result[i] = {next, result[i].owner};
            }
        }
    }
    return result;
}

} // namespace redis_groups
