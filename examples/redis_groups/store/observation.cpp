// SPDX-License-Identifier: MIT

#include "observation.hpp"

#include <algorithm>

namespace redis_groups {

namespace {

std::uint64_t as_offset(const reply& number) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(number.number, 0));
}

std::optional<observation> read_master(const reply& role) {
    if (!role.items[1].is_number()) {
        return std::nullopt;
    }
    observation result;
    result.is_master = true;
    result.offset = as_offset(role.items[1]);
    return result;
}

// "slave", the master's host and port, the state of the link, the offset.
std::optional<observation> read_replica(const reply& role) {
    if (role.items.size() < 5 || !role.items[2].is_number() || !role.items[4].is_number()) {
        return std::nullopt;
    }
    observation result;
    result.follows = {role.items[1].text, static_cast<std::uint16_t>(role.items[2].number)};
    result.is_connected = role.items[3].text == "connected";
    result.offset = as_offset(role.items[4]);
    return result;
}

} // namespace

std::optional<observation> read_observation(const reply& role, const reply& info) {
    if (role.kind != reply_kind::list || role.items.size() < 2 || !info.is_text()) {
        return std::nullopt;
    }
    std::optional<observation> result;
    if (role.items[0].text == "master") {
        result = read_master(role);
    } else if (role.items[0].text == "slave") {
        result = read_replica(role);
    }
    if (result) {
        result->run_id = info_field(info.text, "run_id");
    }
    return result;
}

} // namespace redis_groups
