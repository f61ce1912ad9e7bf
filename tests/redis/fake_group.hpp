// SPDX-License-Identifier: MIT
#pragma once

// A group whose copies are fake servers, and all that a client can do with it.

#include "fake_redis.hpp"
#include "redis_groups/store/client.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace support {

/// A master and so many replicas, in this order.
class fake_group {
public:
    explicit fake_group(std::size_t replicas = 0) {
        for (std::size_t i = 0; i <= replicas; ++i) {
            copies_.push_back(std::make_unique<fake_redis>(i == 0));
        }
    }

    [[nodiscard]] fake_redis& copy(std::size_t i) { return *copies_[i]; }
    [[nodiscard]] fake_redis& master() { return copy(0); }
    [[nodiscard]] std::vector<redis_groups::group_spec> specs() const {
        redis_groups::group_spec spec{"group01", {}, {}};
        for (const auto& each : copies_) {
            spec.copies.push_back(each->where());
        }
        return {spec};
    }

private:
    std::vector<std::unique_ptr<fake_redis>> copies_;
};

/// A client that looks once, and waits so long for an answer.
[[nodiscard]] inline redis_groups::settings waiting(std::chrono::milliseconds patience) {
    redis_groups::settings chosen;
    chosen.connections.connect_timeout = patience;
    chosen.connections.io_timeout = patience;
    chosen.look_timeout = patience;
    chosen.wait_timeout = std::chrono::milliseconds(10);
    chosen.look_every = std::chrono::milliseconds(60'000);
    return chosen;
}

/// Longer than any answer takes that comes at all.
inline constexpr std::chrono::milliseconds long_enough{5000};

} // namespace support
