// SPDX-License-Identifier: MIT
#pragma once

#include "support/group_watch.hpp"
#include "support/mismatches.hpp"

#include <hashring/core/text.hpp>
#include <hashring/group/decide_read.hpp>
#include <hashring/group/write.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

// A client of a group whose servers break: it writes and reads by the library's rules and keeps
// what it was told, to see later whether it was true.

namespace group_model {

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

class model : private watched_group {
public:
    model(std::uint64_t seed, std::size_t copies, const rules& chosen)
        : watched_group(seed, copies, chosen) {}

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
        counts_.failovers = failovers_;
        counts_.merges = merges_;
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
            result += s.answers() && s.follows == address && s.has(made) ? 1U : 0U;
        }
        return result;
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
            const bool is_promised = rules_.write == write_strategy::master_first_sync;
            found_.expect(!is_promised || 2 * holders > servers_.size(), "done without a majority");
            found_.expect(!is_promised || version_in(made.bytes) > acknowledged_[made.key],
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
        bytes = servers_[i].record_of(key);
        return bytes.empty() ? copy_answer{answer_kind::absent, {}} : answer_of(bytes);
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
        if (master.answers() && master.is_master &&
            version_in(master.record_of(key)) < version_in(bytes)) {
            master.log.push_back({key, bytes});
        }
    }

    std::uint64_t turn_ = 0;
    int values_ = 0;
    std::map<int, version> acknowledged_;
    std::set<version> versions_;
    std::set<std::string> refused_;
    counts counts_;
    hashring::test::mismatches found_;
};

} // namespace group_model
