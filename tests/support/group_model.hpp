// SPDX-License-Identifier: MIT
#pragma once

#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <hashring/core/text.hpp>
#include <hashring/group/decide_read.hpp>
#include <hashring/group/repair.hpp>
#include <hashring/group/write.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

// A group of servers that die, freeze, lag and lose their data, a client, and somebody who watches
// over them; all of them decide by the library. Servers replicate as Redis does: a replica has a
// first part of its master's writes, or is copied whole.

namespace group_model {

using namespace hashring::group;

struct applied_write {
    int key = 0;
    std::string bytes; // a record
};

using log_type = std::vector<applied_write>;

// The records that a log leaves.
inline std::map<int, std::string> data_of(const log_type& log) {
    std::map<int, std::string> result;
    for (const applied_write& w : log) {
        result[w.key] = w.bytes;
    }
    return result;
}

inline version version_in(const std::string& bytes) {
    return decode(bytes).record.version;
}

struct server {
    bool is_running = true;
    bool is_frozen = false;
    bool is_master = false; // says so itself, perhaps wrongly
    std::size_t follows = no_copy;
    std::uint64_t origin = 0;
    std::uint64_t epoch = 0; // of its reign, as a client knows it that knows this master
    log_type log;

    [[nodiscard]] bool answers() const { return is_running && !is_frozen; }
    [[nodiscard]] version last_version() const {
        version last;
        for (const applied_write& w : log) {
            last = std::max(last, version_in(w.bytes));
        }
        return last;
    }
    [[nodiscard]] bool is_behind_of(const server& other) const {
        return log.size() <= other.log.size() &&
               std::equal(log.begin(), log.end(), other.log.begin(),
                          [](const applied_write& a, const applied_write& b) {
                              return a.key == b.key && a.bytes == b.bytes;
                          });
    }
};

// What happened in a history.
struct counts {
    int done = 0;
    int refused = 0;
    int unknown = 0;
    int reads = 0;
    int failovers = 0;
    int merges = 0;
    int safe = 0;
    int lost = 0; // reads that did not see an acknowledged write
};

class model {
public:
    model(std::uint64_t seed, std::size_t copies, const rules& chosen)
        : random_(seed), servers_(copies), rules_(chosen) {
        std::vector<copy> list(copies);
        for (std::size_t i = 0; i < copies; ++i) {
            list[i].name = std::string(1, static_cast<char>('a' + i));
        }
        view_ = members(list);
        for (std::size_t i = 0; i < copies; ++i) {
            view_.set_priority(i, 1 + static_cast<std::uint32_t>(random_.below(3)));
        }
        promote(0);
    }

    void step() {
        const std::uint64_t kind = random_.below(40);
        if (kind < 1) {
            break_server(random_.below(servers_.size()));
        } else if (kind < 4) {
            mend_server(random_.below(servers_.size()));
        } else if (kind < 10) {
            watch();
        } else if (kind < 18) {
            replicate();
        } else if (kind < 27) {
            read(static_cast<int>(random_.below(4)));
        } else {
            write(static_cast<int>(random_.below(4)));
        }
        mode_ = next_mode(mode_, view_, rules_.leave);
        counts_.safe += mode_ == mode::safe ? 1 : 0;
    }

    // Everything comes back and is repaired; then all copies must be the same.
    void heal() {
        for (int round = 0; round < 60; ++round) {
            for (std::size_t i = 0; i < servers_.size(); ++i) {
                mend_server(i);
            }
            watch();
            finish_repairs();
            mode_ = next_mode(mode_, view_, rules_.leave);
        }
        for (int round = 0; round < 500; ++round) {
            replicate();
        }
        found_.expect(mode_ == mode::normal, "not healed", view_.complete());
        for (const server& s : servers_) {
            found_.expect(data_of(s.log) == data_of(servers_[0].log), "copies differ");
        }
        for (int key = 0; key < 4; ++key) {
            read(key);
        }
    }

    [[nodiscard]] const counts& what_happened() const { return counts_; }
    [[nodiscard]] std::string wrong() const { return found_.report(); }

private:
    // --- the servers -------------------------------------------------------------------------

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

    [[nodiscard]] bool can_lose(std::size_t i) const {
        std::size_t others = 0;
        for (std::size_t j = 0; j < servers_.size(); ++j) {
            others += j != i && is_complete(view_[j].state) && servers_[j].answers() ? 1U : 0U;
        }
        return others >= majority(servers_.size());
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

    // --- who watches over them ------------------------------------------------------------------

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
            ++counts_.failovers;
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

    void merge(const repair_plan& plan) {
        ++counts_.merges;
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

    // --- the client
    // -------------------------------------------------------------------------------

    void write(int key) {
        const bool is_delete = random_.below(4) == 0;
        const std::string value = is_delete ? "" : hashring::decimal(++values_);
        // Some clients still hold the address of a master that was replaced.
        std::size_t address = view_.master();
        const bool is_late = random_.below(4) == 0;
        for (std::size_t i = 0; is_late && i < servers_.size(); ++i) {
            address = servers_[i].is_master && i != view_.master() ? i : address;
        }
        if (!is_late && refusal_of_write(rules_, view_, mode_) != refusal::none) {
            ++counts_.refused;
            return;
        }
        applied_write made{key, {}};
        const acknowledgements master = ask_master(address, value, is_delete, made);
        settle(address, made, value, await(address, made, master));
    }

    acknowledgements ask_master(std::size_t address, const std::string& value, bool is_delete,
                                applied_write& made) {
        server& s = servers_[address];
        if (!s.is_running) {
            return after_error({}, error_kind::connect_failed, phase::not_sent);
        }
        if (s.is_frozen) { // what lies in its socket it may still apply
            if (random_.below(2) == 0 && s.is_master) {
                apply(s, value, is_delete, made);
            }
            return after_error({}, error_kind::timed_out, phase::sent);
        }
        if (!s.is_master) {
            return after_error({}, error_kind::read_only, phase::sent);
        }
        const std::uint64_t kind = random_.below(12);
        if (kind == 0) {
            return after_error({}, error_kind::out_of_memory, phase::sent);
        }
        if (kind != 1) {
            apply(s, value, is_delete, made);
        }
        if (kind < 3) { // the connection breaks before or after it is applied: who knows
            return after_error({}, error_kind::closed, phase::sent);
        }
        return {master_answer::applied, 0, false};
    }

    void apply(server& s, const std::string& value, bool is_delete, applied_write& made) {
        record_view record;
        record.version = next_version(s.last_version(), s.epoch, s.origin);
        record.kind = is_delete ? record_kind::tombstone : record_kind::value;
        record.payload = value;
        made.bytes = encode(record);
        s.log.push_back(made);
        found_.expect(versions_.insert(record.version).second, "a version was made twice");
    }

    [[nodiscard]] std::size_t replicas_with(std::size_t address, const applied_write& made) const {
        std::size_t result = 0;
        for (const server& s : servers_) {
            result += s.answers() && s.follows == address && has(s, made) ? 1U : 0U;
        }
        return result;
    }
    [[nodiscard]] static bool has(const server& s, const applied_write& made) {
        return !made.bytes.empty() &&
               std::any_of(s.log.begin(), s.log.end(), [&](const applied_write& w) {
                   return w.key == made.key && w.bytes == made.bytes;
               });
    }

    std::optional<outcome> await(std::size_t address, const applied_write& made,
                                 acknowledgements known) {
        std::optional<outcome> what = decide_write(rules_.write, servers_.size(), known);
        for (int patience = 6; !what && patience > 0; --patience) {
            for (std::uint64_t i = random_.below(4); i > 0; --i) {
                replicate();
            }
            if (random_.below(20) == 0) {
                break_server(address);
            }
            if (!servers_[address].answers()) {
                known = after_error(known, error_kind::closed, phase::applied);
            } else {
                known.replicas = replicas_with(address, made);
                known.is_closed = patience == 1;
            }
            what = decide_write(rules_.write, servers_.size(), known);
        }
        return what;
    }

    void settle(std::size_t address, const applied_write& made, const std::string& value,
                std::optional<outcome> what) {
        found_.expect(what.has_value(), "no outcome");
        if (what == outcome::done) {
            ++counts_.done;
            const std::size_t holders = replicas_with(address, made) + 1;
            found_.expect(rules_.write != write_strategy::master_first_sync ||
                              2 * holders > servers_.size(),
                          "done without a majority");
            found_.expect(rules_.write != write_strategy::master_first_sync ||
                              version_in(made.bytes) > acknowledged_[made.key],
                          "an acknowledged write is older than one before it");
            acknowledged_[made.key] = std::max(acknowledged_[made.key], version_in(made.bytes));
        } else if (what == outcome::refused) {
            ++counts_.refused;
            found_.expect(made.bytes.empty(), "refused, and applied");
            refused_.insert(value);
        } else {
            ++counts_.unknown;
        }
    }

    [[nodiscard]] copy_answer ask(std::size_t i, int key, std::string& bytes) const {
        if (!servers_[i].answers()) {
            return {answer_kind::failed, {}};
        }
        const auto data = data_of(servers_[i].log);
        const auto found = data.find(key);
        if (found == data.end()) {
            return {answer_kind::absent, {}};
        }
        bytes = found->second;
        return answer_of(bytes);
    }

    void read(int key) {
        const read_plan plan = plan_read(rules_, view_, mode_, ++turn_);
        std::vector<copy_answer> answers(servers_.size());
        std::vector<std::string> bytes(servers_.size());
        for (copy_list next = to_ask(plan, answers); !next.empty(); next = to_ask(plan, answers)) {
            for (const std::size_t i : next) {
                answers[i] = ask(i, key, bytes[i]);
            }
        }
        const read_decision d = decide_read(plan, view_, answers, 0);
        if (d.result != read_result::found && d.result != read_result::absent) {
            found_.expect(d.result == read_result::failed, "a read without an end");
            return;
        }
        ++counts_.reads;
        const record_view seen = d.source == no_copy ? record_view{} : answers[d.source].record;
        counts_.lost += seen.version < acknowledged_[key] ? 1 : 0;
        found_.expect(refused_.count(std::string(seen.payload)) == 0 || seen.payload.empty(),
                      "a refused write was read");
        if (!d.repair.empty() && random_.below(2) == 0) {
            repair(key, bytes[d.source]);
        }
    }

    // Through the master, as replicas take no writes: only if what it holds is older.
    void repair(int key, const std::string& bytes) {
        server& master = servers_[view_.master()];
        if (master.answers() && master.is_master) {
            const auto data = data_of(master.log);
            const auto held = data.find(key);
            if (held == data.end() || version_in(held->second) < version_in(bytes)) {
                master.log.push_back({key, bytes});
            }
        }
    }

    dice random_;
    std::vector<server> servers_;
    rules rules_;
    members view_;
    mode mode_ = mode::normal;
    std::uint64_t epoch_ = 0;
    std::uint64_t turn_ = 0;
    int values_ = 0;
    std::map<int, version> acknowledged_;
    std::set<version> versions_;
    std::set<std::string> refused_;
    counts counts_;
    hashring::test::mismatches found_;
};

} // namespace group_model
