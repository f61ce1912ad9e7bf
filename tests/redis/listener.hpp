// SPDX-License-Identifier: MIT
#pragma once

// A port of loopback that a fake server listens on.

#include "redis_groups/store/address.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace support {

class listener {
public:
    listener() : file_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in where{};
        where.sin_family = AF_INET;
        where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof where;
        auto* const generic = reinterpret_cast<sockaddr*>(&where);
        if (::bind(file_, generic, size) != 0 || ::listen(file_, 64) != 0 ||
            ::getsockname(file_, generic, &size) != 0) {
            throw std::system_error(errno, std::generic_category(), "a fake server");
        }
        where_ = {"127.0.0.1", ntohs(where.sin_port)};
    }
    listener(const listener&) = delete;
    listener& operator=(const listener&) = delete;
    ~listener() { ::close(file_); }

    [[nodiscard]] const redis_groups::address& where() const { return where_; }
    [[nodiscard]] int file() const { return file_; }
    [[nodiscard]] int accept() const { return ::accept(file_, nullptr, nullptr); }

private:
    int file_;
    redis_groups::address where_;
};

} // namespace support
