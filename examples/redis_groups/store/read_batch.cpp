// SPDX-License-Identifier: MIT

#include "read_batch.hpp"

#include "reply_check.hpp"

#include <hashring/group/record.hpp>

#include <algorithm>
#include <span>
#include <utility>

namespace redis_groups {

namespace group = hashring::group;
using group::answer_kind;

read_batch::read_batch(group_link& group, const settings& chosen, std::uint64_t turn)
    : group_(group), settings_(chosen), turn_(turn) {}

void read_batch::begin() {
    plan_ = group::plan_read(settings_.rules, group_.view().copies(), group_.view().mode(), turn_);
}

void read_batch::ask() {
    std::array<std::vector<std::size_t>, group::max_copies> about;
    for (std::size_t q = 0; q < questions_.size(); ++q) {
        const group::copy_list next = group::to_ask(plan_, questions_[q].heard);
        for (const std::size_t copy : next) {
            about[copy].push_back(q);
        }
    }
    for (std::size_t copy = 0; copy < about.size(); ++copy) {
        if (!about[copy].empty()) {
            ask_copy(copy, about[copy]);
        }
    }
}

void read_batch::ask_copy(std::size_t copy, const std::vector<std::size_t>& about) {
    asked_[copy] = about;
    for (const std::size_t q : about) {
        questions_[q].heard[copy].kind = answer_kind::pending;
    }
    try {
        connection& link = group_.to(copy);
        for (const std::size_t q : about) {
            link.append({"GET", questions_[q].key});
        }
        link.send();
    } catch (const std::runtime_error& failure) {
        lose(copy, 0, failure.what());
    }
}

void read_batch::lose(std::size_t copy, std::size_t first, const std::string& why) {
    for (std::size_t k = first; k < asked_[copy].size(); ++k) {
        question& about = questions_[asked_[copy][k]];
        about.heard[copy].kind = answer_kind::failed;
        about.why = why;
    }
    asked_[copy].clear();
    group_.lost(copy);
}

void read_batch::hear_answer(question& about, std::size_t copy, reply answer) {
    group::copy_answer& heard = about.heard[copy];
    if (answer.is_nil()) {
        heard.kind = answer_kind::absent;
    } else if (answer.is_text()) {
        about.bytes[copy] = std::move(answer.text);
        const std::string_view bytes = about.bytes[copy];
        heard = group::decode(bytes).error == group::damage::foreign
                    ? group::copy_answer{answer_kind::record, group::unversioned(bytes)}
                    : group::answer_of(bytes);
    } else {
        heard.kind = answer_kind::failed;
        about.why = answer.is_error() ? error_text(answer) : "a copy's answer is none to a read";
    }
}

void read_batch::hear_copy(std::size_t copy) {
    std::size_t heard = 0;
    try {
        connection& link = group_.to(copy);
        for (; heard < asked_[copy].size(); ++heard) {
            hear_answer(questions_[asked_[copy][heard]], copy, link.receive());
        }
        asked_[copy].clear();
    } catch (const std::runtime_error& failure) {
        lose(copy, heard, failure.what());
    }
}

void read_batch::hear() {
    for (std::size_t copy = 0; copy < asked_.size(); ++copy) {
        if (!asked_[copy].empty()) {
            hear_copy(copy);
        }
    }
}

bool read_batch::is_decided() const noexcept {
    return std::all_of(questions_.begin(), questions_.end(), [&](const question& each) {
        return group::to_ask(plan_, each.heard).empty();
    });
}

read_value read_batch::result_of(const question& from) const {
    read_value result;
    const group::read_decision& what = from.decision;
    result.is_settled = what.is_settled;
    if (what.source != group::no_copy) {
        const group::record_view& record = from.heard[what.source].record;
        result.version = record.version;
        result.expires_at = record.expires_at;
        result.record = from.bytes[what.source];
        if (what.result == group::read_result::found) {
            result.value = record.payload;
        }
    }
    if (what.result == group::read_result::found) {
        result.state = read_state::found;
    } else if (what.result == group::read_result::absent) {
        result.state = read_state::absent;
    } else if (plan_.why != group::refusal::none) {
        result.why = group_.explained(group::describe(plan_.why));
        result.may_pass = plan_.why != group::refusal::safe_mode;
    } else if (what.result == group::read_result::conflict) {
        result.why = "copies hold different values of one version";
    } else {
        result.why = from.why;
        result.may_pass = true;
    }
    return result;
}

std::vector<read_value> read_batch::finish(std::uint64_t now) {
    std::vector<read_value> results;
    results.reserve(questions_.size());
    for (question& each : questions_) {
        each.decision = group::decide_read(plan_, group_.view().copies(), each.heard, now);
        results.push_back(result_of(each));
    }
    return results;
}

} // namespace redis_groups
