// SPDX-License-Identifier: MIT
#pragma once

#include "fuzz/fuzz.hpp"
#include "redis_groups/store/address.hpp"
#include "redis_groups/store/observation.hpp"
#include "redis_groups/store/reply.hpp"
#include "redis_groups/store/reply_limits.hpp"
#include "redis_groups/store/sentinel.hpp"

#include <hashring/group/record.hpp>
#include <hashring/group/server_error.hpp>
#include <hashring/group/version.hpp>

#include <hiredis/hiredis.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz {

namespace detail {

using redis_groups::reply;

/// What a server said: its answers, and whether it broke the protocol behind them.
struct heard {
    std::vector<reply> answers{};
    bool is_broken = false;

    friend bool operator==(const heard&, const heard&) = default;
};

/// Takes what is whole; false once the reader is of no more use.
inline bool take_answers(redisReader* reader, heard& all) {
    for (;;) {
        void* raw = nullptr;
        if (redisReaderGetReply(reader, &raw) != REDIS_OK) {
            return false;
        }
        if (raw == nullptr) {
            return true;
        }
        const std::unique_ptr<void, void (*)(void*)> freed(raw, freeReplyObject);
        all.answers.push_back(redis_groups::copy_reply(*static_cast<const redisReply*>(raw)));
    }
}

/// The answers in `bytes` as they come in pieces of `piece` bytes.
inline heard listen(std::string_view bytes, std::size_t piece) {
    const std::unique_ptr<redisReader, void (*)(redisReader*)> reader(redisReaderCreate(),
                                                                      redisReaderFree);
    reader->fn = redis_groups::limited_functions(reader->fn);
    heard all;
    for (std::size_t at = 0; at < bytes.size() && !all.is_broken; at += piece) {
        const std::string_view part = bytes.substr(at, piece);
        all.is_broken = redisReaderFeed(reader.get(), part.data(), part.size()) != REDIS_OK ||
                        !take_answers(reader.get(), all) || redis_groups::is_overlong(*reader);
    }
    return all;
}

inline std::size_t nesting(const reply& answer) {
    std::size_t most = 0;
    for (const reply& item : answer.items) {
        most = std::max(most, nesting(item));
    }
    return most + (answer.kind == redis_groups::reply_kind::list ? 1U : 0U);
}

inline void read_record(std::string_view bytes) {
    namespace group = hashring::group;
    const group::decoded found = group::decode(bytes);
    expect(!found || group::encode(found.record) == bytes, "a record is written as it was read");
    const auto version = group::read_version(bytes);
    std::string written;
    if (version) {
        group::append_version(written, *version);
    }
    expect(!version || written == bytes, "a version is written as it was read");
    expect(!group::origin_of(bytes) || bytes.size() >= 16, "an origin has its digits");
    static_cast<void>(group::server_error(bytes));
}

inline void read_address(std::string_view text) {
    try {
        const redis_groups::address where = redis_groups::parse_address(text);
        expect(!where.host.empty() && where.port != 0, "an address is one");
        expect(redis_groups::parse_address(redis_groups::describe(where)) == where,
               "an address reads as it is described");
    } catch (const std::invalid_argument& reason) {
        expect(reason.what()[0] == '\'', "an error quotes what is no address");
    }
}

inline void use(const reply& one, const reply& other) {
    const redis_groups::observation seen = redis_groups::read_observation(one, other);
    expect(!seen.answers || (!seen.run_id.empty() && !seen.history.empty()),
           "who answers has a name and a history");
    const auto where = redis_groups::read_sighting(one, other);
    expect(!where || (!where->master.host.empty() && where->master.port != 0),
           "a master that is seen has an address");
    read_record(one.text);
    read_address(one.text);
    for (const reply& item : one.items) {
        read_record(item.text);
        read_address(item.text);
    }
}

} // namespace detail

/// Whatever a server says, in whichever pieces: the same answers, and a meaning for each.
inline void redis_replies(std::string_view bytes) {
    drawn choice(bytes);
    const std::size_t piece = 1 + choice.below(32);
    const std::string_view said = choice.rest();
    const detail::heard all = detail::listen(said, said.size() + 1);
    expect(detail::listen(said, piece) == all, "pieces do not change what is heard");
    for (std::size_t i = 0; i < all.answers.size(); ++i) {
        expect(detail::nesting(all.answers[i]) <= redis_groups::most_nested_lists,
               "no list is deeper than any that is asked for");
        detail::use(all.answers[i], all.answers[(i + 1) % all.answers.size()]);
    }
}

} // namespace fuzz
