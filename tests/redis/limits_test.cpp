// SPDX-License-Identifier: MIT
#include "redis_groups/store/reply_limits.hpp"
#include "support/catch.hpp"

#include <hashring/core/text.hpp>

#include <hiredis/hiredis.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

using hashring::concat;
using hashring::decimal;
using redis_groups::answer_limits;

namespace {

using reader_ptr = std::unique_ptr<redisReader, void (*)(redisReader*)>;

reader_ptr fed(std::string_view bytes) {
    reader_ptr reader(redisReaderCreate(), redisReaderFree);
    reader->fn = redis_groups::limited_functions(reader->fn);
    REQUIRE(redisReaderFeed(reader.get(), bytes.data(), bytes.size()) == REDIS_OK);
    return reader;
}

// Whether what `bytes` say is not refused: they are an answer, or its beginning.
bool is_taken(std::string_view bytes) {
    const reader_ptr reader = fed(bytes);
    void* raw = nullptr;
    const bool taken = redisReaderGetReply(reader.get(), &raw) == REDIS_OK;
    if (raw != nullptr) {
        freeReplyObject(raw);
    }
    return taken;
}

std::string nested(std::size_t lists) {
    std::string text;
    for (std::size_t i = 0; i < lists; ++i) {
        text += "*1\r\n";
    }
    return text + ":1\r\n";
}

bool is_overlong(std::string_view bytes, const answer_limits& limits) {
    const reader_ptr reader = fed(bytes);
    void* raw = nullptr;
    CHECK(redisReaderGetReply(reader.get(), &raw) == REDIS_OK);
    CHECK(raw == nullptr);
    return redis_groups::is_overlong(*reader, limits);
}

} // namespace

TEST_CASE("answer limits: at most four lists stand in each other", "[redis][limits]") {
    CHECK(is_taken(nested(3)));
    CHECK(is_taken(nested(4)));
    CHECK_FALSE(is_taken(nested(5)));
}

TEST_CASE("answer limits: a list has at most 2^20 elements, those of lists in it counted",
          "[redis][limits]") {
    const std::size_t most = std::size_t{1} << 20U;
    const auto list = [](std::size_t count) {
        return concat("*", decimal(count), "\r\n");
    };
    CHECK(is_taken(list(most - 1)));
    CHECK(is_taken(list(most)));
    CHECK_FALSE(is_taken(list(most + 1)));
    CHECK(is_taken(concat(list(2), list(most / 2))));
    CHECK_FALSE(is_taken(concat(list(2), list(most / 2 + 1))));
    CHECK(is_taken(concat(list(1024), list(1024))));
    CHECK_FALSE(is_taken(concat(list(1024), list(1025))));
    CHECK_FALSE(is_taken(concat(list(1024), ":1\r\n", list(2), list(513))));
    CHECK(is_taken("*0\r\n"));
    CHECK(is_taken("*-1\r\n"));
}

TEST_CASE("answer limits: a line without an end is at most 64 KiB long", "[redis][limits]") {
    const answer_limits limits;
    CHECK(limits.line_bytes == 65536);
    for (const char* kind : {"+", "-", ":", "$", "*"}) {
        CAPTURE(kind);
        CHECK_FALSE(is_overlong(concat(kind, std::string(65535, '1')), limits));
        CHECK_FALSE(is_overlong(concat(kind, std::string(65536, '1')), limits));
        CHECK(is_overlong(concat(kind, std::string(65537, '1')), limits));
    }
    CHECK_FALSE(is_overlong(concat("$200000\r\n", std::string(100'000, 'x')), limits));
}

TEST_CASE("answer limits: a value is at most 512 MiB long", "[redis][limits]") {
    CHECK(answer_limits{}.text_bytes == 536870912);
    const answer_limits small{100, 1000};
    const auto value = [](std::size_t bytes) { // with the five bytes of its length
        return concat("$9999\r\n", std::string(bytes - 6, 'x'));
    };
    CHECK_FALSE(is_overlong(value(1099), small));
    CHECK_FALSE(is_overlong(value(1100), small));
    CHECK(is_overlong(value(1101), small));
}
