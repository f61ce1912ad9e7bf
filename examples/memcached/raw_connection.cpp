// SPDX-License-Identifier: MIT

#include "raw_connection.hpp"

#include <hashring/core/text.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace memcached {

using hashring::concat;

namespace {

constexpr std::size_t sent_together = std::size_t{64} * 1024;
constexpr std::size_t asked_together = 100;

sockaddr_in socket_address(const redis_groups::address& server) {
    sockaddr_in result{};
    result.sin_family = AF_INET;
    result.sin_port = htons(server.port);
    if (::inet_pton(AF_INET, server.host.c_str(), &result.sin_addr) != 1) {
        throw std::runtime_error(concat("'", server.host, "' is no IPv4 address"));
    }
    return result;
}

std::string system_text() {
    return std::generic_category().message(errno);
}

} // namespace

raw_connection::raw_connection(const redis_groups::address& server) : server_(server) {
    const sockaddr_in where = socket_address(server);
    file_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const timeval patience{5, 0};
    if (file_ < 0 ||
        ::setsockopt(file_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) != 0 ||
        ::setsockopt(file_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience) != 0 ||
        ::connect(file_, reinterpret_cast<const sockaddr*>(&where), sizeof where) != 0) {
        const std::string why = system_text();
        ::close(std::exchange(file_, -1));
        fail(why);
    }
}

raw_connection::raw_connection(raw_connection&& other) noexcept
    : server_(std::move(other.server_)),
      file_(std::exchange(other.file_, -1)),
      out_(std::move(other.out_)),
      in_(std::move(other.in_)),
      at_(other.at_) {}

raw_connection::~raw_connection() {
    if (file_ >= 0) {
        ::close(file_);
    }
}

void raw_connection::set(std::string_view key, std::string_view value) {
    out_ += concat("set ", key, " 0 0 ", hashring::decimal(value.size()), " noreply\r\n");
    out_ += value;
    out_ += "\r\n";
    if (out_.size() >= sent_together) {
        send();
    }
}

void raw_connection::finish() {
    out_ += "version\r\n";
    send();
    const std::string line = read_line();
    if (!line.starts_with("VERSION ")) { // an error of what came before
        fail(line);
    }
}

std::size_t raw_connection::count(std::span<const std::string> keys) {
    std::size_t found = 0;
    while (!keys.empty()) {
        const std::size_t some = std::min(keys.size(), asked_together);
        out_ += "get";
        for (const std::string& key : keys.first(some)) {
            out_ += concat(" ", key);
        }
        out_ += "\r\n";
        send();
        keys = keys.subspan(some);
        for (std::string line = read_line(); line != "END"; line = read_line()) {
            const auto size = hashring::parse_decimal<std::size_t>(
                std::string_view(line).substr(line.rfind(' ') + 1));
            if (!line.starts_with("VALUE ") || !size) {
                fail(line);
            }
            read_bytes(*size + 2);
            ++found;
        }
    }
    return found;
}

void raw_connection::send() {
    std::size_t done = 0;
    while (done < out_.size()) {
        const ssize_t sent = ::send(file_, out_.data() + done, out_.size() - done, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) {
            fail(system_text());
        }
        done += static_cast<std::size_t>(std::max<ssize_t>(sent, 0));
    }
    out_.clear();
}

void raw_connection::read_more() {
    in_.erase(0, std::exchange(at_, 0));
    std::array<char, std::size_t{16} * 1024> bytes; // NOLINT(*-member-init): filled by `recv`
    const ssize_t size = ::recv(file_, bytes.data(), bytes.size(), 0);
    if (size == 0) {
        fail("the server closed the connection");
    }
    if (size < 0 && errno != EINTR) {
        fail(system_text());
    }
    in_.append(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
}

std::string raw_connection::read_line() {
    std::size_t end = 0;
    while ((end = in_.find("\r\n", at_)) == std::string::npos) {
        read_more();
    }
    std::string line = in_.substr(at_, end - at_);
    at_ = end + 2;
    return line;
}

void raw_connection::read_bytes(std::size_t size) {
    while (in_.size() - at_ < size) {
        read_more();
    }
    at_ += size;
}

void raw_connection::fail(std::string_view what) const {
    throw std::runtime_error(concat(describe(server_), ": ", what));
}

bool answers(const redis_groups::address& server) {
    try {
        raw_connection(server).finish();
        return true;
    } catch (const std::runtime_error&) {
        return false;
    }
}

} // namespace memcached
