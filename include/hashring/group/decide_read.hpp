// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/group/answer.hpp>
#include <hashring/group/copy_list.hpp>
#include <hashring/group/members.hpp>
#include <hashring/group/read.hpp>
#include <hashring/group/record.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

/// \file
/// What a read found, and which copies must be given it.

namespace hashring::group {

/// How far a read is.
enum class read_result : std::uint8_t {
    waiting,  ///< more answers are needed and may come: ask (`to_ask`) or wait
    found,    ///< the value of copy `source`
    absent,   ///< there is none, or it was deleted, or it has expired
    failed,   ///< too few copies have answered, and no more will
    conflict, ///< copies hold different bytes of one version, and the master is not among them
};

/// What a read came to.
struct read_decision {
    read_result result = read_result::waiting;
    /// The copy whose record counts, also where that says that the value is gone; or `no_copy`.
    std::size_t source = no_copy;
    /// The copies that answered with something older, something damaged, or nothing at all, in the
    /// order of the plan: they must be given the record of `source`, unchanged, if what they hold
    /// is not newer by then.
    copy_list repair{};
    /// Whether all that answered hold the same.
    bool is_agreed = false;
    /// Whether a majority of all copies holds it. If not, it may be a write that nobody was told
    /// was done, and could vanish again: a reader that must not see it come and go repairs first.
    bool is_settled = false;

    friend constexpr bool operator==(const read_decision&, const read_decision&) = default;
};

namespace detail {

/// The version that an answer speaks for; nothing is below everything.
[[nodiscard]] constexpr version version_of(const copy_answer& answer) noexcept {
    return answer.kind == answer_kind::record ? answer.record.version : version{};
}

/// Whether `a` wins over `b`: it is newer, or something against nothing.
[[nodiscard]] constexpr bool is_newer(const copy_answer& a, const copy_answer& b) noexcept {
    if (a.kind != b.kind) {
        return a.kind == answer_kind::record;
    }
    return version_of(a) > version_of(b);
}

/// Finds the answer that counts among those of a plan's copies, and who differs from it.
class answer_comparison {
public:
    answer_comparison(const read_plan& plan, std::span<const copy_answer> answers,
                      std::size_t master) noexcept
        : plan_(plan), answers_(answers) {
        for (const std::size_t i : plan.order) {
            if (answers[i].counts() && (best_ == no_copy || is_newer(answers[i], answers[best_]))) {
                best_ = i;
            }
        }
        // Of equal versions with different bytes, the master's are the truth.
        if (plan.order.contains(master) && answers[master].counts() &&
            !is_newer(answers[best_], answers[master])) {
            best_ = master;
            is_master_ = true;
        }
    }

    /// Two copies hold different bytes of the version that counts, and neither is the master.
    [[nodiscard]] bool has_conflict() const noexcept {
        for (const std::size_t i : plan_.order) {
            if (answers_[i].counts() && !is_newer(best(), answers_[i]) &&
                !(answers_[i] == best())) {
                return !is_master_;
            }
        }
        return false;
    }

    [[nodiscard]] read_decision decide(std::size_t majority, std::uint64_t now) const noexcept {
        const bool is_record = best().kind == answer_kind::record;
        read_decision result;
        result.result =
            is_record && !is_gone(best().record, now) ? read_result::found : read_result::absent;
        result.source = is_record ? best_ : no_copy;
        result.is_agreed = true;
        std::size_t holders = 0;
        for (const std::size_t i : plan_.order) {
            const bool is_same = answers_[i] == best();
            holders += is_same ? 1U : 0U;
            const bool differs =
                !is_same && (answers_[i].counts() || answers_[i].kind == answer_kind::damaged);
            result.is_agreed = result.is_agreed && !differs;
            if (differs && is_record) {
                result.repair.push_back(i);
            }
        }
        result.is_settled = holders >= majority;
        return result;
    }

private:
    [[nodiscard]] const copy_answer& best() const noexcept { return answers_[best_]; }

    const read_plan& plan_;
    std::span<const copy_answer> answers_;
    std::size_t best_ = no_copy;
    bool is_master_ = false;
};

} // namespace detail

/// What a read came to. `answers` stand at the indices of the group's copies; those of copies that
/// are not on the plan do not count. `now` is in milliseconds since 1970 and decides what has
/// expired.
///
/// As soon as `plan.needed` copies have answered, the newest version among them counts, all the
/// answers being compared that are there; a copy that has nothing is older than any record. Between
/// different bytes of one version, which no writer makes, the master's count.
///
/// Law: if a majority of complete copies holds a version, a majority read finds it or a newer one.
/// Source: Redis paper, third strategy: read a majority and check that they agree.
[[nodiscard]] inline read_decision decide_read(const read_plan& plan, const members& group,
                                               std::span<const copy_answer> answers,
                                               std::uint64_t now) noexcept {
    const answer_counts known = count_answers(plan, answers);
    if (plan.order.empty() || known.counted + known.pending + known.unasked < plan.needed) {
        return {read_result::failed, no_copy, {}, false, false};
    }
    if (known.counted < plan.needed) {
        return {};
    }
    const detail::answer_comparison compared(plan, answers, group.master());
    if (compared.has_conflict()) {
        return {read_result::conflict, no_copy, {}, false, false};
    }
    return compared.decide(majority(group.size()), now);
}

} // namespace hashring::group
