// SPDX-License-Identifier: MIT

#include "part_move.hpp"

#include "reply_check.hpp"
#include "restoring.hpp"

#include <hashring/core/text.hpp>
#include <hashring/group/record.hpp>
#include <hashring/group/write.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace redis_groups {

namespace group = hashring::group;
using hashring::concat;
using hashring::decimal;

namespace {

/// Waits until a majority of the group has what was sent on this connection.
void await_majority(group_link& link, connection& master, std::chrono::milliseconds timeout) {
    const std::size_t copies = link.view().copies().size();
    const std::size_t replicas =
        group::replicas_to_wait_for(group::write_strategy::master_first_sync, copies);
    if (replicas == 0) {
        return;
    }
    master.append({"WAIT", decimal(replicas), decimal(timeout.count())});
    master.send();
    const reply answer = master.receive(timeout);
    check(answer);
    if (answer.number < static_cast<std::int64_t>(replicas)) {
        throw server_failure(group::error_kind::other,
                             concat("too few replicas of '", link.name(), "' acknowledge"));
    }
}

} // namespace

part_move::part_move(const moving_part& what, link_of link, const settings& chosen)
    : what_(what), link_(std::move(link)), settings_(chosen) {}

void part_move::run() {
    if (what_.keys.empty()) {
        return;
    }
    std::vector<bool> is_copied(what_.keys.size(), false);
    copy_records(is_copied);
    for (std::size_t i = 0; i < what_.keys.size(); ++i) {
        if (!is_copied[i]) {
            copy_foreign(i);
        }
    }
    forget();
}

void part_move::copy_records(std::vector<bool>& is_copied) {
    connection& source = link_(what_.from).to_master();
    for (const std::string& key : what_.keys) {
        source.append({"GET", key});
    }
    source.send();
    std::vector<std::string> records;
    for (std::size_t i = 0; i < what_.keys.size(); ++i) {
        records.push_back(source.receive().text);
        is_copied[i] = bool(group::decode(records.back()));
    }
    std::map<group_number, std::vector<write_request>> writes;
    for (std::size_t i = 0; i < what_.keys.size(); ++i) {
        if (is_copied[i]) {
            write_request& one = writes[what_.to[i]].emplace_back();
            one.key = what_.keys[i];
            one.record = records[i];
        }
    }
    for (const auto& [to, some] : writes) {
        put(to, some);
    }
}

void part_move::put(group_number to, const std::vector<write_request>& writes) {
    for (int tries = 0; !writes.empty(); ++tries) {
        write_batch together(link_(to), settings_, 0);
        for (const write_request& each : writes) {
            together.add(each);
        }
        together.send();
        const std::vector<write_result> results = together.finish();
        const auto failed = std::find_if(results.begin(), results.end(),
                                         [](const write_result& r) { return !r.is_done(); });
        if (failed == results.end()) {
            return;
        }
        if (!together.lacked_script() || tries > 0) {
            throw server_failure(group::error_kind::other, failed->why);
        }
    }
}

void part_move::copy_foreign(std::size_t i) {
    connection& source = link_(what_.from).to_master();
    group_link& target = link_(what_.to[i]);
    connection& master = target.to_master();
    restore_if_absent(source, master, what_.keys[i]);
    await_majority(target, master, settings_.wait_timeout);
}

void part_move::forget() {
    group_link& from = link_(what_.from);
    connection& source = from.to_master();
    for (const std::string& key : what_.keys) {
        source.append({"UNLINK", key});
    }
    source.send();
    for (std::size_t i = 0; i < what_.keys.size(); ++i) {
        check(source.receive());
    }
    await_majority(from, source, settings_.wait_timeout);
}

} // namespace redis_groups
