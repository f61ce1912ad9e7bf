// SPDX-License-Identifier: MIT
#pragma once

// What a broken server may say, and how a client is expected to come out of it.

#include "fake_group.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <hashring/group/outcome.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace support {

inline constexpr std::uint64_t garbage_seed = 20261130;

// Whether `what` ends within that time.
template <class Function>
bool ends_within(std::chrono::milliseconds time, Function what) {
    const auto start = std::chrono::steady_clock::now();
    what();
    return std::chrono::steady_clock::now() - start < time;
}

// All that a client can do with a group, with an outcome or a reason in the end.
struct all_of_it {
    std::vector<redis_groups::write_result> writes{};
    std::vector<redis_groups::read_value> reads{};
};

inline all_of_it do_all(redis_groups::client& with) {
    all_of_it result;
    const std::vector<redis_groups::write_request> two = {{"a", "1"}, {"b", "2"}};
    const std::vector<std::string_view> keys = {"a", "b"};
    result.writes = with.write_many(two);
    result.writes.push_back(with.set("k", "v"));
    result.writes.push_back(with.erase("k"));
    result.reads = with.read_many(keys);
    result.reads.push_back(with.get("k"));
    return result;
}

// Nothing is done or found, and everything has its reason.
inline void expect_nothing_done(const all_of_it& what, hashring::test::mismatches& wrong,
                                std::string_view where) {
    for (const redis_groups::write_result& each : what.writes) {
        wrong.expect(!each.is_done() && !each.why.empty(), where, describe(each.what), each.why);
    }
    for (const redis_groups::read_value& each : what.reads) {
        wrong.expect(each.state == redis_groups::read_state::failed && !each.why.empty(), where,
                     each.why);
    }
}

// What looks like the protocol here and there: its beginnings, lengths that are huge or negative,
// lists in lists, halves of answers, and any bytes.
inline std::string garbage(dice& choices) {
    static const std::vector<std::string> parts = {
        "*",
        "$",
        ":",
        "-",
        "+",
        "\r\n",
        "\n",
        "\r",
        "0",
        "1",
        "7",
        "24",
        "-1",
        "-2",
        "$2147483647\r\n",
        "$9223372036854775807\r\n",
        "$18446744073709551616\r\n",
        "$-2\r\n",
        "*1048576\r\n",
        "*1048577\r\n",
        "*2147483647\r\n",
        "*-2\r\n",
        "*1\r\n",
        "*0\r\n",
        "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n",
        "$5\r\nhel",
        "$5\r\nhelloXX",
        "$3\r\nabc\r\n",
        "+OK\r\n",
        ":99999999999999999999\r\n",
        ":-9223372036854775808\r\n",
        "HTTP/1.1 400 Bad Request\r\n\r\n",
        "%1\r\n",
        "_\r\n",
        "#t\r\n",
        ",1.5\r\n",
        ">2\r\n"};
    std::string bytes;
    for (std::uint64_t count = 1 + choices.below(6); count > 0; --count) {
        if (choices.below(3) == 0) {
            for (std::uint64_t left = choices.below(12); left > 0; --left) {
                bytes += static_cast<char>(choices.below(256));
            }
        } else {
            bytes += choices.pick(parts);
        }
    }
    return bytes;
}

// Every so many-th answer is not followed by the end of the connection, which takes until a
// timeout.
inline ending ending_of(int round) {
    return round % 20 == 0 ? ending::falls_silent : ending::closes;
}

inline redis_groups::settings patience_of(int round) {
    return waiting(ending_of(round) == ending::closes ? long_enough
                                                      : std::chrono::milliseconds(20));
}

} // namespace support
