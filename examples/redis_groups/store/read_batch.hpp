// SPDX-License-Identifier: MIT
#pragma once

#include "group_link.hpp"
#include "settings.hpp"

#include <hashring/group/answer.hpp>
#include <hashring/group/decide_read.hpp>
#include <hashring/group/read.hpp>
#include <hashring/group/version.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Reads from one group that travel together.

namespace redis_groups {

enum class read_state : std::uint8_t {
    found,
    absent, ///< there is none, or it was deleted, or it has expired
    failed, ///< not known; `why` says why
};

/// What a read found.
struct read_value {
    read_state state = read_state::failed;
    std::string value{};
    hashring::group::version version{};
    std::uint64_t expires_at = 0; ///< in milliseconds since 1970, 0 for never
    /// Whether a majority of the copies holds it: if not, it may vanish again.
    bool is_settled = false;
    /// The record as it is stored, for those who pass it on; empty if there is none.
    std::string record{};
    std::string why{};
    bool may_pass = false; ///< failed for a reason that a failover ends

    [[nodiscard]] bool is_found() const noexcept { return state == read_state::found; }
};

/// Reads from one group by its read strategy, in rounds: `ask` hands questions to the system,
/// `hear` awaits the answers, until `is_decided`.
class read_batch {
public:
    /// `turn` grows by one with each batch, so that copies take turns.
    read_batch(group_link& group, const settings& chosen, std::uint64_t turn);

    /// Adds a key, which must stay until the batch is finished.
    void add(std::string_view key) { questions_.push_back({key, {}, {}, {}, {}}); }
    [[nodiscard]] std::size_t size() const noexcept { return questions_.size(); }

    void begin();
    void ask();
    void hear();
    [[nodiscard]] bool is_decided() const noexcept;
    /// What each read found at `now` (milliseconds since 1970), in the order in which they were
    /// added.
    [[nodiscard]] std::vector<read_value> finish(std::uint64_t now);

private:
    using answers = std::array<hashring::group::copy_answer, hashring::group::max_copies>;
    using texts = std::array<std::string, hashring::group::max_copies>;

    struct question {
        std::string_view key;
        answers heard;
        texts bytes; // what `heard` looks at
        hashring::group::read_decision decision;
        std::string why;
    };

    void ask_copy(std::size_t copy, const std::vector<std::size_t>& about);
    void hear_copy(std::size_t copy);
    void hear_answer(question& about, std::size_t copy, reply answer);
    void lose(std::size_t copy, std::size_t first, const std::string& why);
    [[nodiscard]] read_value result_of(const question& from) const;

    group_link& group_;
    const settings& settings_;
    std::uint64_t turn_;
    hashring::group::read_plan plan_{};
    std::vector<question> questions_;
    std::array<std::vector<std::size_t>, hashring::group::max_copies> asked_{}; // in this round
};

} // namespace redis_groups
