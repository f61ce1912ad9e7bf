// SPDX-License-Identifier: MIT
#pragma once

#include "laws/bucket_model.hpp"
#include "laws/hold.hpp"
#include "laws/operations.hpp"
#include "laws/reference.hpp"
#include "laws/report.hpp"
#include "laws/table_subject.hpp"
#include "support/dice.hpp"

#include <hashring/core/text.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace laws {

// What changes when a node comes or goes.
enum class movement : std::uint8_t {
    own_keys, // keys go to the node, or come from it, and no others move
    by_place, // all may move, but they go by the node's place in the list and not by its name
    any       // all may move
};

// A table beside its reference, through one history.
class table_run {
public:
    table_run(const table_subject& empty, movement moves)
        : table_(empty.copy()),
          promised_(empty.promised()),
          moves_(moves),
          buckets_(promised_.capacity) {}

    // Throws `broken_law`.
    void step(const operation& op) {
        dice random(++steps_);
        const std::unique_ptr<table_subject> before = table_->copy();
        if (!carry_out(op)) {
            hold(table_->equals(*before), "what is refused changes nothing");
            hold(table_->slots() == before->slots(), "what is refused moves nothing");
            return;
        }
        std::vector<std::uint64_t> positions{0, ~std::uint64_t{0}};
        for (int i = 0; i < 60; ++i) {
            positions.push_back(random.next());
        }
        check_nodes();
        check_look_up(positions, random);
        check_shares();
        check_movement(op, *before, positions);
        check_equality(*before);
        check_fresh(positions, random);
        check_copy();
        check_saved(positions);
    }

private:
    // What the table alone refuses of a list that may be one of a ring: throws for it.
    void check_list(const operation& op, const reference& next) const {
        const bool adds = op.what == verb::add || op.what == verb::add_list;
        for (const drawn_node& node : op.nodes) {
            const bool named = is_list(op.what) || adds || &node == &op.nodes.back();
            const bool is_new = !adds || promised_.is_by_bucket ||
                                std::ranges::find(model_.nodes, node.name_text(),
                                                  &node_spec::name) == model_.nodes.end();
            const bool taken = !node.vnodes && (promised_.takes_weights || node.halves == 2);
            if (named && is_new && !taken) {
                throw std::invalid_argument("a weight or a count");
            }
        }
        if (promised_.is_by_bucket && next.nodes.size() > promised_.capacity) {
            throw std::invalid_argument("the capacity");
        }
    }
    // Whether the call itself checks a node, and with what it must be refused.
    std::size_t applied(const operation& op, reference& next) const {
        const bool is_member = !has_no_node(op.what) &&
                               std::ranges::find(model_.nodes, op.nodes.empty() ? "" : op.name(),
                                                 &node_spec::name) != model_.nodes.end();
        if (op.what == verb::remove && is_member && !promised_.removes_any &&
            model_.nodes.back().name != op.name()) {
            throw std::invalid_argument("not the last");
        }
        const std::size_t result = next.apply(op);
        if (op.what == verb::add || is_list(op.what) || (op.what == verb::replace && is_member)) {
            check_list(op, next);
        }
        if (!promised_.is_by_bucket) {
            static_cast<void>(table_->fresh(next.nodes)); // what the scheme refuses
        }
        return result;
    }

    bool carry_out(const operation& op) {
        reference next = model_;
        std::optional<std::size_t> result; // nothing if it must be refused
        try {
            result = applied(op, next);
        } catch (const std::invalid_argument&) {
            result.reset();
        }
        try {
            const std::size_t got = call(op);
            hold(result.has_value(), "what nobody can take is refused");
            hold(got == *result, "a call says what it did", got);
        } catch (const std::invalid_argument& error) {
            hold(!result.has_value(), "what can be taken is", error.what());
            return false;
        }
        if (op.what == verb::replace && *result == 1) {
            if (promised_.is_by_bucket) {
                buckets_.rename(op.name(), op.nodes[1].name_text());
            }
        } else if (promised_.is_by_bucket) {
            buckets_.become(next.nodes);
        }
        model_ = std::move(next);
        return true;
    }
    std::size_t call(const operation& op) {
        if (op.what == verb::copy) {
            table_ = table_->copy();
            return 0;
        }
        return table_->apply(op);
    }

    std::vector<node_spec> listed() const {
        return promised_.is_by_bucket ? buckets_.nodes() : table_->arranged(model_.nodes);
    }

    void check_nodes() const {
        const std::vector<node_spec> want = listed();
        hold(table_->nodes() == want, "the nodes are those of the list");
        for (const std::string_view name : names) {
            const auto place = std::ranges::find(want, name, &node_spec::name);
            const auto index = place == want.end()
                                   ? hashring::no_node
                                   : static_cast<std::uint32_t>(place - want.begin());
            hold(table_->index_of(name) == index, "a member is found and nobody else", name);
        }
    }

    void check_look_up(const std::vector<std::uint64_t>& positions, dice& random) const {
        const std::vector<std::uint32_t> slots = table_->slots();
        const std::vector<std::uint32_t> counts = table_->counts();
        const auto placed = std::ranges::count_if(counts, [](auto count) { return count > 0; });
        hold(table_->placed_count() == static_cast<std::size_t>(placed), "who owns is placed");
        for (const std::uint64_t p : positions) {
            const std::uint32_t owner = table_->owner_index_at(p);
            hold(placed == 0 ? owner == hashring::no_node : counts.at(owner) > 0,
                 "an owner is a node that may own", p);
            hold(slots.empty() || slots.at(table_->slot_of(p)) == owner,
                 "the owner of a position is that of its slot", p);
        }
        for (int i = 0; i < 4; ++i) {
            const std::string key = hashring::concat("key-", hashring::decimal(random.below(1000)));
            const std::uint32_t owner = table_->owner_index_at(table_->position(key));
            hold(table_->owner(key) ==
                     (owner == hashring::no_node ? "" : table_->nodes()[owner].name),
                 "a key's owner is that of its position", key);
        }
    }

    void check_shares() const {
        const std::vector<std::uint32_t> slots = table_->slots();
        const std::vector<std::uint32_t> counts = table_->counts();
        const std::vector<double> shares = table_->shares();
        hold(shares.size() == counts.size(), "every node has a share");
        double sum = 0;
        for (std::uint32_t i = 0; i < shares.size(); ++i) {
            sum += shares[i];
            hold((shares[i] > 0) == (counts[i] > 0), "who may own has a share");
            if (!slots.empty()) {
                const auto own = std::ranges::count(slots, i);
                hold(own == static_cast<std::ptrdiff_t>(counts[i]), "counts are those of slots");
                hold(shares[i] == static_cast<double>(own) / static_cast<double>(slots.size()),
                     "shares are those of slots");
            }
        }
        hold(std::abs(sum - (table_->placed_count() > 0 ? 1.0 : 0.0)) < 1e-9, "shares sum to 1");
    }

    void check_movement(const operation& op, const table_subject& before,
                        const std::vector<std::uint64_t>& positions) const {
        const auto name = [](const table_subject& of, std::uint64_t p) {
            const std::uint32_t owner = of.owner_index_at(p);
            return owner == hashring::no_node ? std::string() : of.nodes()[owner].name;
        };
        const bool one =
            op.what == verb::add || op.what == verb::remove || op.what == verb::set_weight;
        const bool same_weight = op.what == verb::replace && before.counts() == table_->counts();
        for (const std::uint64_t p : positions) {
            const std::string from = name(before, p);
            const std::string to = name(*table_, p);
            hold(from == to || !has_no_node(op.what), "a copy moves nothing", p);
            if (one && moves_ == movement::own_keys) {
                hold(from == to || (from == op.name() && op.what != verb::add) ||
                         (to == op.name() && op.what != verb::remove),
                     "only what its node takes or gives moves", p);
            }
            if (same_weight && moves_ != movement::any) {
                hold(to == (from == op.name() && !from.empty() ? op.nodes[1].name_text() : from),
                     "who replaces a node takes over exactly its keys", p);
            }
        }
    }

    void check_equality(const table_subject& before) {
        const bool same = content(before) == content(*table_);
        const bool equal = table_->equals(before);
        hold(!equal || table_->fingerprint() == before.fingerprint(),
             "equal tables have equal fingerprints");
        hold(!equal || table_->differences_from(before) == 0, "equal tables have no difference");
        hold(table_->fingerprint() == before.fingerprint() || table_->differences_from(before) > 0,
             "what differs has a reason");
        hold(!equal || same, "equal tables have the same slots");
        if (promised_.is_by_bucket) {
            seen_.see(buckets_.content(), table_->fingerprint());
        } else {
            seen_.see(content(*table_), table_->fingerprint());
        }
    }
    // What a placement is made of: slots by the names of their owners, or the nodes and weights.
    static std::string content(const table_subject& of) {
        const bool is_slotted = of.promised().is_slotted;
        std::string text;
        const std::vector<node_spec> nodes = of.nodes();
        const std::vector<std::uint32_t> slots = of.slots();
        for (const std::uint32_t owner : slots) {
            text += nodes[owner].name + ",";
        }
        for (std::size_t i = 0; !is_slotted && i < nodes.size(); ++i) {
            text += nodes[i].name + nodes[i].weight.text() + ",";
        }
        return text;
    }

    void check_fresh(const std::vector<std::uint64_t>& positions, dice& random) const {
        if (promised_.is_by_bucket) {
            return; // how it came about is a part of it
        }
        std::vector<node_spec> list = model_.nodes;
        if (!promised_.order_matters) {
            random.shuffle(list);
        }
        const std::unique_ptr<table_subject> other = table_->fresh(list);
        hold(other->equals(*table_), "the list alone makes the table");
        hold(other->fingerprint() == table_->fingerprint(), "the list makes the fingerprint");
        same_owners(*other, positions);
    }
    void same_owners(const table_subject& other,
                     const std::vector<std::uint64_t>& positions) const {
        hold(other.slots() == table_->slots(), "equal tables have equal slots");
        for (const std::uint64_t p : positions) {
            hold(other.owner_index_at(p) == table_->owner_index_at(p),
                 "equal tables have equal owners", p);
        }
    }

    void check_copy() const {
        const std::string before = content(*table_);
        const std::unique_ptr<table_subject> changed = table_->copy();
        hold(changed->equals(*table_), "a copy is equal");
        if (!model_.nodes.empty()) {
            const std::string name = table_->nodes().back().name;
            drawn_node drawn;
            while (drawn.name_text() != name) {
                ++drawn.name;
            }
            try {
                changed->apply({verb::remove, {drawn}});
            } catch (const std::invalid_argument&) {
                return; // a list that some program does not take
            }
            hold(!changed->equals(*table_), "a table without a node is another");
        }
        hold(content(*table_) == before, "a copy is its own");
        check_order_of_leaving();
    }
    // Of two that leave the last one is the first whose bucket is taken again.
    void check_order_of_leaving() const {
        if (!promised_.is_by_bucket || model_.nodes.size() < 2) {
            return;
        }
        const auto without = [&](std::size_t first, std::size_t second) {
            std::unique_ptr<table_subject> result = table_->copy();
            for (const std::size_t i : {first, second}) {
                drawn_node drawn;
                while (drawn.name_text() != model_.nodes[i].name) {
                    ++drawn.name;
                }
                result->apply({verb::remove, {drawn}});
            }
            return result;
        };
        const auto one = without(0, 1);
        const auto other = without(1, 0);
        hold(one->nodes() == other->nodes(), "who is left does not hang on the order");
        hold(!one->equals(*other), "the order in which nodes left is a part of the table");
        hold(one->fingerprint() != other->fingerprint(), "and of its fingerprint");
        hold(one->differences_from(*other) > 0, "and a reason to differ");
    }

    void check_saved(const std::vector<std::uint64_t>& positions) const {
        const std::string text = table_->saved();
        const std::unique_ptr<table_subject> loaded = table_->loaded(text);
        hold(loaded->equals(*table_), "what is loaded equals what was saved");
        hold(loaded->fingerprint() == table_->fingerprint(), "and has its fingerprint");
        hold(loaded->saved() == text, "and is saved as the same text");
        same_owners(*loaded, positions);
    }

    std::unique_ptr<table_subject> table_;
    table_promises promised_;
    movement moves_;
    bucket_model buckets_;
    reference model_;
    seen_fingerprints seen_;
    std::uint64_t steps_ = 0;
};

inline std::string broken_history(const table_subject& empty, movement moves,
                                  std::uint64_t histories, std::size_t length) {
    const table_promises promised = empty.promised();
    std::vector<verb> verbs{verb::add,    verb::add,  verb::add_list, verb::remove,
                            verb::assign, verb::copy, verb::reload};
    if (promised.changes_weights) {
        verbs.push_back(verb::set_weight);
    }
    if (promised.replaces) {
        verbs.push_back(verb::replace);
    }
    return broken_history(
        [&](const auto& history) { return first_failure(table_run(empty, moves), history); }, verbs,
        histories, length, promised.takes_weights ? 8 : 1);
}

} // namespace laws
