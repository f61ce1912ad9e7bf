// SPDX-License-Identifier: MIT

#include "mover.hpp"

#include "script_texts.hpp"

#include <hashring/core/text.hpp>
#include <hashring/group/record.hpp>
#include <hashring/group/server_error.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <thread>
#include <utility>

namespace redis_groups {

namespace group = hashring::group;
using hashring::concat;
using hashring::decimal;
using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

namespace {

constexpr milliseconds pause{50};

settings with_majority(settings chosen) {
    chosen.rules.write = group::write_strategy::master_first_sync;
    return chosen;
}

/// Throws if the answer is an error, as a failure of the group's.
void check(const reply& answer) {
    if (answer.is_error()) {
        throw server_failure(group::server_error(answer.text), answer.text);
    }
}

/// Waits until a majority of the group has what was sent on this connection.
void await_majority(group_link& link, connection& master, milliseconds timeout) {
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

/// The epoch of the last version that a group gave out.
std::uint64_t last_epoch(connection& master) {
    const reply answer = master.call({"GET", version_key});
    return answer.text.size() == 24 ? group::detail::load_be<std::uint64_t>(answer.text, 0) : 0;
}

} // namespace

mover::mover(std::shared_ptr<placement> ring, const settings& chosen)
    : placement_(std::move(ring)),
      settings_(with_majority(chosen)),
      sentinels_(chosen.sentinels, chosen.sentinel_connections) {}

group_link& mover::link(group_number number) {
    const placement::use at(*placement_);
    if (links_.size() < at.group_count()) {
        links_.resize(at.group_count());
    }
    if (links_[number] == nullptr) {
        links_[number] = std::make_unique<group_link>(at.group(number), settings_);
    }
    links_[number]->look_if_due(sentinels_);
    return *links_[number];
}

// --- beginning -----------------------------------------------------------------------------------

std::uint64_t mover::epoch_above_all() {
    std::uint64_t most = 0;
    for (const auto& each : links_) {
        most = std::max({most, each->epoch(), last_epoch(each->to_master())});
    }
    return most + 1;
}

void mover::begin(const std::vector<group_spec>& groups) {
    std::size_t count = 0;
    {
        const placement::use at(*placement_);
        count = at.group_count();
    }
    for (group_number g = 0; g < count; ++g) {
        static_cast<void>(link(g).to_master()); // connects before clients are held up
    }
    placement_->begin_move(groups, [this] { return epoch_above_all(); });
}

// --- moving --------------------------------------------------------------------------------------

mover::report mover::run(const progress& tell) {
    std::vector<group_number> sources;
    {
        const placement::use at(*placement_);
        sources = at.on_ring();
    }
    report done;
    for (const group_number from : sources) {
        empty_group(from, done, tell);
    }
    placement_->end_move();
    return done;
}

mover::part mover::pick(group_number from, const std::vector<std::string>& keys) {
    const placement::use at(*placement_);
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    const std::vector<route> routes = at.routes(views);
    part result{from, {}, {}};
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (routes[i].before == from && keys[i] != version_key) {
            result.keys.push_back(keys[i]);
            result.to.push_back(routes[i].owner);
        }
    }
    return result;
}

void mover::empty_group(group_number from, report& done, const progress& tell) {
    std::string cursor(1, '0');
    const auto deadline = [this] {
        return clock::now() + settings_.patience;
    };
    auto give_up = deadline();
    do {
        std::vector<std::string> keys;
        try {
            reply page =
                link(from).to_master().call({"SCAN", cursor, "COUNT", decimal(settings_.pipeline)});
            check(page);
            if (page.items.size() != 2) {
                throw server_failure(group::error_kind::bad_reply, "no answer to SCAN");
            }
            for (reply& key : page.items[1].items) {
                keys.push_back(std::move(key.text));
            }
            const part moving = pick(from, keys);
            move_patiently(moving);
            cursor = page.items[0].text;
            done.moved += moving.keys.size();
            done.looked += keys.size();
            give_up = deadline();
        } catch (const move_failure&) {
            throw;
        } catch (const std::runtime_error& problem) {
            // Another master numbers its keys otherwise: from the beginning.
            cursor.assign(1, '0');
            links_[from]->drop_all();
            if (clock::now() >= give_up) {
                throw move_failure(problem.what());
            }
            std::this_thread::sleep_for(pause);
            continue;
        }
        if (tell) {
            tell(done);
        }
        if (cursor == "0") {
            return;
        }
    } while (true);
}

void mover::move_patiently(const part& what) {
    const auto give_up = clock::now() + settings_.patience;
    for (;;) {
        try {
            return move_once(what);
        } catch (const std::runtime_error& problem) {
            if (clock::now() >= give_up) {
                throw move_failure(problem.what());
            }
            for (const auto& each : links_) {
                if (each != nullptr) {
                    each->drop_all();
                }
            }
        }
        std::this_thread::sleep_for(pause);
    }
}

void mover::move_once(const part& what) {
    if (what.keys.empty()) {
        return;
    }
    std::vector<bool> is_copied(what.keys.size(), false);
    copy_records(what, is_copied);
    for (std::size_t i = 0; i < what.keys.size(); ++i) {
        if (!is_copied[i]) {
            copy_foreign(what, i);
        }
    }
    forget(what);
}

void mover::copy_records(const part& what, std::vector<bool>& is_copied) {
    connection& source = link(what.from).to_master();
    for (const std::string& key : what.keys) {
        source.append({"GET", key});
    }
    source.send();
    std::vector<std::string> records;
    for (std::size_t i = 0; i < what.keys.size(); ++i) {
        records.push_back(source.receive().text);
        is_copied[i] = bool(group::decode(records.back()));
    }
    for (group_number to = 0; to < links_.size(); ++to) {
        std::vector<write_request> writes;
        for (std::size_t i = 0; i < what.keys.size(); ++i) {
            if (what.to[i] == to && is_copied[i]) {
                writes.push_back({what.keys[i]});
                writes.back().record = records[i];
            }
        }
        put(to, writes);
    }
}

void mover::put(group_number to, const std::vector<write_request>& writes) {
    for (int tries = 0; !writes.empty(); ++tries) {
        write_batch together(link(to), settings_, 0);
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

void mover::copy_foreign(const part& what, std::size_t i) {
    const std::string& key = what.keys[i];
    connection& source = link(what.from).to_master();
    const reply dump = source.call({"DUMP", key});
    const reply left = source.call({"PTTL", key});
    check(dump);
    check(left);
    if (dump.is_nil()) {
        return; // it has expired
    }
    group_link& target = link(what.to[i]);
    connection& master = target.to_master();
    const std::string ttl = decimal(std::max<std::int64_t>(left.number, 0));
    const reply put = master.call({"RESTORE", key, ttl, dump.text});
    if (!put.text.starts_with("BUSYKEY")) { // else something newer is there
        check(put);
    }
    await_majority(target, master, settings_.wait_timeout);
}

void mover::forget(const part& what) {
    group_link& from = link(what.from);
    connection& source = from.to_master();
    for (const std::string& key : what.keys) {
        source.append({"UNLINK", key});
    }
    source.send();
    for (std::size_t i = 0; i < what.keys.size(); ++i) {
        check(source.receive());
    }
    await_majority(from, source, settings_.wait_timeout);
}

} // namespace redis_groups
