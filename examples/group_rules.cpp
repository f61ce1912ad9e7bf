// SPDX-License-Identifier: MIT

// What a group of a master and replicas promises under each strategy, and how the decisions of
// group/ follow each other when a master dies; no server is needed.
//
//   group_rules             a table, and the story of a failover
//   group_rules --metrics   the state after it, in the text format of Prometheus

#include <hashring/hashring.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace hashring;

/// What is asked of 1 to 5 copies.
void print_strategies() {
    std::printf("copies                             1   2   3   4   5\n");
    for (const auto strategy :
         {group::write_strategy::master_only, group::write_strategy::master_first_async,
          group::write_strategy::master_first_sync}) {
        const std::string_view name = describe(strategy);
        std::printf("%-28.*s acks", static_cast<int>(name.size()), name.data());
        for (std::size_t copies = 1; copies <= 5; ++copies) {
            std::printf("%2zu  ", 1 + replicas_to_wait_for(strategy, copies));
        }
        std::printf("\n");
    }
    std::printf("may be lost meanwhile            ");
    for (std::size_t copies = 1; copies <= 5; ++copies) {
        std::printf("%2zu  ", copies - group::majority(copies));
    }
    std::printf("\n\n");
}

class story {
public:
    explicit story(bool is_told) : is_told_(is_told) {}

    void run() {
        write("blue", {0, 1});
        view_.set_state(0, group::copy_state::down);
        say("the master dies; c:7000 still lacks the write");
        const group::repair_plan plan = plan_repair(rules_, view_);
        view_.set_master(plan.source);
        ++epoch_;
        ++counts_.failovers;
        say(concat("elected: ", view_[plan.source].name));
        read();
        write("green", {1, 2});
        view_.set_state(2, group::copy_state::down);
        mode_ = next_mode(mode_, view_);
        write("red", {1});
    }

    [[nodiscard]] std::string metrics() const {
        metrics_text text;
        const ring<schemes::ketama_group> ring{"group01", "group02"};
        add_ring_metrics(text, "groups", ring);
        add_group_metrics(text, "groups", "group01", view_, mode_);
        add_group_counts(text, "groups", "group01", counts_);
        return text.text();
    }

private:
    /// A write that reaches these copies, the first of them the master.
    void write(std::string_view value, const std::vector<std::size_t>& reached) {
        const group::refusal why = refusal_of_write(rules_, view_, mode_);
        if (why != group::refusal::none) {
            ++counts_.refused;
            say(concat("write ", value, ": refused, as ", describe(why)));
            return;
        }
        last_ = next_version(last_, epoch_, reached[0]);
        for (const std::size_t i : reached) {
            held_[i] = group::encode({last_, group::record_kind::value, 0, value});
            view_.set_offset(i, last_.counter);
        }
        const group::acknowledgements known{group::master_answer::applied, reached.size() - 1,
                                            true};
        if (const auto outcome = decide_write(rules_.write, view_.size(), known)) {
            ++(outcome == group::outcome::done ? counts_.done : counts_.unknown);
            say(concat("write ", value, ": ", describe(*outcome)));
        }
    }

    void read() {
        const group::read_plan plan = plan_read(rules_, view_, mode_, 0);
        std::vector<group::copy_answer> answers(held_.size());
        for (const std::size_t i : to_ask(plan, answers)) {
            answers[i] = held_[i].empty() ? group::copy_answer{group::answer_kind::absent, {}}
                                          : group::answer_of(held_[i]);
        }
        const group::read_decision seen = decide_read(plan, view_, answers, 0);
        if (seen.result != group::read_result::found) {
            return;
        }
        say(concat("read: ", answers[seen.source].record.payload));
        // A store whose replicas take no writes, as Redis, is repaired through its master.
        for (const std::size_t i : seen.repair) {
            held_[i] = held_[seen.source];
            ++counts_.repaired_keys;
            say(concat("  repaired: ", view_[i].name));
        }
    }

    void say(std::string_view text) const {
        if (is_told_) {
            std::printf("%.*s\n", static_cast<int>(text.size()), text.data());
        }
    }

    bool is_told_;
    group::rules rules_; // a majority acknowledges, and is read
    group::members view_{{{"a:7000", group::role::master}, {"b:7000"}, {"c:7000"}}};
    group::mode mode_ = group::mode::normal;
    std::vector<std::string> held_ =
        std::vector<std::string>(3); ///< what each copy holds under one key
    group::version last_;
    std::uint64_t epoch_ = 1;
    group_counts counts_;
};

} // namespace

int main(int argc, char** argv) {
    const bool is_metrics = argc > 1 && std::string_view(argv[1]) == "--metrics";
    if (!is_metrics) {
        print_strategies();
    }
    story told(!is_metrics);
    told.run();
    if (is_metrics) {
        std::fputs(told.metrics().c_str(), stdout);
    }
    return 0;
}
