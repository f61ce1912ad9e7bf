// SPDX-License-Identifier: MIT
#pragma once

// Groups of real Redis servers, for as long as a test runs.

#include "redis_groups/farm/group_servers.hpp"
#include "redis_groups/farm/scratch_folder.hpp"
#include "redis_groups/store/client.hpp"
#include "redis_groups/store/copy_check.hpp"
#include "redis_groups/trial/numbered_keys.hpp"

#include <hashring/core/text.hpp>

#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace support {

/// `group01`, `group02` and so on, each a master and so many replicas.
class running_groups {
public:
    running_groups(std::size_t groups, std::size_t replicas,
                   const redis_groups::server_setup& setup = {}) {
        groups_.reserve(groups);
        for (std::size_t i = 1; i <= groups; ++i) {
            groups_.emplace_back(folder_.path(), "group0" + hashring::decimal(i), replicas, setup);
        }
    }

    [[nodiscard]] redis_groups::group_servers& operator[](std::size_t i) { return groups_[i]; }
    [[nodiscard]] std::vector<redis_groups::group_spec> specs() const {
        std::vector<redis_groups::group_spec> result;
        for (const auto& each : groups_) {
            result.push_back(each.spec());
        }
        return result;
    }

private:
    redis_groups::scratch_folder folder_;
    std::vector<redis_groups::group_servers> groups_;
};

using redis_groups::numbered_keys;

[[nodiscard]] inline std::vector<redis_groups::write_request>
writes_of(const std::vector<std::string>& keys, std::string_view value) {
    std::vector<redis_groups::write_request> writes;
    writes.reserve(keys.size());
    for (const std::string& key : keys) {
        writes.push_back({key, value});
    }
    return writes;
}

/// How many are not done.
[[nodiscard]] inline std::size_t undone(const std::vector<redis_groups::write_result>& results) {
    std::size_t count = 0;
    for (const auto& each : results) {
        count += each.is_done() ? 0U : 1U;
    }
    return count;
}

/// Writes numbered keys; throws if one of them is not done.
inline void write_keys(redis_groups::client& to, std::size_t count, std::string_view value) {
    const std::vector<std::string> keys = numbered_keys(count);
    if (undone(to.write_many(writes_of(keys, value))) > 0) {
        throw std::runtime_error("a write is not done");
    }
}

/// All copies of a group, key by key, in many pages.
inline redis_groups::copy_comparison compared(const redis_groups::group_spec& group) {
    redis_groups::settings chosen;
    chosen.pipeline = 50;
    return compare_copies(group, chosen);
}

inline redis_groups::reply call(const redis_groups::address& where,
                                std::initializer_list<std::string_view> words) {
    return redis_groups::connection(where, {}).call(words);
}

} // namespace support
