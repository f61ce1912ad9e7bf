// SPDX-License-Identifier: MIT

#include "redis_groups/store/client.hpp"
#include "redis_groups/store/script_texts.hpp"
#include "running_groups.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using redis_groups::client;
using redis_groups::read_state;
using redis_groups::read_value;
using redis_groups::write_request;
using support::running_groups;
using support::undone;

namespace {

constexpr std::uint64_t seed = 7;
constexpr std::size_t longest = std::size_t{512} * 1024;

void append_bytes(std::string& to, std::size_t size, dice& choices) {
    for (std::size_t i = 0; i < size; ++i) {
        to += static_cast<char>(choices.below(256));
    }
}

// Keys that break what is careless with texts, no two alike.
std::vector<std::string> hostile_keys(std::size_t count) {
    std::vector<std::string> keys = {
        "",
        std::string(1, '\0'),
        std::string("a\0b", 3),
        "\r\n",
        "\n",
        "*1\r\n$4\r\nPING\r\n",
        "$-1\r\n",
        " ",
        "%s%b%n",
        "{}",
        "{a}b",
        "{",
        "\xff\xfe\xc0",     // never in UTF-8
        "\xed\xa0\x80",     // half of a surrogate pair
        "\xf4\x90\x80\x80", // beyond the last character
        "\xc0\x80",         // an overlong NUL
        "\xe2\x82",         // cut off
        "\xf7h\x01\x01",    // as a record of ours begins
    };
    keys.push_back(std::string(redis_groups::version_key) + 'x');
    keys.push_back(std::string(redis_groups::version_key) + '\0');
    dice choices(seed);
    for (std::size_t size = 64; size <= longest; size *= 2) { // each power of two, and around it
        for (const std::size_t length : {size - 1, size, size + 1}) {
            std::string key;
            append_bytes(key, std::min(length, longest), choices);
            keys.push_back(key);
        }
    }
    while (keys.size() < count) {
        std::string key = hashring::decimal(keys.size());
        append_bytes(key, choices.below(40), choices);
        keys.push_back(key);
    }
    return keys;
}

} // namespace

TEST_CASE("redis: keys and values of any bytes come back as they were, and go when deleted",
          "[redis][law]") {
    running_groups groups(2, 1);
    client both(groups.specs(), {});
    CAPTURE(seed);
    const std::vector<std::string> keys = hostile_keys(10'000);
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    std::vector<write_request> writes;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        writes.push_back({keys[i], keys[keys.size() - 1 - i]}); // each one's value is another one
    }
    CHECK(undone(both.write_many(writes)) == 0);
    const std::vector<read_value> values = both.read_many(views);
    std::size_t wrong = 0;
    std::size_t unsettled = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        wrong += values[i].is_found() && values[i].value == writes[i].value ? 0U : 1U;
        unsettled += values[i].is_settled ? 0U : 1U;
    }
    CHECK(wrong == 0);
    CHECK(unsettled == 0);
    CHECK(both.key_counts()[0] + both.key_counts()[1] == keys.size());

    for (write_request& each : writes) {
        each = {
            each.key, {}, hashring::group::record_kind::tombstone, redis_groups::now_ms() + 60'000};
    }
    CHECK(undone(both.write_many(writes)) == 0);
    std::size_t still_there = 0;
    for (const read_value& value : both.read_many(views)) {
        still_there += value.state == read_state::absent ? 0U : 1U;
    }
    CHECK(still_there == 0);
}

TEST_CASE("redis: one hostile key after the other is written, read and deleted", "[redis][law]") {
    running_groups groups(2, 0);
    client both(groups.specs(), {});
    const std::vector<std::string> keys = hostile_keys(80);
    for (const std::string& key : keys) {
        CAPTURE(key.size(), key.substr(0, 30));
        CHECK(both.get(key).state == read_state::absent);
        CHECK(both.set(key, key).is_done());
        CHECK(both.get(key).value == key);
        CHECK(both.erase(key).is_done());
        CHECK(both.get(key).state == read_state::absent);
    }
}
