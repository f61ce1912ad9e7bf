// SPDX-License-Identifier: MIT

#include "fake_server.hpp"
#include "redis_groups/farm/free_port.hpp"
#include "redis_groups/store/connection.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"

#include <chrono>
#include <optional>
#include <string>

using hashring::group::error_kind;
using redis_groups::connection;
using redis_groups::connection_failure;
using redis_groups::connection_options;
using redis_groups::reply;
using redis_groups::reply_kind;
using support::fake_server;

namespace {

connection_options impatient() {
    connection_options options;
    options.connect_timeout = std::chrono::milliseconds(200);
    options.io_timeout = std::chrono::milliseconds(50);
    return options;
}

// What a connection makes of an answer, and the kind of its failure if it fails.
struct heard {
    std::optional<reply> answer;
    std::optional<error_kind> failure;
};

heard hear(const std::string& bytes, bool closes) {
    const fake_server server(bytes, closes);
    connection link(server.where(), impatient());
    try {
        return {link.call({"GET", "k"}), std::nullopt};
    } catch (const connection_failure& failure) {
        CHECK_FALSE(link.is_open());
        return {std::nullopt, failure.kind()};
    }
}

} // namespace

TEST_CASE("connection: answers of every kind are read as values", "[redis][golden]") {
    CHECK(hear("+OK\r\n", false).answer == reply{reply_kind::status, 0, "OK", {}});
    CHECK(hear(":-7\r\n", false).answer == reply{reply_kind::integer, -7, {}, {}});
    CHECK(hear("$-1\r\n", false).answer == reply{});
    CHECK(hear("*-1\r\n", false).answer == reply{});
    CHECK(hear("$0\r\n\r\n", false).answer == reply{reply_kind::text, 0, "", {}});
    CHECK(hear(std::string("$3\r\na\0b\r\n", 9), false).answer ==
          reply{reply_kind::text, 0, std::string("a\0b", 3), {}});
    CHECK(hear("-OOM no memory\r\n", false).answer ==
          reply{reply_kind::error, 0, "OOM no memory", {}});
    CHECK(hear("*2\r\n:1\r\n*1\r\n+x\r\n", false).answer ==
          reply{reply_kind::list,
                0,
                {},
                {reply{reply_kind::integer, 1, {}, {}},
                 reply{reply_kind::list, 0, {}, {reply{reply_kind::status, 0, "x", {}}}}}});
}

TEST_CASE("connection: what ends in the midst is closed or timed out", "[redis][law]") {
    const std::string whole = "*2\r\n$5\r\nhello\r\n:12\r\n";
    for (std::size_t length = 0; length < whole.size(); ++length) {
        CAPTURE(length);
        CHECK(hear(whole.substr(0, length), true).failure == error_kind::closed);
    }
    CHECK(hear(whole.substr(0, 9), false).failure == error_kind::timed_out);
    CHECK(hear("", false).failure == error_kind::timed_out);
    CHECK(hear("$999999999\r\nx", false).failure == error_kind::timed_out);
}

TEST_CASE("connection: what is not the protocol is said to be so", "[redis][errors]") {
    for (const char* text : {"hello\r\n", "HTTP/1.1 200 OK\r\n\r\n", "*2000000000\r\n",
                             "*1048577\r\n", ":x\r\n", "\r\n", "$x\r\n", "*-7\r\n"}) {
        CAPTURE(text);
        const heard what = hear(text, false);
        CHECK(what.failure == error_kind::bad_reply);
    }
}

TEST_CASE("connection: garbage neither crashes nor hangs it", "[redis][law]") {
    dice choices(20261130);
    const std::string alphabet = "*$:+-0123456789\r\n\r\nab\xff";
    for (int round = 0; round < 60; ++round) {
        std::string bytes;
        const std::size_t size = choices.below(40);
        for (std::size_t i = 0; i < size; ++i) {
            bytes += alphabet[choices.below(alphabet.size())];
        }
        CAPTURE(round, bytes);
        const auto start = std::chrono::steady_clock::now();
        const heard what = hear(bytes, round % 2 == 0);
        CHECK((what.answer || what.failure)); // one or the other, and soon
        CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
    }
}

TEST_CASE("connection: it is of no use once the server has closed it, or said more",
          "[redis][law]") {
    SECTION("closed") {
        const fake_server server("+OK\r\n", true);
        connection link(server.where(), impatient());
        CHECK(link.call({"PING"}).text == "OK");
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        CHECK_FALSE(link.is_usable());
        CHECK_THROWS_AS(link.append({"PING"}), connection_failure);
        CHECK(link.pending() == 0);
    }
    SECTION("an answer to nothing") {
        const fake_server server("+OK\r\n+more\r\n", false);
        connection link(server.where(), impatient());
        CHECK(link.call({"PING"}).text == "OK");
        CHECK_FALSE(link.is_usable());
        CHECK_THROWS_AS(link.append({"PING"}), connection_failure);
    }
}

TEST_CASE("connection: after a failure it is known what was never sent", "[redis][law]") {
    const fake_server server("", false); // it accepts and says nothing
    connection link(server.where(), impatient());
    link.append({"PING"});
    link.append({"PING"});
    CHECK(link.pending() == 2);
    CHECK(link.unsent() == 2);
    link.send();
    CHECK(link.unsent() == 0);
    CHECK_THROWS_AS(link.receive(), connection_failure);
    CHECK(link.pending() == 2);
    CHECK(link.unsent() == 0); // both may have been executed
    const fake_server hangs_up("", true);
    link = connection(hangs_up.where(), impatient());
    const std::string large(std::size_t{64} << 20U, 'x'); // more than a socket takes
    link.append({"PING"});
    link.append({"SET", "k", large});
    link.append({"PING"});
    CHECK_THROWS_AS(link.send(), connection_failure);
    CHECK(link.pending() == 3);
    CHECK(link.unsent() == 2); // the first has left
}

TEST_CASE("connection: where nobody listens it is never made", "[redis][errors]") {
    try {
        const connection link({"127.0.0.1", redis_groups::free_port()}, impatient());
        FAIL("connected to nobody");
    } catch (const connection_failure& failure) {
        CHECK(failure.kind() == error_kind::connect_failed);
        CHECK(std::string(failure.what()).find("127.0.0.1:") == 0);
    }
}
