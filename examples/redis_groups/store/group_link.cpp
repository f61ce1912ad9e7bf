// SPDX-License-Identifier: MIT

#include "group_link.hpp"

#include "reply_check.hpp"
#include "scripts.hpp"

#include <hashring/core/text.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace redis_groups {

namespace {

/// A master is not replaced twice within that time: Sentinel takes longer.
constexpr std::chrono::milliseconds long_ago{3000};

connection_options impatient(connection_options options, std::chrono::milliseconds timeout) {
    options.connect_timeout = timeout;
    options.io_timeout = timeout;
    return options;
}

/// The connection of a copy in `links`, made if it is not there or of no use any more.
connection& opened(std::vector<std::unique_ptr<connection>>& links, std::size_t copy,
                   const address& where, const connection_options& options) {
    if (links.size() <= copy) {
        links.resize(copy + 1);
    }
    std::unique_ptr<connection>& link = links[copy];
    if (link == nullptr || !link->is_usable()) {
        link = std::make_unique<connection>(where, options);
    }
    return *link;
}

} // namespace

group_link::group_link(const group_spec& group, const settings& chosen)
    : name_(group.name),
      options_(chosen.connections),
      probe_options_(impatient(chosen.connections, chosen.look_timeout)),
      look_every_(chosen.look_every),
      view_(group.copies, chosen.rules.leave) {}

connection& group_link::to(std::size_t copy) {
    return opened(links_, copy, view_.where(copy), options_);
}

connection& group_link::to_master() {
    const std::size_t master = view_.copies().master();
    if (master == hashring::group::no_copy) {
        throw connection_failure(hashring::group::error_kind::connect_failed,
                                 explained(hashring::concat("group '", name_, "' has no master")));
    }
    return to(master);
}

void group_link::load_scripts() {
    try {
        writing().load(to_master());
        merging().load(to_master());
    } catch (const std::runtime_error&) {
        drop_all(); // what was refused stays so until a master is found
    }
}

void group_link::lost(std::size_t copy) {
    if (copy < links_.size()) {
        links_[copy].reset();
    }
    next_look_ = {};
}

void group_link::drop_all() noexcept {
    links_.clear();
    next_look_ = {};
}

std::optional<address> group_link::ask(sentinels& from) {
    if (from.empty()) {
        return std::nullopt;
    }
    const std::optional<sighting> seen = from.look(name_);
    if (!seen) {
        return std::nullopt;
    }
    epoch_ = std::max(epoch_, seen->epoch);
    view_.add(seen->master);
    for (const address& replica : seen->replicas) {
        view_.add(replica);
    }
    return seen->master;
}

void group_link::note_failure(std::size_t copy, std::string_view why) {
    last_failure_ = why;
    probes_[copy].reset();
}

std::string group_link::explained(std::string_view why) const {
    return last_failure_.empty() ? std::string(why)
                                 : hashring::concat(why, " (", last_failure_, ")");
}

bool group_link::ask_who_it_is(std::size_t copy) {
    try {
        connection& link = opened(probes_, copy, view_.where(copy), probe_options_);
        link.append({"INFO", "server"});
        link.append({"INFO", "replication"});
        link.send();
        return true;
    } catch (const std::runtime_error& problem) {
        note_failure(copy, problem.what());
        return false;
    }
}

observation group_link::hear_who_it_is(std::size_t copy) {
    try {
        const reply server = probes_[copy]->receive();
        const reply replication = probes_[copy]->receive();
        for (const reply& each : {server, replication}) {
            if (each.is_error()) {
                last_failure_ =
                    hashring::concat(describe(view_.where(copy)), ": ", error_text(each));
            }
        }
        return read_observation(server, replication);
    } catch (const connection_failure& problem) {
        note_failure(copy, problem.what());
        return {};
    }
}

std::vector<observation> group_link::observe() {
    const std::size_t count = view_.copies().size();
    last_failure_.clear();
    std::vector<bool> is_asked(count);
    for (std::size_t i = 0; i < count; ++i) { // all are asked before any answer is awaited
        is_asked[i] = ask_who_it_is(i);
    }
    std::vector<observation> seen(count);
    for (std::size_t i = 0; i < count; ++i) {
        if (is_asked[i]) {
            seen[i] = hear_who_it_is(i);
        }
    }
    return seen;
}

void group_link::look(sentinels& from) {
    const std::optional<address> named = ask(from);
    if (clock::now() - last_look_ > std::max(long_ago, 4 * look_every_)) {
        view_.begin_anew();
    }
    view_.look(observe(), named);
    if (const std::size_t master = view_.copies().master(); master != hashring::group::no_copy) {
        const std::size_t before = std::exchange(last_master_, master);
        failovers_ += before != hashring::group::no_copy && before != master ? 1U : 0U;
    }
    last_look_ = clock::now();
    next_look_ = last_look_ + look_every_;
}

void group_link::look_if_due(sentinels& from) {
    if (clock::now() >= next_look_) {
        look(from);
    }
}

} // namespace redis_groups
