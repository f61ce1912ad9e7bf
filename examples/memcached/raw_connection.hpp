// SPDX-License-Identifier: MIT
#pragma once

#include "redis_groups/store/address.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// \file
/// A memcached server over a plain socket.

namespace memcached {

/// A connection to one server, as far as a cache needs it. It throws `std::runtime_error` with the
/// server's address when anything goes wrong, and is of no use then. Keys are of 1 to 250 bytes
/// without blanks and control characters, as memcached has it.
class raw_connection {
public:
    /// `server.host` is an IPv4 address.
    explicit raw_connection(const redis_groups::address& server);
    raw_connection(const raw_connection&) = delete;
    raw_connection& operator=(const raw_connection&) = delete;
    raw_connection(raw_connection&& other) noexcept;
    raw_connection& operator=(raw_connection&&) = delete;
    ~raw_connection();

    /// Stores a value, some time before the next `finish` returns; nothing is awaited, nothing said
    /// of a value that the server does not keep.
    void set(std::string_view key, std::string_view value);
    /// Waits until the server is through with all that it was sent.
    void finish();
    /// How many of the keys it has. Asks for many at once.
    [[nodiscard]] std::size_t count(std::span<const std::string> keys);

private:
    void send();
    [[nodiscard]] std::string read_line();
    void read_bytes(std::size_t size);
    void read_more();
    [[noreturn]] void fail(std::string_view what) const;

    redis_groups::address server_;
    int file_ = -1;
    std::string out_;
    std::string in_;
    std::size_t at_ = 0; // of what is unread in `in_`
};

/// Whether a memcached server answers there.
[[nodiscard]] bool answers(const redis_groups::address& server);

} // namespace memcached
