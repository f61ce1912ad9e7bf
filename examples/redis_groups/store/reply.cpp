// SPDX-License-Identifier: MIT

#include "reply.hpp"

#include <hiredis/hiredis.h>

namespace redis_groups {

namespace {

reply text_reply(reply_kind kind, const redisReply& from) {
    return {kind, 0, std::string(from.str, static_cast<std::size_t>(from.len)), {}};
}

} // namespace

reply copy_reply(const redisReply& from) {
    switch (from.type) {
    case REDIS_REPLY_STRING:
        return text_reply(reply_kind::text, from);
    case REDIS_REPLY_STATUS:
        return text_reply(reply_kind::status, from);
    case REDIS_REPLY_ERROR:
        return text_reply(reply_kind::error, from);
    case REDIS_REPLY_INTEGER:
        return {reply_kind::integer, from.integer, {}, {}};
    case REDIS_REPLY_NIL:
        return {};
    case REDIS_REPLY_ARRAY: {
        reply list{reply_kind::list, 0, {}, {}};
        list.items.reserve(from.elements);
        for (std::size_t i = 0; i < from.elements; ++i) {
            list.items.push_back(copy_reply(*from.element[i]));
        }
        return list;
    }
    default:
        return {reply_kind::error, 0, "a reply of an unknown kind", {}};
    }
}

std::string_view field(const reply& names_and_values, std::string_view name) noexcept {
    const auto& items = names_and_values.items;
    for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
        if (items[i].text == name) {
            return items[i + 1].text;
        }
    }
    return {};
}

std::string_view info_field(std::string_view info, std::string_view name) noexcept {
    while (!info.empty()) {
        const std::size_t end = info.find('\n');
        std::string_view line = info.substr(0, end);
        info.remove_prefix(end == std::string_view::npos ? info.size() : end + 1);
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        if (line.starts_with(name) && line.substr(name.size()).starts_with(':')) {
            return line.substr(name.size() + 1);
        }
    }
    return {};
}

} // namespace redis_groups
