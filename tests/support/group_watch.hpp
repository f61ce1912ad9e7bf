// SPDX-License-Identifier: MIT
#pragma once

#include "support/dice.hpp"
#include "support/group_servers.hpp"

#include <hashring/group/members.hpp>
#include <hashring/group/repair.hpp>
#include <hashring/group/rules.hpp>
#include <hashring/group/safe_mode.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

// Servers that die, freeze, lag and lose their data, and somebody who watches over them by the
// library's rules.

namespace group_model {

class watched_group {
protected:
    watched_group(std::uint64_t seed, std::size_t copies, const rules& chosen)
        : random_(seed), servers_(copies), rules_(chosen) {
        std::vector<copy> list(copies);
        for (std::size_t i = 0; i < copies; ++i) {
            list[i].name = std::string(1, static_cast<char>('a' + i));
            list[i].priority = 1 + static_cast<std::uint32_t>(random_.below(3));
        }
        view_ = members(list);
        promote(0);
    }

    void break_server(std::size_t i) {
        server& s = servers_[i];
        if (!s.answers()) {
            return;
        }
        const bool is_noticed = random_.below(2) == 0;
        const std::uint64_t kind = random_.below(3);
        if (kind == 0) {
            s.is_frozen = true;
        } else {
            s.is_running = false;
            s.is_master = false;
            s.follows = no_copy;
            // Data are only lost where that leaves a majority of complete copies: else no promise
            // is made.
            if (kind == 1 && can_lose(i)) {
                s.log.clear();
            }
        }
        if (is_noticed) {
            view_.set_state(i, copy_state::down);
        }
    }

    void mend_server(std::size_t i) {
        server& s = servers_[i];
        if (s.answers()) {
            return;
        }
        // One that was restarted is nobody's replica; one that was frozen still is what it was.
        s.is_running = true;
        s.is_frozen = false;
        view_.set_state(i, copy_state::behind);
    }

    void replicate() {
        const std::size_t i = random_.below(servers_.size());
        server& s = servers_[i];
        if (!s.answers() || s.follows == no_copy || !is_complete(view_[i].state)) {
            return;
        }
        const server& master = servers_[s.follows];
        if (master.answers() && master.is_master && s.is_behind_of(master)) {
            const std::size_t end =
                std::min(master.log.size(), s.log.size() + 1 + random_.below(4));
            s.log.assign(master.log.begin(), master.log.begin() + static_cast<std::ptrdiff_t>(end));
        }
    }

    void watch() {
        for (std::size_t i = 0; i < servers_.size(); ++i) {
            if (!servers_[i].answers()) {
                view_.set_state(i, copy_state::down);
            }
        }
        mode_ = next_mode(mode_, view_, rules_.leave);
        const std::size_t master = view_.master();
        if (!is_complete(view_[master].state)) {
            // Before offsets are read nobody acknowledges to the old master any more.
            for (std::size_t i = 0; i < servers_.size(); ++i) {
                if (servers_[i].answers()) {
                    servers_[i].follows = no_copy;
                    view_.set_offset(i, servers_[i].log.size());
                }
            }
        }
        const repair_plan plan = plan_repair(rules_, view_, 1 + random_.below(2));
        if (plan.step == repair_step::elect_first) {
            ++failovers_;
            promote(plan.source);
        } else if (plan.step == repair_step::merge) {
            merge(plan);
        }
        for (const std::size_t i : plan.targets) {
            if (plan.step == repair_step::copy_whole) {
                view_.set_state(i, copy_state::repairing);
            }
        }
        if (random_.below(2) == 0) {
            finish_repairs();
        }
    }

    void finish_repairs() {
        const std::size_t source = view_.master();
        for (std::size_t i = 0; i < servers_.size(); ++i) {
            if (view_[i].state == copy_state::repairing) {
                if (source == i || !servers_[source].answers() || !servers_[i].answers() ||
                    !is_complete(view_[source].state)) {
                    view_.set_state(i, copy_state::behind);
                    continue;
                }
                servers_[i].log = servers_[source].log;
                servers_[i].is_master = false;
                servers_[i].follows = source;
                view_.set_state(i, copy_state::up);
            }
        }
    }

    dice random_;
    std::vector<server> servers_;
    rules rules_;
    members view_;
    mode mode_ = mode::normal;
    std::uint64_t epoch_ = 0;
    int failovers_ = 0;
    int merges_ = 0;

private:
    void promote(std::size_t i) {
        server& s = servers_[i];
        s.is_master = true;
        s.follows = no_copy;
        s.origin = random_.next();
        s.epoch = ++epoch_;
        view_.set_master(i);
        for (std::size_t j = 0; j < servers_.size(); ++j) {
            if (j != i && is_complete(view_[j].state) && servers_[j].answers()) {
                servers_[j].is_master = false;
                servers_[j].follows = i;
                if (!servers_[j].is_behind_of(s)) {
                    view_.set_state(j, copy_state::behind);
                }
            }
        }
    }

    [[nodiscard]] bool can_lose(std::size_t i) const {
        std::size_t others = 0;
        for (std::size_t j = 0; j < servers_.size(); ++j) {
            others += j != i && is_complete(view_[j].state) && servers_[j].answers() ? 1U : 0U;
        }
        return others >= majority(servers_.size());
    }

    void merge(const repair_plan& plan) {
        ++merges_;
        std::map<int, std::string> all = data_of(servers_[plan.source].log);
        for (const std::size_t i : plan.targets) {
            if (!servers_[i].answers()) {
                continue;
            }
            for (const auto& [key, bytes] : data_of(servers_[i].log)) {
                if (version_in(bytes) > version_in(all[key])) {
                    all[key] = bytes;
                }
            }
            view_.set_state(i, copy_state::behind);
            servers_[i].is_master = false;
        }
        log_type log;
        for (const auto& [key, bytes] : all) {
            log.push_back({key, bytes});
        }
        servers_[plan.source].log = log;
        view_.set_state(plan.source, copy_state::up);
        promote(plan.source);
    }
};

} // namespace group_model
