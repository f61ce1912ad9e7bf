// SPDX-License-Identifier: MIT

#include "connection.hpp"

#include "reply_limits.hpp"

#include <hashring/core/text.hpp>
#include <hashring/group/server_error.hpp>

#include <hiredis/hiredis.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

namespace redis_groups {

using hashring::concat;
using hashring::decimal;
using hashring::group::error_kind;

namespace {

timeval as_timeval(std::chrono::milliseconds time) {
    timeval result{};
    result.tv_sec = time.count() / 1000;
    result.tv_usec = static_cast<suseconds_t>(time.count() % 1000 * 1000);
    return result;
}

std::string system_text(int error) {
    return std::generic_category().message(error);
}

void append_word(std::string& out, std::string_view word) {
    out += '$';
    hashring::append_decimal(out, word.size());
    out += "\r\n";
    out += word;
    out += "\r\n";
}

struct reply_freer {
    void operator()(void* r) const noexcept { freeReplyObject(r); }
};

} // namespace

void connection::closer::operator()(redisContext* context) const noexcept {
    redisFree(context);
}

connection::connection(const address& server, const connection_options& options)
    : server_(server), timeout_(options.io_timeout) {
    context_.reset(redisConnectWithTimeout(server.host.c_str(), server.port,
                                           as_timeval(options.connect_timeout)));
    if (context_ == nullptr || context_->err != 0) {
        fail(error_kind::connect_failed,
             context_ == nullptr ? "out of memory" : std::string_view(context_->errstr));
    }
    context_->reader->fn = limited_functions(context_->reader->fn);
    log_in(options);
}

connection::connection(connection&&) noexcept = default;
connection& connection::operator=(connection&&) noexcept = default;
connection::~connection() = default;

void connection::log_in(const connection_options& options) {
    if (!options.password.empty() && !options.user.empty()) {
        expect_ok({"AUTH", options.user, options.password});
    } else if (!options.password.empty()) {
        expect_ok({"AUTH", options.password});
    }
    if (options.database != 0) {
        expect_ok({"SELECT", decimal(options.database)});
    }
}

void connection::expect_ok(std::initializer_list<std::string_view> words) {
    const reply answer = call(words);
    if (answer.is_error()) {
        throw server_failure(hashring::group::server_error(answer.text),
                             concat(describe(server_), ": ", *words.begin(), ": ", answer.text));
    }
}

bool connection::is_usable() const noexcept {
    if (!is_open() || !ends_.empty()) {
        return is_open();
    }
    pollfd waiting{context_->fd, POLLIN, 0};
    return context_->reader->len == context_->reader->pos && ::poll(&waiting, 1, 0) == 0;
}

void connection::append(std::span<const std::string_view> words) {
    if (!is_usable()) {
        fail(error_kind::closed,
             "the server has closed the connection, or says what was not asked");
    }
    const std::size_t before = out_.size();
    out_ += '*';
    hashring::append_decimal(out_, words.size());
    out_ += "\r\n";
    for (const std::string_view word : words) {
        append_word(out_, word);
    }
    appended_ += out_.size() - before;
    ends_.push_back(appended_);
}

std::size_t connection::unsent() const noexcept {
    const std::size_t handed_over = appended_ - out_.size();
    return static_cast<std::size_t>(std::count_if(
        ends_.begin(), ends_.end(), [&](std::size_t end) { return end > handed_over; }));
}

void connection::wait_for(short events, clock::time_point deadline) {
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock::now());
        pollfd waiting{context_->fd, events, 0};
        const int ready =
            left.count() > 0 ? ::poll(&waiting, 1, static_cast<int>(left.count())) : 0;
        if (ready > 0) {
            return;
        }
        if (ready == 0) {
            fail(error_kind::timed_out, concat("no answer in ", decimal(timeout_.count()), " ms"));
        }
        if (errno != EINTR) {
            fail(error_kind::closed, system_text(errno));
        }
    }
}

void connection::send() {
    const auto deadline = clock::now() + timeout_;
    std::size_t done = 0;
    const auto keep_rest = [&] { // also if it fails: what was handed over decides what may be done
        out_.erase(0, std::exchange(done, 0));
    };
    while (done < out_.size()) {
        if (!is_open()) {
            throw connection_failure(error_kind::closed, "the connection is closed");
        }
        const ssize_t sent = ::send(context_->fd, out_.data() + done, out_.size() - done,
                                    MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent >= 0) {
            done += static_cast<std::size_t>(sent);
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            keep_rest();
            wait_for(POLLOUT, deadline);
        } else if (errno != EINTR) {
            const int error = errno;
            keep_rest();
            fail(error_kind::closed, system_text(error));
        }
    }
    keep_rest();
}

void connection::read_some() {
    std::array<char, std::size_t{16} * 1024> bytes; // NOLINT(*-member-init): filled by `recv`
    const ssize_t size = ::recv(context_->fd, bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (size == 0) {
        fail(error_kind::closed, "the server closed the connection");
    }
    if (size < 0 && errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK) {
        fail(error_kind::closed, system_text(errno));
    }
    if (size > 0 && redisReaderFeed(context_->reader, bytes.data(),
                                    static_cast<std::size_t>(size)) != REDIS_OK) {
        fail(error_kind::bad_reply, context_->reader->errstr);
    }
}

reply connection::receive(std::chrono::milliseconds longer) {
    if (!is_open()) {
        throw connection_failure(error_kind::closed, "the connection is closed");
    }
    const auto deadline = clock::now() + timeout_ + longer;
    for (;;) {
        void* raw = nullptr;
        if (redisReaderGetReply(context_->reader, &raw) != REDIS_OK) {
            fail(error_kind::bad_reply, context_->reader->errstr);
        }
        if (raw != nullptr) {
            const std::unique_ptr<void, reply_freer> freed(raw);
            ends_.pop_front();
            return copy_reply(*static_cast<const redisReply*>(raw));
        }
        if (is_overlong(*context_->reader)) {
            fail(error_kind::bad_reply, "the answer is longer than any that was asked for");
        }
        wait_for(POLLIN, deadline);
        read_some();
    }
}

reply connection::call(std::initializer_list<std::string_view> words) {
    append(words);
    send();
    return receive();
}

void connection::fail(error_kind kind, std::string_view what) {
    const std::string text = concat(describe(server_), ": ", what);
    context_.reset();
    throw connection_failure(kind, text);
}

} // namespace redis_groups
