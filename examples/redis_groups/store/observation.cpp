// SPDX-License-Identifier: MIT

#include "observation.hpp"

#include <hashring/core/text.hpp>

namespace redis_groups {

namespace {

std::uint64_t number_in(std::string_view info, std::string_view name) {
    return hashring::parse_decimal<std::uint64_t>(info_field(info, name)).value_or(0);
}

} // namespace

observation read_observation(const reply& server, const reply& replication) {
    if (!server.is_text() || !replication.is_text()) {
        return {};
    }
    const std::string_view info = replication.text;
    observation result;
    result.answers = true;
    result.is_master = info_field(info, "role") == "master";
    result.run_id = info_field(server.text, "run_id");
    result.history = info_field(info, "master_replid");
    result.former_history = info_field(info, "master_replid2");
    if (result.run_id.empty() || result.history.empty()) {
        return {};
    }
    result.offset = number_in(info, result.is_master ? "master_repl_offset" : "slave_repl_offset");
    result.is_linked = info_field(info, "master_link_status") == "up";
    result.is_syncing = info_field(info, "master_sync_in_progress") == "1";
    return result;
}

} // namespace redis_groups
