// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

/// \file
/// How a group reads and writes: what its user chooses once.

namespace hashring::group {

/// Who must have acknowledged a write before it is done.
///
/// Source: Redis paper, read and write strategies in a group, 1 to 3.
enum class write_strategy : std::uint8_t {
    master_only,        ///< the master; replicas are only there to take over
    master_first_async, ///< the master; replicas follow when they can, and are read
    master_first_sync,  ///< the master, and then replicas until a majority of all copies has it
};

/// The strategy in a few words.
[[nodiscard]] constexpr std::string_view describe(write_strategy strategy) noexcept {
    switch (strategy) {
    case write_strategy::master_only:
        return "master only";
    case write_strategy::master_first_async:
        return "master first, replicas later";
    case write_strategy::master_first_sync:
        return "master first, then a majority";
    }
    return "";
}

/// Who is asked for a value.
enum class read_strategy : std::uint8_t {
    master,            ///< the master alone
    any_copy,          ///< all copies in turn, the master among them
    replica_preferred, ///< the replicas in turn, and the master where there is none
    replica_only,      ///< the replicas in turn
    majority,          ///< a majority of all copies, of which the newest value counts
};

/// What a copy serves that is not complete, and a group whose master is not.
enum class repair_policy : std::uint8_t {
    serve,     ///< reads and writes, as if it were complete
    read_only, ///< reads
    refuse,    ///< nothing
};

/// What is read in safe mode.
enum class safe_reads : std::uint8_t {
    serve,  ///< what can be read by the group's read strategy
    refuse, ///< nothing
};

/// When a group leaves safe mode.
enum class safe_exit : std::uint8_t {
    all_copies, ///< when every copy that it is meant to have is complete
    majority,   ///< when more than half are, and none that answers is not
};

/// The rules of a group.
struct rules {
    write_strategy write = write_strategy::master_first_sync;
    read_strategy read = read_strategy::majority;
    repair_policy repair = repair_policy::refuse;
    group::safe_reads safe_reads = group::safe_reads::serve;
    safe_exit leave = safe_exit::all_copies;

    friend bool operator==(const rules&, const rules&) = default;
};

/// Whether the strategy has a safe mode: only where a majority is promised. Under the others a
/// group of two goes on with one copy, at the price that they have anyway.
///
/// Source: Redis paper, the third strategy.
[[nodiscard]] constexpr bool has_safe_mode(write_strategy strategy) noexcept {
    return strategy == write_strategy::master_first_sync;
}

/// Why a group does not even try. A write that is refused so is certainly not applied.
enum class refusal : std::uint8_t {
    none,           ///< it does
    no_master,      ///< no copy is the master
    master_down,    ///< it does not answer
    safe_mode,      ///< half of the copies or more are lost, or were and are not complete again
    under_repair,   ///< the copy is not complete, and the policy says that then it does not serve
    no_replica,     ///< no replica may be read, and the strategy allows nobody else
    too_few_copies, ///< too few copies may be read
};

/// The reason in words, empty for `refusal::none`.
[[nodiscard]] constexpr std::string_view describe(refusal why) noexcept {
    switch (why) {
    case refusal::none:
        return "";
    case refusal::no_master:
        return "the group has no master";
    case refusal::master_down:
        return "the master does not answer";
    case refusal::safe_mode:
        return "the group is in safe mode: half of its copies or more are or were lost";
    case refusal::under_repair:
        return "the master is being repaired";
    case refusal::no_replica:
        return "no replica can be read";
    case refusal::too_few_copies:
        return "too few copies can be read";
    }
    return "";
}

} // namespace hashring::group
