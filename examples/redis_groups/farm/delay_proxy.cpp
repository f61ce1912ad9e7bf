// SPDX-License-Identifier: MIT

#include "delay_proxy.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <system_error>
#include <utility>

namespace redis_groups {

namespace {

constexpr int tick_ms = 1; // how exact a delay is

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(port);
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return where;
}

/// Sends all of it; false if the other side is gone.
bool send_all(int file, const char* data, std::size_t size) {
    while (size > 0) {
        const ssize_t sent = ::send(file, data, size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) {
            return false;
        }
        if (sent > 0) {
            data += sent;
            size -= static_cast<std::size_t>(sent);
        }
    }
    return true;
}

/// What has arrived; false at the end.
bool receive_some(int file, std::string& out) {
    std::array<char, std::size_t{64} * 1024> bytes; // NOLINT(*-member-init): filled by `recv`
    const ssize_t size = ::recv(file, bytes.data(), bytes.size(), 0);
    if (size > 0) {
        out.assign(bytes.data(), static_cast<std::size_t>(size));
    }
    return size > 0 || (size < 0 && errno == EINTR);
}

} // namespace

delay_proxy::delay_proxy(address server, std::chrono::milliseconds delay)
    : server_(std::move(server)), delay_(delay) {
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in where = loopback(0);
    socklen_t size = sizeof where;
    auto* const generic = reinterpret_cast<sockaddr*>(&where);
    if (listener_ < 0 || ::bind(listener_, generic, size) != 0 || ::listen(listener_, 16) != 0 ||
        ::getsockname(listener_, generic, &size) != 0) {
        const int error = errno;
        ::close(listener_);
        throw std::system_error(error, std::generic_category(), "a delay proxy");
    }
    where_ = {"127.0.0.1", ntohs(where.sin_port)};
    thread_ = std::thread([this] { serve(); });
}

void delay_proxy::cut() noexcept {
    stop_ = true;
    if (thread_.joinable()) {
        thread_.join();
    }
}

void delay_proxy::accept_one() {
    pair p;
    p.client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    p.server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in where = loopback(server_.port);
    const int on = 1;
    const timeval patience{1, 0}; // a peer that is frozen takes nothing
    ::setsockopt(p.client, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    ::setsockopt(p.server, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    ::setsockopt(p.client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ::setsockopt(p.server, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    p.is_over = ::connect(p.server, reinterpret_cast<const sockaddr*>(&where), sizeof where) != 0;
    pairs_.push_back(std::move(p));
}

void delay_proxy::forward(pair& p, short client_events, short server_events) {
    std::string bytes;
    if (client_events != 0) {
        p.is_over =
            !receive_some(p.client, bytes) || !send_all(p.server, bytes.data(), bytes.size());
    }
    bytes.clear();
    if (!p.is_over && server_events != 0) {
        p.is_over = !receive_some(p.server, bytes);
        p.queue.push_back({clock::now() + delay_, std::move(bytes)});
    }
}

void delay_proxy::release(pair& p) {
    while (!p.is_over && !p.queue.empty() && p.queue.front().due <= clock::now()) {
        const std::string& bytes = p.queue.front().bytes;
        p.is_over = !send_all(p.client, bytes.data(), bytes.size());
        p.queue.pop_front();
    }
}

void delay_proxy::serve() noexcept {
    while (!stop_) {
        std::vector<pollfd> files{{listener_, POLLIN, 0}};
        for (const pair& p : pairs_) {
            files.push_back({p.client, POLLIN, 0});
            files.push_back({p.server, POLLIN, 0});
        }
        ::poll(files.data(), files.size(), tick_ms);
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            release(pairs_[i]);
            forward(pairs_[i], files[2 * i + 1].revents, files[2 * i + 2].revents);
        }
        std::erase_if(pairs_, [](const pair& p) {
            if (p.is_over) {
                ::close(p.client);
                ::close(p.server);
            }
            return p.is_over;
        });
        if (files[0].revents != 0) {
            accept_one();
        }
    }
    for (const pair& p : pairs_) {
        ::close(p.client);
        ::close(p.server);
    }
    ::close(listener_);
}

} // namespace redis_groups
