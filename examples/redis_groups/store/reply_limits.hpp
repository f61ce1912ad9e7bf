// SPDX-License-Identifier: MIT
#pragma once

#include <hiredis/hiredis.h>

#include <cstddef>
#include <string_view>

/// \file
/// What an answer may announce before memory is set aside for it.

namespace redis_groups {

/// More elements than any answer to what is asked here has: those of a list, times those of the
/// lists around it.
inline constexpr std::size_t most_elements = std::size_t{1} << 20U;

/// No answer to what is asked here has more lists in each other.
inline constexpr std::size_t most_nested_lists = 4;

/// How long an answer may become before it is taken for garbage.
struct answer_limits {
    std::size_t line_bytes = std::size_t{64} << 10U;  ///< of an error, a status or a number
    std::size_t text_bytes = std::size_t{512} << 20U; ///< of a value: no server keeps longer ones
};

/// Whether what waits in `reader`, behind the answers that were taken, is longer than any answer.
/// A line that has no end yet is searched from its start each time that more of it comes.
[[nodiscard]] inline bool is_overlong(const redisReader& reader, const answer_limits& limits = {}) {
    const std::string_view waiting(reader.buf + reader.pos, reader.len - reader.pos);
    const std::string_view line = waiting.substr(0, limits.line_bytes + 1);
    return waiting.size() > limits.text_bytes + limits.line_bytes ||
           (line.size() > limits.line_bytes && line.find('\n') == std::string_view::npos);
}

namespace detail {

inline const redisReplyObjectFunctions* plain_functions = nullptr;

/// Whether a list of `count` elements may stand where `task` reads it.
[[nodiscard]] inline bool may_be_listed(const redisReadTask* task, std::size_t count) {
    std::size_t room = most_elements / (count == 0 ? 1 : count);
    std::size_t lists = 1;
    for (const redisReadTask* around = task->parent; around != nullptr; around = around->parent) {
        const auto elements = static_cast<std::size_t>(around->elements);
        room /= elements == 0 ? 1 : elements;
        ++lists;
    }
    return room > 0 && lists <= most_nested_lists;
}

template <class Count> // `int` in hiredis 0.14, `size_t` from 1.0 on
void* create_limited_array(const redisReadTask* task, Count count) {
    const bool fits = may_be_listed(task, static_cast<std::size_t>(count));
    return fits ? plain_functions->createArray(task, count) : nullptr;
}

} // namespace detail

/// hiredis' functions for making replies, which refuse a list that is longer or deeper in others
/// than any answer: a server that announces it sends garbage.
[[nodiscard]] inline redisReplyObjectFunctions*
limited_functions(const redisReplyObjectFunctions* plain) {
    static redisReplyObjectFunctions limited = [plain] {
        detail::plain_functions = plain;
        redisReplyObjectFunctions result = *plain;
        result.createArray = detail::create_limited_array;
        return result;
    }();
    return &limited;
}

} // namespace redis_groups
