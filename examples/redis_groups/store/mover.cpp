// SPDX-License-Identifier: MIT

#include "mover.hpp"

#include "key_scan.hpp"
#include "part_move.hpp"
#include "reply_check.hpp"
#include "script_texts.hpp"

#include <hashring/core/text.hpp>
#include <hashring/group/server_error.hpp>
#include <hashring/group/version.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <thread>
#include <utility>

namespace redis_groups {

namespace group = hashring::group;
using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

namespace {

constexpr milliseconds pause{50};

settings with_majority(settings chosen) {
    chosen.rules.write = group::write_strategy::master_first_sync;
    return chosen;
}

/// The epoch of the last version that a group gave out.
std::uint64_t last_epoch(connection& master) {
    const reply answer = master.call({"GET", version_key});
    check(answer);
    return group::read_version(answer.text).value_or(group::version{}).epoch;
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

moving_part mover::pick(group_number from, const std::vector<std::string>& keys) {
    const placement::use at(*placement_);
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    const std::vector<route> routes = at.routes(views);
    moving_part result{from, {}, {}};
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (routes[i].before == from && keys[i] != version_key) {
            result.keys.push_back(keys[i]);
            result.to.push_back(routes[i].owner);
        }
    }
    return result;
}

void mover::empty_group(group_number from, report& done, const progress& tell) {
    key_scan scan(settings_.pipeline);
    const auto deadline = [this] {
        return clock::now() + settings_.patience;
    };
    auto give_up = deadline();
    for (;;) {
        std::vector<std::string> keys;
        try {
            keys = scan.next(link(from).to_master());
            const moving_part moving = pick(from, keys);
            move_patiently(moving);
            done.moved += moving.keys.size();
            done.looked += keys.size();
            give_up = deadline();
        } catch (const move_failure&) {
            throw;
        } catch (const std::runtime_error& problem) {
            // A server that was started anew numbers its keys otherwise: from the beginning.
            scan = key_scan(settings_.pipeline);
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
        if (keys.empty()) {
            return;
        }
    }
}

void mover::move_patiently(const moving_part& what) {
    const auto give_up = clock::now() + settings_.patience;
    for (;;) {
        try {
            return part_move(
                       what, [this](group_number g) -> group_link& { return link(g); }, settings_)
                .run();
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

} // namespace redis_groups
