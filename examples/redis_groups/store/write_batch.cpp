// SPDX-License-Identifier: MIT

#include "write_batch.hpp"

#include "forgetting.hpp"
#include "reply_check.hpp"
#include "script_texts.hpp"
#include "scripts.hpp"

#include <hashring/core/text.hpp>
#include <hashring/group/server_error.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

namespace redis_groups {

using hashring::concat;
using hashring::decimal;
namespace group = hashring::group;

write_batch::write_batch(group_link& group, const settings& chosen, std::uint64_t least_epoch)
    : group_(group), settings_(chosen), least_epoch_(least_epoch) {}

std::size_t write_batch::commands() const noexcept {
    return writes_.size() + (waits_for_ > 0 ? 1 : 0);
}

void write_batch::refuse_all(const std::string& why, bool may_pass) {
    for (progress& each : progress_) {
        each.known.master = group::master_answer::refused;
        each.why = why;
        each.may_pass = may_pass;
    }
}

void write_batch::append_write(connection& master, const write_request& what) {
    const group::record_view record{{}, what.kind, what.expires_at, {}};
    const std::string expires_at = group::encode(record).substr(group::record_expiry_at, 8);
    const std::string forget_at = dropped_at(record, settings_.retention);
    const std::string epoch = decimal(std::max(group_.epoch(), least_epoch_));
    master.append({"EVALSHA", writing().name(), "2", what.key, version_key,
                   what.kind == group::record_kind::value ? "1" : "2", what.value, expires_at,
                   forget_at, epoch});
}

void write_batch::append_merge(connection& master, const write_request& what) {
    const group::decoded read = group::decode(what.record);
    const std::string forget_at = dropped_at(read.record, settings_.retention);
    master.append(
        {"EVALSHA", merging().name(), "2", what.key, version_key, what.record, forget_at, "1"});
}

void write_batch::append_all(connection& master) {
    for (const write_request& what : writes_) {
        if (what.record.empty()) {
            append_write(master, what);
        } else {
            append_merge(master, what);
        }
    }
    if (waits_for_ > 0) {
        master.append({"WAIT", decimal(waits_for_), decimal(settings_.wait_timeout.count())});
    }
}

void write_batch::send() {
    progress_.assign(writes_.size(), {});
    const group::members& copies = group_.view().copies();
    const group::refusal why =
        group::refusal_of_write(settings_.rules, copies, group_.view().mode());
    if (why != group::refusal::none) {
        refuse_all(group_.explained(group::describe(why)),
                   why == group::refusal::no_master || why == group::refusal::master_down);
        return;
    }
    waits_for_ = group::replicas_to_wait_for(settings_.rules.write, copies.size());
    try {
        connection& master = group_.to(copies.master());
        master_ = copies.master();
        try {
            append_all(master);
            master.send();
        } catch (const connection_failure& failure) {
            broke(master, failure);
        }
    } catch (const std::runtime_error& failure) { // no connection
        refuse_all(failure.what(), true);
        group_.lost(copies.master());
        master_ = group::no_copy;
    }
}

void write_batch::broke(const connection& master, const connection_failure& failure) {
    const std::size_t first_unsent = heard_ + master.pending() - master.unsent();
    for (std::size_t i = 0; i < writes_.size(); ++i) {
        progress& each = progress_[i];
        const bool is_heard = i < heard_;
        const bool is_open = is_heard ? each.known.master == group::master_answer::applied : true;
        if (is_open) {
            const group::phase at = is_heard            ? group::phase::applied
                                    : i >= first_unsent ? group::phase::not_sent
                                                        : group::phase::sent;
            each.known = group::after_error(each.known, failure.kind(), at);
            each.why = failure.what();
            each.may_pass = at == group::phase::not_sent;
        }
    }
    group_.lost(std::exchange(master_, group::no_copy));
}

namespace {

/// Whether it is what the script of this write answers when it is through.
bool says_applied(const reply& answer, const write_request& what) {
    return what.record.empty() ? answer.is_text() && answer.text.size() == group::version_bytes
                               : answer.is_number() && (answer.number == 0 || answer.number == 1);
}

} // namespace

void write_batch::hear_write(std::size_t i, const reply& answer) {
    progress& each = progress_[i];
    if (says_applied(answer, writes_[i])) {
        each.known.master = group::master_answer::applied;
        each.version = group::read_version(answer.text).value_or(group::version{});
        return;
    }
    const group::error_kind kind =
        answer.is_error() ? group::server_error(answer.text) : group::error_kind::bad_reply;
    each.known = group::after_error(each.known, kind, group::phase::sent);
    each.why = answer.is_error() ? error_text(answer) : "the master's answer is none to a write";
    each.may_pass = group::needs_discovery(kind) || kind == group::error_kind::no_script;
    must_look_ = must_look_ || group::needs_discovery(kind);
    lacked_script_ = lacked_script_ || kind == group::error_kind::no_script;
}

void write_batch::hear_wait(const reply& answer) {
    const auto replicas =
        static_cast<std::size_t>(answer.is_number() ? std::max<std::int64_t>(answer.number, 0) : 0);
    for (progress& each : progress_) {
        if (each.known.master == group::master_answer::applied) {
            each.known.is_closed = true;
            each.known.replicas = replicas;
            each.why = answer.is_error()
                           ? error_text(answer)
                           : concat("only ", decimal(each.known.replicas), " of ",
                                    decimal(waits_for_), " replicas have acknowledged in time");
        }
    }
    must_look_ = must_look_ || replicas < waits_for_;
}

void write_batch::hear(connection& master) {
    while (heard_ < writes_.size()) {
        const reply answer = master.receive();
        hear_write(heard_, answer);
        ++heard_;
    }
    if (waits_for_ > 0) {
        const reply answer = master.receive(settings_.wait_timeout);
        ++heard_;
        hear_wait(answer);
    }
}

write_result write_batch::result_of(std::size_t i) const {
    const progress& each = progress_[i];
    group::acknowledgements known = each.known;
    known.is_closed = true;
    const std::size_t copies = group_.view().copies().size();
    const auto what = group::decide_write(settings_.rules.write, copies, known);
    const group::outcome outcome = what.value_or(group::outcome::unknown);
    const bool is_done = outcome == group::outcome::done;
    return {outcome, is_done ? std::string() : each.why, each.version,
            outcome == group::outcome::refused && each.may_pass};
}

std::vector<write_result> write_batch::finish() {
    if (master_ != group::no_copy) {
        connection& master = group_.to(master_);
        try {
            hear(master);
        } catch (const connection_failure& failure) {
            broke(master, failure);
        }
    }
    if (lacked_script_) {
        group_.load_scripts();
    }
    if (must_look_) {
        group_.drop_all();
    }
    std::vector<write_result> results;
    results.reserve(writes_.size());
    for (std::size_t i = 0; i < writes_.size(); ++i) {
        results.push_back(result_of(i));
    }
    return results;
}

} // namespace redis_groups
