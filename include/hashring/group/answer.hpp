// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/group/copy_list.hpp>
#include <hashring/group/read.hpp>
#include <hashring/group/record.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

/// \file
/// What copies answered to a read, and whom to ask next.

namespace hashring::group {

/// What came of asking a copy.
enum class answer_kind : std::uint8_t {
    unasked, ///< it has not been asked, or not for this read
    pending, ///< asked, no answer yet
    absent,  ///< it has nothing under the key
    record,  ///< it has a record, perhaps a tombstone
    damaged, ///< it has bytes that are no record
    failed,  ///< an error, or time is up
};

/// The answer of one copy.
struct copy_answer {
    answer_kind kind = answer_kind::unasked;
    record_view record{}; ///< a view of the bytes that came

    /// Whether it says what the copy holds; damaged bytes do not.
    [[nodiscard]] constexpr bool counts() const noexcept {
        return kind == answer_kind::absent || kind == answer_kind::record;
    }
    friend constexpr bool operator==(const copy_answer&, const copy_answer&) = default;
};

/// The answer that the bytes under a key are; the bytes must stay as long as the answer.
[[nodiscard]] constexpr copy_answer answer_of(std::string_view bytes) noexcept {
    const decoded what = decode(bytes);
    return {what ? answer_kind::record : answer_kind::damaged, what.record};
}

/// How many of the plan's copies have answered, may still answer, and can still be asked.
struct answer_counts {
    std::size_t counted = 0;
    std::size_t pending = 0;
    std::size_t unasked = 0;

    friend constexpr bool operator==(const answer_counts&, const answer_counts&) = default;
};

/// Counts the answers, which stand at their copies' indices, of the copies on the plan.
[[nodiscard]] constexpr answer_counts count_answers(const read_plan& plan,
                                                    std::span<const copy_answer> answers) noexcept {
    answer_counts result;
    for (const std::size_t i : plan.order) {
        result.counted += answers[i].counts() ? 1U : 0U;
        result.pending += answers[i].kind == answer_kind::pending ? 1U : 0U;
        result.unasked += answers[i].kind == answer_kind::unasked ? 1U : 0U;
    }
    return result;
}

/// The copies to ask now, in the plan's order: as many as could be missing if all that were asked
/// answer. At first those are the plan's first `needed` copies; after a failure it is the next one.
[[nodiscard]] constexpr copy_list to_ask(const read_plan& plan,
                                         std::span<const copy_answer> answers) noexcept {
    const answer_counts known = count_answers(plan, answers);
    copy_list result;
    for (const std::size_t i : plan.order) {
        if (known.counted + known.pending + result.size() < plan.needed &&
            answers[i].kind == answer_kind::unasked) {
            result.push_back(i);
        }
    }
    return result;
}

} // namespace hashring::group
