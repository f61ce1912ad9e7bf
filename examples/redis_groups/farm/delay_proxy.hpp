// SPDX-License-Identifier: MIT
#pragma once

#include "../store/address.hpp"

#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <string>
#include <thread>
#include <vector>

/// \file
/// A slow link between a master and its replicas.

namespace redis_groups {

/// Forwards connections to a server, and holds back what it says for some time, as a network would.
/// On loopback the bytes that a dying process has sent still arrive; here they are lost with the
/// link, as they are when a machine dies.
class delay_proxy {
public:
    /// Throws `std::system_error`.
    delay_proxy(address server, std::chrono::milliseconds delay);
    delay_proxy(const delay_proxy&) = delete;
    delay_proxy& operator=(const delay_proxy&) = delete;
    ~delay_proxy() { cut(); }

    [[nodiscard]] const address& where() const noexcept { return where_; }
    /// Ends all connections and loses what was held back.
    void cut() noexcept;

private:
    using clock = std::chrono::steady_clock;

    struct held_back {
        clock::time_point due;
        std::string bytes;
    };
    struct pair {
        int client = -1;
        int server = -1;
        std::deque<held_back> queue{}; ///< from the server
        bool is_over = false;
    };

    void serve() noexcept;
    void accept_one();
    void forward(pair& p, short client_events, short server_events);
    void release(pair& p);

    address server_;
    std::chrono::milliseconds delay_;
    int listener_ = -1;
    address where_;
    std::vector<pair> pairs_;
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

} // namespace redis_groups
