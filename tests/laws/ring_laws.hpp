// SPDX-License-Identifier: MIT
#pragma once

#include "laws/answer_laws.hpp"
#include "laws/difference_laws.hpp"
#include "laws/hold.hpp"
#include "laws/operations.hpp"
#include "laws/reference.hpp"
#include "laws/report.hpp"
#include "laws/subject.hpp"
#include "support/dice.hpp"

#include <hashring/ring/node_marks.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace laws {

// A ring beside its reference, through one history.
class ring_run {
public:
    explicit ring_run(const list_subject& empty)
        : ring_(empty.list_copy()), want_(ring_->expected({})) {}

    // Throws `broken_law`.
    void step(const operation& op) {
        dice random(++steps_);
        const std::unique_ptr<list_subject> before = ring_->list_copy();
        const placement was = want_;
        if (!carry_out(op)) {
            hold(ring_->equals(*before), "what is refused changes nothing");
            hold(ring_->points() == was.points, "what is refused moves no point");
            return;
        }
        check_answers(*ring_, want_, random);
        check_marks(*ring_, want_, model_, marks_, positions_about(want_, random));
        const std::vector<moved> arcs = check_difference(*before, was, *ring_, want_, random);
        check_movement(op, ring_->promised(), was, want_, arcs);
        check_said(arcs);
        check_equality(*before, was);
        check_copies(random);
        check_saved();
    }

private:
    // The call and its result, on the ring and the reference. Returns whether it was taken.
    bool carry_out(const operation& op) {
        said_.reset();
        reference next = model_;
        std::optional<std::size_t> result; // nothing if it must be refused
        placement want;
        try {
            const std::size_t returned = next.apply(op);
            want = ring_->expected(next.nodes);
            result = returned;
        } catch (const std::invalid_argument&) {
            result.reset();
        }
        const std::unique_ptr<list_subject> before = ring_->list_copy();
        try {
            const std::size_t got = call(op);
            hold(result.has_value(), "what nobody can take is refused");
            hold(got == *result, "a call says what it did", got);
        } catch (const std::invalid_argument& error) {
            hold(!result.has_value(), "what can be taken is", error.what());
            return false;
        }
        marks_ = before->carried_over(marks_, *ring_);
        model_ = std::move(next);
        want_ = std::move(want);
        return true;
    }

    std::size_t call(const operation& op) {
        switch (op.what) {
        case verb::mark_down:
            return marks_.mark_down(ring_->index_of(op.name())) ? 1 : 0;
        case verb::mark_up:
            return marks_.mark_up(ring_->index_of(op.name())) ? 1 : 0;
        case verb::copy:
            ring_ = ring_->list_copy();
            return 0;
        default:
            return ring_->apply(op, said_);
        }
    }

    void check_said(const std::vector<moved>& arcs) const {
        hold(!said_ || said_->arcs == arcs, "a change says what moved");
    }

    // Whether two rings are equal, and their fingerprints, by what stands in them.
    void check_equality(const subject& before, const placement& was) {
        const auto weights_of = [](const placement& of) {
            std::vector<std::pair<std::string, hashring::weight>> result;
            for (const node_spec& node : of.nodes) {
                result.emplace_back(node.name, node.weight);
            }
            return result;
        };
        const bool same = weights_of(was) == weights_of(want_) && was.counts == want_.counts &&
                          was.points == want_.points;
        hold(ring_->equals(before) == same, "rings are equal if their nodes and points are");
        const bool differ = ring_->fingerprint() != before.fingerprint();
        hold(!differ || ring_->differences_from(before) > 0, "what differs has a reason");
        hold(!same || ring_->differences_from(before) == 0, "equal rings have no difference");
        seen_.see(content(), ring_->fingerprint());
    }

    // All that placement is made of, as bytes.
    std::string content() const {
        std::string text;
        for (const node_spec& node : want_.nodes) {
            text += ring_->promised().order_matters ? node.name + "," : "";
        }
        for (const point& p : want_.points) {
            for (const std::uint64_t half : {p.position.high, p.position.low}) {
                text.append(reinterpret_cast<const char*>(&half), sizeof half);
            }
            text += want_.nodes[p.owner].name;
        }
        return text;
    }

    // Rings of the same list made otherwise, and what is done to them is not done to this one.
    void check_copies(dice& random) const {
        const bool order_matters = ring_->promised().order_matters;
        std::vector<node_spec> list = model_.nodes;
        if (!order_matters) {
            random.shuffle(list);
        }
        const std::unique_ptr<list_subject> other = ring_->fresh(list);
        hold(other->equals(*ring_), "the list alone makes the ring");
        hold(other->fingerprint() == ring_->fingerprint(), "the list alone makes the fingerprint");
        if (!list.empty()) {
            const std::unique_ptr<list_subject> changed = ring_->list_copy();
            check_return(*changed, list.back());
        }
        hold(ring_->points() == want_.points, "a copy is its own");
    }

    // A node that leaves (the last of the list, where its order matters) and comes again.
    void check_return(list_subject& changed, const node_spec& node) const {
        std::unique_ptr<difference> none;
        drawn_node drawn;
        while (drawn.name_text() != node.name) {
            ++drawn.name;
        }
        drawn.halves = static_cast<unsigned>(node.weight.thousandths() / 500);
        drawn.vnodes = node.vnodes;
        try {
            changed.apply({verb::remove, {drawn}}, none);
        } catch (const std::invalid_argument&) {
            return; // a list that some program does not take
        }
        hold(!changed.equals(*ring_), "a ring without a node is another");
        changed.apply({verb::add, {drawn}}, none);
        hold(changed.equals(*ring_), "a node that comes again restores the ring");
        hold(changed.points() == want_.points, "and every point");
    }

    void check_saved() const {
        const std::string text = ring_->saved();
        const std::unique_ptr<subject> loaded = ring_->loaded(text);
        hold(loaded->equals(*ring_), "what is loaded equals what was saved");
        hold(loaded->fingerprint() == ring_->fingerprint(), "and has its fingerprint");
        hold(loaded->points() == want_.points, "and its points");
        hold(loaded->saved() == text, "and is saved as the same text");
    }

    std::unique_ptr<list_subject> ring_;
    reference model_;
    placement want_;
    hashring::node_marks marks_;
    std::unique_ptr<difference> said_;
    seen_fingerprints seen_;
    std::uint64_t steps_ = 0;
};

// Runs histories of a scheme, from an empty ring on, and returns the report of the first that
// breaks a law, or "".
inline std::string broken_history(const list_subject& empty, std::uint64_t histories,
                                  std::size_t length) {
    const std::vector<verb> verbs{verb::add,        verb::add,        verb::add_list, verb::remove,
                                  verb::set_weight, verb::set_vnodes, verb::assign,   verb::plan,
                                  verb::mark_down,  verb::mark_up,    verb::copy,     verb::reload};
    return broken_history(
        [&](const auto& history) { return first_failure(ring_run(empty), history); }, verbs,
        histories, length);
}

} // namespace laws
