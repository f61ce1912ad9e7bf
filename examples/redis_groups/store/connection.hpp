// SPDX-License-Identifier: MIT
#pragma once

#include "address.hpp"
#include "failure.hpp"
#include "reply.hpp"

#include <chrono>
#include <cstddef>
#include <deque>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct redisContext; // NOLINT(readability-identifier-naming): of hiredis

/// \file
/// One connection to one server.

namespace redis_groups {

/// How long to wait, and as whom to come.
struct connection_options {
    std::chrono::milliseconds connect_timeout{500};
    /// For an answer to come whole, and for a command to leave.
    std::chrono::milliseconds io_timeout{1000};
    std::string user{};     ///< with a password; empty is the server's default user
    std::string password{}; ///< empty: none is sent
    int database = 0;
};

/// A connection to a Redis server, for one thread at a time. Commands are appended, sent together
/// and answered in the order in which they were appended.
///
/// It throws `connection_failure` once anything goes wrong on the way; from then on it is closed
/// and of no use. A server's error is an answer like others. Writing never raises SIGPIPE. An
/// answer beyond the limits of `reply_limits.hpp` (2^20 elements, four lists in each other, 64 KiB
/// of a line, 512 MiB of a value) is garbage, and fails as that.
class connection {
public:
    /// Connects, and says who comes and which database is meant. Throws `connection_failure`, and
    /// `server_failure` where the server refuses that.
    connection(const address& server, const connection_options& options);
    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;
    connection(connection&&) noexcept;
    connection& operator=(connection&&) noexcept;
    ~connection();

    /// Adds a command to what is to be sent: its name and its arguments, any bytes. Fails if it is
    /// not usable: so a command is not lost in a connection that is dead already.
    void append(std::span<const std::string_view> words);
    void append(std::initializer_list<std::string_view> words) {
        append(std::span(words.begin(), words.size()));
    }
    /// Hands all that was appended to the system.
    void send();
    /// The answer to the oldest command that has none yet; it has been sent. One that takes its
    /// time, such as WAIT, gets so much `longer`.
    [[nodiscard]] reply receive(std::chrono::milliseconds longer = {});
    /// Sends one command and waits for its answer; none is on its way.
    [[nodiscard]] reply call(std::initializer_list<std::string_view> words);

    /// How many commands wait for their answers, and how many of those, the last ones, have not
    /// been handed to the system whole. Both are still known after a failure; then those never will
    /// be.
    [[nodiscard]] std::size_t pending() const noexcept { return ends_.size(); }
    [[nodiscard]] std::size_t unsent() const noexcept;
    [[nodiscard]] bool is_open() const noexcept { return context_ != nullptr; }
    /// Whether it can be used: it is open, and if no answer is awaited the server has neither
    /// closed it nor said what it was not asked for.
    [[nodiscard]] bool is_usable() const noexcept;
    [[nodiscard]] const address& server() const noexcept { return server_; }

private:
    using clock = std::chrono::steady_clock;

    struct closer {
        void operator()(redisContext* context) const noexcept;
    };

    void log_in(const connection_options& options);
    void expect_ok(std::initializer_list<std::string_view> words);
    void wait_for(short events, clock::time_point deadline);
    /// Takes what the server has sent into the reader.
    void read_some();
    [[noreturn]] void fail(hashring::group::error_kind kind, std::string_view what);

    address server_;
    std::chrono::milliseconds timeout_{};
    std::unique_ptr<redisContext, closer> context_;
    std::string out_;              // appended and not handed over
    std::size_t appended_ = 0;     // bytes, in all
    std::deque<std::size_t> ends_; // of each command without an answer, counted as `appended_`
};

} // namespace redis_groups
