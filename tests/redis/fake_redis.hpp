// SPDX-License-Identifier: MIT
#pragma once

// A server that passes for a Redis server, and says to each command what a test tells it to say.

#include "listener.hpp"
#include "redis_groups/store/address.hpp"

#include <hashring/core/text.hpp>
#include <hashring/group/record.hpp>
#include <hashring/group/version.hpp>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace support {

/// `$size`, and the bytes.
[[nodiscard]] inline std::string bulk(std::string_view bytes) {
    return hashring::concat("$", hashring::decimal(bytes.size()), "\r\n", bytes, "\r\n");
}

/// The version that a fake master gives to everything, as it answers it.
inline constexpr hashring::group::version fake_version{1, 7, 0xabcdef};

[[nodiscard]] inline std::string version_answer() {
    std::string bytes;
    hashring::group::append_version(bytes, fake_version);
    return bulk(bytes);
}

/// A record of a value as copies hold it.
[[nodiscard]] inline std::string record_answer(std::string_view value) {
    return bulk(
        hashring::group::encode({fake_version, hashring::group::record_kind::value, 0, value}));
}

/// How a server ends an answer that it does not give whole.
enum class ending {
    closes,       ///< it closes the connection
    falls_silent, ///< it keeps it open and says nothing more on it
    drips,        ///< it says one byte every 5 ms from there on
};

/// What is said to a command, and how the connection ends behind it if it does.
struct said {
    said(std::string text) : bytes(std::move(text)) {}
    said(const char* text) : bytes(text) {}
    said(std::string text, ending ends) : bytes(std::move(text)), then(ends) {}

    std::string bytes;
    std::optional<ending> then{};
};

/// Any number of connections, each command answered at once. It is a master, or a replica that
/// follows one; it has one record under every key, and acknowledges what it is sent.
class fake_redis {
public:
    explicit fake_redis(bool is_master = true) {
        const std::string replid(40, 'a');
        answers_["INFO server"] = {bulk("# Server\r\nrun_id:" + std::string(40, 'b') + "\r\n")};
        answers_["INFO replication"] = {
            bulk((is_master ? "role:master\r\nmaster_repl_offset:10\r\nmaster_replid:"
                            : "role:slave\r\nmaster_link_status:up\r\nmaster_sync_in_progress:0\r\n"
                              "slave_repl_offset:10\r\nmaster_replid:") +
                 replid + "\r\n")};
        answers_["EVALSHA"] = {version_answer()};
        answers_["WAIT"] = {":1\r\n"};
        answers_["GET"] = {record_answer("value")};
        answers_["SCRIPT"] = {bulk(std::string(40, 'c'))};
        thread_ = std::thread([this] { serve(); });
    }
    fake_redis(const fake_redis&) = delete;
    fake_redis& operator=(const fake_redis&) = delete;
    ~fake_redis() {
        stop_ = true;
        thread_.join();
    }

    [[nodiscard]] const redis_groups::address& where() const { return listener_.where(); }

    /// Answers a command, `INFO server` and the like with their second word, with these bytes: each
    /// in its turn, the last one ever after.
    void say(const std::string& command, std::vector<said> answers) {
        const std::lock_guard lock(mutex_);
        answers_[command] = std::move(answers);
        heard_.erase(command);
    }
    /// How often it was asked since it was told what to say.
    [[nodiscard]] std::size_t heard(const std::string& command) {
        const std::lock_guard lock(mutex_);
        return heard_[command];
    }
    /// After so many bytes of all that it answers, but for INFO, it ends so, once.
    void break_off(std::size_t after, ending how = ending::closes) {
        const std::lock_guard lock(mutex_);
        left_ = after;
        how_ = how;
    }
    /// The same, of what it answers to INFO.
    void break_off_info(std::size_t after, ending how = ending::closes) {
        const std::lock_guard lock(mutex_);
        info_left_ = after;
        how_ = how;
    }
    /// It goes on as if nothing had been said of breaking off.
    void recover() {
        const std::lock_guard lock(mutex_);
        left_.reset();
        info_left_.reset();
    }

private:
    struct peer {
        int file = -1;
        std::string in{};
        bool is_silent = false;
    };

    void serve() {
        std::vector<peer> peers;
        while (!stop_) {
            std::vector<pollfd> waiting{{listener_.file(), POLLIN, 0}};
            for (const peer& each : peers) {
                waiting.push_back({each.file, POLLIN, 0});
            }
            if (::poll(waiting.data(), waiting.size(), 5) <= 0) {
                continue;
            }
            for (std::size_t i = 0; i < peers.size(); ++i) {
                if (waiting[i + 1].revents != 0 && !hear(peers[i])) {
                    ::close(peers[i].file);
                    peers[i].file = -1;
                }
            }
            std::erase_if(peers, [](const peer& each) { return each.file < 0; });
            if (waiting[0].revents != 0) {
                if (const int file = listener_.accept(); file >= 0) {
                    const int at_once = 1; // not when the client has acknowledged the last answer
                    ::setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
                    peers.push_back({file});
                }
            }
        }
        for (const peer& each : peers) {
            ::close(each.file);
        }
    }

    /// Reads and answers; false if the connection is over.
    bool hear(peer& from) {
        std::array<char, 65536> bytes{};
        const ssize_t size = ::recv(from.file, bytes.data(), bytes.size(), 0);
        if (size <= 0) {
            return false;
        }
        from.in.append(bytes.data(), static_cast<std::size_t>(size));
        while (const auto words = next_command(from.in)) {
            if (!from.is_silent && !answer(from, *words)) {
                return false;
            }
        }
        return true;
    }

    /// Takes the first command off what was read, if it is there whole.
    static std::optional<std::vector<std::string>> next_command(std::string& in) {
        std::size_t at = 0;
        const auto number = [&]() -> std::optional<std::size_t> { // behind `*` or `$`
            const std::size_t end = in.find("\r\n", at);
            if (end == std::string::npos) {
                return std::nullopt;
            }
            const std::size_t begin = std::exchange(at, end + 2) + 1;
            return hashring::parse_decimal<std::size_t>(
                std::string_view(in).substr(begin, end - begin));
        };
        std::vector<std::string> words;
        for (auto count = number(); count && words.size() < *count;) {
            const auto size = number();
            if (!size || in.size() < at + *size + 2) {
                return std::nullopt;
            }
            words.push_back(in.substr(at, *size));
            at += *size + 2;
        }
        if (words.empty()) {
            return std::nullopt;
        }
        in.erase(0, at);
        return words;
    }

    /// The next answer to a command, and how much of it is given.
    struct given {
        std::string bytes;
        std::size_t whole = 0; ///< bytes that are said at once
        std::optional<ending> then;
    };

    given next_answer(const std::vector<std::string>& words) {
        const std::lock_guard lock(mutex_);
        const bool is_info = words[0] == "INFO";
        const std::string name = words.size() > 1 && (is_info || words[0] == "SENTINEL")
                                     ? words[0] + " " + words[1]
                                     : words[0];
        const std::vector<said>& answers = answers_[name];
        const std::size_t turn = heard_[name]++;
        const said& next =
            answers.empty() ? unknown_command : answers[std::min(turn, answers.size() - 1)];
        given result{next.bytes, next.bytes.size(), next.then};
        std::optional<std::size_t>& left = is_info ? info_left_ : left_;
        if (left && *left < result.whole) {
            result.whole = *left;
            result.then = how_;
            left.reset();
        } else if (left) {
            *left -= result.whole;
        }
        return result;
    }

    /// Answers; false if the connection is over.
    bool answer(peer& to, const std::vector<std::string>& words) {
        const given next = next_answer(words);
        ::send(to.file, next.bytes.data(), next.whole, MSG_NOSIGNAL);
        to.is_silent = next.then.has_value();
        for (std::size_t i = next.whole; next.then == ending::drips && i < next.bytes.size(); ++i) {
            if (stop_ || ::send(to.file, next.bytes.data() + i, 1, MSG_NOSIGNAL) != 1) {
                return false;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return next.then != ending::closes;
    }

    inline static const said unknown_command{"-ERR unknown command\r\n"};

    std::mutex mutex_; // of what the test says
    std::map<std::string, std::vector<said>> answers_;
    std::map<std::string, std::size_t> heard_;
    std::optional<std::size_t> left_;
    std::optional<std::size_t> info_left_;
    ending how_ = ending::closes;

    listener listener_;
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

} // namespace support
