// SPDX-License-Identifier: MIT

#include "restoring.hpp"

#include "reply_check.hpp"

#include <hashring/core/text.hpp>

#include <algorithm>
#include <cstdint>

namespace redis_groups {

namespace {

/// What `PTTL` says of a key that is not there.
constexpr std::int64_t no_such_key = -2;

} // namespace

bool restore_if_absent(connection& from, connection& to, std::string_view key) {
    const reply left = from.call({"PTTL", key});
    const reply dump = from.call({"DUMP", key});
    check(left);
    check(dump);
    if (dump.is_nil() || left.number == no_such_key) {
        return false; // it has expired
    }
    // To RESTORE, 0 is for ever.
    const std::int64_t ttl = left.number < 0 ? 0 : std::max<std::int64_t>(left.number, 1);
    const reply restored = to.call({"RESTORE", key, hashring::decimal(ttl), dump.text});
    if (restored.text.starts_with("BUSYKEY")) { // something newer is there
        return false;
    }
    check(restored);
    return true;
}

} // namespace redis_groups
