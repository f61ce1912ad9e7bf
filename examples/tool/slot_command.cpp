// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "failure.hpp"
#include "json.hpp"
#include "keys.hpp"

#include <hashring/compat/redis_slot.hpp>

#include <functional>

namespace tool {

namespace {

/// Takes a key as it is shown, and its slot.
using use_slot = std::function<void(std::string_view shown, std::uint32_t slot)>;

void for_each_given(const request& asked, const use_slot& use) {
    for (const std::string& given : asked.given_keys) {
        const std::string bytes = key_bytes(given, asked.hex);
        use(asked.hex ? encode_hex(bytes) : bytes, hashring::compat::redis_slot(bytes));
    }
}

void for_each_read(key_reader& keys, const use_slot& use) {
    while (keys.next()) {
        use(keys.shown(), hashring::compat::redis_slot(keys.bytes()));
    }
}

/// Calls `use` for the keys that were asked for, in order.
void for_each_slot(const request& asked, bool output_follows, const use_slot& use) {
    if (asked.given_keys.empty()) {
        key_reader keys(asked.keys.value_or("-"), asked.hex, output_follows);
        for_each_read(keys, use);
    } else {
        for_each_given(asked, use);
    }
}

void stream_slots(const request& asked, output& out) {
    try {
        for_each_slot(asked, false, [&](std::string_view shown, std::uint32_t slot) {
            out << shown << '\t' << decimal(slot) << '\n';
        });
    } catch (const usage_failure&) {
        out.flush(); // the keys before the bad one have their lines
        throw;
    }
}

} // namespace

void slot_command(const request& asked, output& out) {
    const format as = parse_format(asked.format.value_or("tsv"));
    if (!asked.given_keys.empty() && asked.keys) {
        throw usage_failure("keys are given by --keys or one by one, not both");
    }
    if (as == format::tsv) { // streamed, as `place` does
        stream_slots(asked, out);
        return;
    }
    grid g{{"key", "slot"}, {}, {}};
    json slots = json::array();
    for_each_slot(asked, true, [&](std::string_view shown, std::uint32_t slot) {
        if (as == format::table) {
            g.rows.push_back({std::string(shown), decimal(slot)});
        } else {
            slots.push_back({{"key", shown}, {"slot", slot}});
        }
    });
    if (as == format::table) {
        print_table(g, out);
    } else {
        print_json({{"slots", std::move(slots)}}, out);
    }
}

} // namespace tool
