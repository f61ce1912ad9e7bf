// SPDX-License-Identifier: MIT
#pragma once

// A server that says what it is told to, whatever it is asked.

#include "listener.hpp"
#include "redis_groups/store/address.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <string>
#include <thread>
#include <utility>

namespace support {

/// Answers whatever arrives on a connection with the same bytes, once; then it closes it, or stays
/// silent.
class fake_server {
public:
    fake_server(std::string answer, bool closes) : answer_(std::move(answer)), closes_(closes) {
        thread_ = std::thread([this] { serve(); });
    }
    fake_server(const fake_server&) = delete;
    fake_server& operator=(const fake_server&) = delete;
    ~fake_server() {
        stop_ = true;
        thread_.join();
    }

    [[nodiscard]] const redis_groups::address& where() const { return listener_.where(); }

private:
    /// Whether there is something to read before the end.
    bool await(int file) {
        pollfd waiting{file, POLLIN, 0};
        while (!stop_) {
            if (::poll(&waiting, 1, 5) > 0) {
                return true;
            }
        }
        return false;
    }

    void serve() {
        while (await(listener_.file())) {
            const int peer = listener_.accept();
            std::array<char, 65536> heard{};
            bool has_answered = false;
            while (peer >= 0 && await(peer) && ::recv(peer, heard.data(), heard.size(), 0) > 0) {
                if (!has_answered) {
                    ::send(peer, answer_.data(), answer_.size(), MSG_NOSIGNAL);
                    has_answered = true;
                }
                if (closes_) {
                    break;
                }
            }
            ::close(peer);
        }
    }

    std::string answer_;
    bool closes_;
    listener listener_;
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

} // namespace support
