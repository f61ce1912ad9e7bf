// SPDX-License-Identifier: MIT

#include "repairer.hpp"

#include "forgetting.hpp"
#include "key_scan.hpp"
#include "reply_check.hpp"
#include "restoring.hpp"
#include "script_texts.hpp"
#include "scripts.hpp"

#include <hashring/core/text.hpp>
#include <hashring/group/record.hpp>

#include <thread>
#include <vector>

namespace redis_groups {

namespace group = hashring::group;
using group::copy_state;
using group::repair_step;
using hashring::concat;
using hashring::decimal;
using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

namespace {

constexpr milliseconds pause{20};
/// Longer than a page of keys takes; and so long clients wait at most if a repair is cut off.
constexpr milliseconds hold{10000};

void say(const repairer::listener& tell, std::string_view what) {
    if (tell) {
        tell(what);
    }
}

} // namespace

repairer::repairer(const group_spec& group, const settings& chosen)
    : settings_(chosen),
      sentinels_(chosen.sentinels, chosen.sentinel_connections),
      link_(group, chosen) {}

std::string repairer::name_of(std::size_t copy) const {
    return link_.view().copies()[copy].name;
}

repairer::report repairer::run(milliseconds patience, const listener& tell) {
    const auto deadline = clock::now() + patience;
    done_ = {};
    for (;;) {
        std::string why = "copies are not complete yet";
        try {
            link_.look(sentinels_);
            if (!step(tell)) {
                break;
            }
        } catch (const std::runtime_error& problem) {
            why = problem.what();
            link_.drop_all();
        }
        if (clock::now() >= deadline) {
            throw repair_failure(concat("group '", link_.name(), "' is not repaired: ", why));
        }
        std::this_thread::sleep_for(pause);
    }
    done_.down = link_.view().copies().count(copy_state::down);
    return done_;
}

/// Takes the next step; returns whether there is another one.
bool repairer::step(const listener& tell) {
    const group::members& copies = link_.view().copies();
    const group::repair_plan plan = plan_repair(settings_.rules, copies, copies.size());
    switch (plan.step) {
    case repair_step::nothing:
        return copies.count(copy_state::repairing) > 0;
    case repair_step::copy_whole:
        copy_whole(plan, tell);
        break;
    case repair_step::elect_first:
        if (sentinels_.empty()) {
            elect_anew(tell);
        }
        break;
    case repair_step::merge:
        merge(plan, tell);
        break;
    case repair_step::more_copies:
        throw repair_failure("no copy that answers is known to have all");
    }
    return true;
}

void repairer::follow(std::size_t copy, const address& master) {
    connection& link = link_.to(copy);
    check(link.call({"REPLICAOF", master.host, decimal(master.port)}));
    check(link.call({"CLIENT", "KILL", "TYPE", "normal"}));
}

/// A master that only we do not reach may still be written to: first the copies are taken off it,
/// so that no majority acknowledges any more, and only then it is seen who is the furthest.
void repairer::elect_anew(const listener& tell) {
    const group::members& copies = link_.view().copies();
    for (std::size_t i = 0; i < copies.size(); ++i) {
        if (is_answering(copies[i].state)) {
            // Of itself nothing comes; and unlike a master it takes no writes, keeps its history.
            const address& itself = link_.view().where(i);
            check(link_.to(i).call({"REPLICAOF", itself.host, decimal(itself.port)}));
        }
    }
    link_.look(sentinels_);
    const group::repair_plan plan = plan_repair(settings_.rules, copies, copies.size());
    if (plan.step == repair_step::elect_first) {
        promote(plan.source, tell);
    }
}

void repairer::promote(std::size_t source, const listener& tell) {
    say(tell, concat(name_of(source), " becomes the master"));
    check(link_.to(source).call({"REPLICAOF", "NO", "ONE"}));
    ++done_.promoted;
    const group::members& copies = link_.view().copies();
    for (std::size_t i = 0; i < copies.size(); ++i) {
        if (i != source && is_answering(copies[i].state)) {
            follow(i, link_.view().where(source));
        }
    }
}

void repairer::copy_whole(const group::repair_plan& plan, const listener& tell) {
    for (const std::size_t target : plan.targets) {
        say(tell, concat(name_of(target), " is completed from ", name_of(plan.source)));
        follow(target, link_.view().where(plan.source));
        ++done_.copied;
    }
}

void repairer::merge(const group::repair_plan& plan, const listener& tell) {
    if (plan.source != link_.view().copies().master()) {
        if (!sentinels_.empty()) {
            return; // theirs to choose
        }
        say(tell, concat(name_of(plan.source), " becomes the master"));
        check(link_.to(plan.source).call({"REPLICAOF", "NO", "ONE"}));
        ++done_.promoted;
    }
    merging().load(link_.to(plan.source));
    for (const std::size_t target : plan.targets) {
        const std::uint64_t count = merge_from(target, plan);
        say(tell, concat(decimal(count), " records of ", name_of(target), " are merged into ",
                         name_of(plan.source)));
        done_.merged += count;
    }
    for (const std::size_t target : plan.targets) {
        follow(target, link_.view().where(plan.source));
        check(link_.to(target).call({"CLIENT", "UNPAUSE"}));
    }
    link_.begin_anew(); // what all copies had together is in the master
}

/// Lets writes to copies wait for a while: what somebody writes to one after it has been looked
/// through would be acknowledged, and gone when it follows another.
void repairer::hold_writes(const group::copy_list& copies) {
    for (const std::size_t copy : copies) {
        check(link_.to(copy).call({"CLIENT", "PAUSE", decimal(hold.count()), "WRITE"}));
    }
}

std::uint64_t repairer::merge_from(std::size_t target, const group::repair_plan& plan) {
    connection& source = link_.to(plan.source);
    connection& copy = link_.to(target);
    std::uint64_t merged = 0;
    key_scan scan(settings_.pipeline);
    const auto next = [&] {
        hold_writes(plan.targets);
        return scan.next(copy);
    };
    for (auto keys = next(); !keys.empty(); keys = next()) {
        for (const std::string& key : keys) {
            if (key == version_key) {
                continue;
            }
            const reply held = copy.call({"GET", key});
            const group::decoded record = group::decode(held.text);
            if (record) {
                const reply put =
                    source.call({"EVALSHA", merging().name(), "2", key, version_key, held.text,
                                 dropped_at(record.record, settings_.retention), "0"});
                check(put);
                merged += static_cast<std::uint64_t>(put.number);
            } else {
                merged += restore_if_absent(copy, source, key) ? 1U : 0U;
            }
        }
    }
    return merged;
}

} // namespace redis_groups
