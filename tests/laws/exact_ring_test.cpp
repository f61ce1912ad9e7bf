// SPDX-License-Identifier: MIT
#include "laws/answer_laws.hpp"
#include "laws/difference_laws.hpp"
#include "laws/hold.hpp"
#include "laws/operations.hpp"
#include "laws/reference.hpp"
#include "laws/report.hpp"
#include "laws/ring_subject.hpp"
#include "laws/subject.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/test_schemes.hpp"

#include <hashring/core/uint128.hpp>
#include <hashring/placement/xxh3.hpp>
#include <hashring/ring/exact_ring.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Rings that depend on their history: their points are their own, but what moves, and how much, is
// not.

using hashring::uint128;
using laws::hold;
using laws::operation;
using laws::verb;

namespace {

template <class Scheme>
class exact_subject final : public laws::ring_answers<hashring::exact_ring<Scheme>, laws::subject> {
    using ring_type = hashring::exact_ring<Scheme>;
    using answers = laws::ring_answers<ring_type, laws::subject>;
    using answers::ring_;

public:
    exact_subject() : answers(ring_type()) {}
    explicit exact_subject(ring_type ring) : answers(std::move(ring)) {}

    std::string saved() const override { return ring_.save(); }
    std::size_t differences_from(const laws::subject& other) const override {
        return this->equals(other) ? 0 : 1;
    }
    std::unique_ptr<laws::subject> copy() const override {
        return std::make_unique<exact_subject>(*this);
    }
    std::unique_ptr<laws::subject> loaded(const std::string& text) const override {
        return std::make_unique<exact_subject>(ring_type::load(text));
    }

    // What a change says that moved.
    laws::difference apply(const operation& op, const uint128& amount) {
        switch (op.what) {
        case verb::add:
            return laws::difference_of(ring_.join(op.node().spec()));
        case verb::remove:
            return laws::difference_of(ring_.leave(op.name()));
        case verb::set_weight:
            return laws::difference_of(ring_.resize(op.name(), op.node().spec().weight));
        case verb::transfer:
            return laws::difference_of(ring_.transfer(op.name(), op.nodes[1].name_text(), amount));
        case verb::reload:
            ring_ = ring_type::load(ring_.save());
            return {};
        default:
            ring_ = ring_type(ring_);
            return {};
        }
    }
};

// A ring beside its reference, through one history.
template <class Scheme>
class exact_run {
public:
    void step(const operation& op) {
        dice random(++steps_);
        const exact_subject<Scheme> before = ring_;
        const laws::placement was = own(before);
        laws::difference said;
        if (!carry_out(op, said)) {
            hold(ring_.equals(before), "what is refused changes nothing");
            return;
        }
        const laws::placement is = own(ring_);
        laws::check_answers(ring_, is, random);
        const auto arcs = laws::check_difference(before, was, ring_, is, random);
        hold(said.arcs == arcs, "a change says what moved");
        check_moved(op, said, before);
        check_shares(is);
        check_saved(is);
    }

private:
    // What it is made of by its own account.
    laws::placement own(const exact_subject<Scheme>& ring) const {
        std::vector<laws::node_spec> nodes = model_.nodes;
        std::ranges::sort(nodes, {}, &laws::node_spec::name);
        laws::placement result{ring.nodes(), std::vector<std::uint32_t>(nodes.size()),
                               ring.points(), Scheme::last_position};
        for (const laws::point& p : result.points) {
            ++result.counts.at(p.owner);
        }
        return result;
    }
    uint128 owned(const exact_subject<Scheme>& ring, const std::string& name) const {
        const std::uint32_t index = ring.index_of(name);
        return index == hashring::no_node ? uint128() : ring.widths()[index];
    }

    bool is_refused(const operation& op) {
        if (op.what == verb::copy || op.what == verb::reload) {
            return false;
        }
        if (op.what == verb::add) {
            return op.name().empty() || model_.has(op.name());
        }
        if (op.what == verb::transfer) {
            const std::string to = op.nodes[1].name_text();
            return !model_.has(op.name()) || !model_.has(to) || to == op.name() ||
                   model_.find(to)->weight.thousandths() == 0;
        }
        return !model_.has(op.name());
    }

    bool carry_out(const operation& op, laws::difference& said) {
        const bool refused = is_refused(op);
        try {
            if (op.what == verb::transfer) { // eighths of what there is
                amount_ = hashring::divide(owned(ring_, op.name()), 8).quotient;
            }
            said = ring_.apply(op, amount_);
            hold(!refused, "what nobody can take is refused");
        } catch (const std::invalid_argument& error) {
            hold(refused, "what can be taken is", error.what());
            return false;
        }
        static_cast<void>(model_.apply(op));
        was_transferred_ = was_transferred_ || op.what == verb::transfer;
        return true;
    }

    void check_moved(const operation& op, const laws::difference& said,
                     const exact_subject<Scheme>& before) const {
        if (laws::has_no_node(op.what)) {
            hold(said.arcs.empty(), "a copy moves nothing");
            return;
        }
        const std::string name = op.name();
        bool comes = true;
        bool goes = true;
        for (const laws::moved& arc : said.arcs) {
            comes = comes && arc.to == name;
            goes = goes && arc.from == name;
        }
        // Who is the only one to own anything takes and leaves the whole circle.
        hold(op.what == verb::add          ? comes
             : op.what == verb::set_weight ? comes || goes
                                           : goes,
             "all that moves goes to its node, or all comes from it");
        if (op.what == verb::add) {
            hold(said.width == owned(ring_, name), "who joins takes what it then owns");
        } else if (op.what == verb::remove) {
            hold(said.width == owned(before, name), "who leaves gives what it owned");
        } else if (op.what == verb::transfer) {
            hold(said.width == amount_, "exactly the amount is transferred");
        }
    }

    // Every node owns what its weight asks for, to a position or two, if nobody wished otherwise.
    void check_shares(const laws::placement& is) const {
        double weights = 0;
        for (const laws::node_spec& node : is.nodes) {
            weights += node.weight.value();
        }
        const std::vector<uint128> widths = ring_.widths();
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const double weight = is.nodes[i].weight.value();
            hold(weight > 0 || widths[i] == 0, "a weight of 0 owns nothing");
            if (!was_transferred_ && weights > 0) {
                const double wished = is.circle().to_double() * weight / weights;
                const double off = std::abs(widths[i].to_double() - wished);
                hold(off < 2 || off < 1e-12 * wished, "shares are as the weights", off);
            }
        }
    }

    void check_saved(const laws::placement& is) const {
        const std::string text = ring_.saved();
        const auto loaded = ring_.loaded(text);
        hold(loaded->equals(ring_), "what is loaded equals what was saved");
        hold(loaded->fingerprint() == ring_.fingerprint(), "and has its fingerprint");
        hold(loaded->points() == is.points, "and its points");
        hold(loaded->saved() == text, "and is saved as the same text");
    }

    exact_subject<Scheme> ring_;
    laws::reference model_;
    uint128 amount_;
    bool was_transferred_ = false;
    std::uint64_t steps_ = 0;
};

} // namespace

TEMPLATE_TEST_CASE("laws: an exact ring moves what it must and shares as its weights",
                   "[ring][exact][law]", hashring::schemes::xxh3,
                   test_schemes::listed<std::uint8_t>) {
    const std::vector<verb> verbs{verb::add,      verb::add,  verb::remove, verb::set_weight,
                                  verb::transfer, verb::copy, verb::reload};
    const laws::failure_of failure = [](const std::vector<operation>& history) {
        return laws::first_failure(exact_run<TestType>(), history);
    };
    CHECK(laws::broken_history(failure, verbs, 2 * laws::all_histories, 16) == "");
}
