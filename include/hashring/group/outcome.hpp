// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

/// \file
/// What became of a write, and what an error says about it: never a guess.

namespace hashring::group {

/// What became of a write.
enum class outcome : std::uint8_t {
    done,    ///< applied, and acknowledged by as many copies as the strategy asks for
    refused, ///< certainly not applied, and never will be
    unknown, ///< may be applied, and may stay or vanish; nothing else is certain
};

/// The outcome in one word, as metrics name it.
[[nodiscard]] constexpr std::string_view describe(outcome o) noexcept {
    switch (o) {
    case outcome::done:
        return "done";
    case outcome::refused:
        return "refused";
    case outcome::unknown:
        return "unknown";
    }
    return "";
}

/// How far a write had come when an error met it.
enum class phase : std::uint8_t {
    /// The last byte of the command has not been handed to the system, and never will be: a server
    /// cannot have the whole of it. (The connection is closed; what was written may be a part.)
    not_sent,
    /// It may have been, and the master's answer has not come. If in doubt, it was.
    sent,
    /// The master has said that it applied the write; copies are still being waited for.
    applied,
};

/// What went wrong, as far as it matters.
enum class error_kind : std::uint8_t {
    // Of the connection, which is of no use any more:
    connect_failed, ///< it was never made
    timed_out,      ///< no answer, or not the whole of it, within the time
    closed,         ///< the other side closed it, also in the midst of an answer
    bad_reply,      ///< what came is not the protocol, or not an answer to what was asked
    // Answers of a server that has not begun to execute the command:
    read_only,        ///< READONLY: a replica
    no_replicas,      ///< NOREPLICAS: fewer than `min-replicas-to-write`
    out_of_memory,    ///< OOM
    loading,          ///< LOADING its data
    master_down,      ///< MASTERDOWN: a replica without its master
    write_disabled,   ///< MISCONF: it cannot save what it would write
    busy,             ///< BUSY with a script
    not_permitted,    ///< NOAUTH, WRONGPASS, NOPERM, DENIED
    too_many_clients, ///< `ERR max number of clients reached`
    no_script,        ///< NOSCRIPT
    aborted,          ///< EXECABORT: a transaction was discarded
    moved,            ///< MOVED, ASK, TRYAGAIN, CROSSSLOT, CLUSTERDOWN: of Redis Cluster
    wrong_type,       ///< WRONGTYPE: the key holds something else
    // Answers that say nothing about it:
    unblocked, ///< UNBLOCKED: the server became a replica while copies were waited for
    other,     ///< any other text, that of a script that failed on its way among them
};

/// Whether it is a server's word that it has not executed the command. So is WRONGTYPE, of a single
/// command, and of a script that has not written before.
[[nodiscard]] constexpr bool is_refusal(error_kind kind) noexcept {
    return kind >= error_kind::read_only && kind <= error_kind::wrong_type;
}

/// Whether the group's connections are to be dropped and its master to be looked for again: after
/// every error of a connection, and where a server is not, or not yet, a master that serves.
[[nodiscard]] constexpr bool needs_discovery(error_kind kind) noexcept {
    switch (kind) {
    case error_kind::connect_failed:
    case error_kind::timed_out:
    case error_kind::closed:
    case error_kind::bad_reply:
    case error_kind::read_only:
    case error_kind::loading:
    case error_kind::master_down:
    case error_kind::too_many_clients:
    case error_kind::moved:
    case error_kind::unblocked:
        return true;
    default:
        return false;
    }
}

/// What became of a write that an error met, in this order:
///
/// 1. `not_sent`: refused, whatever the error.
/// 2. `applied`: unknown, whatever the error: the write stands on the master, and whether it stays
///    is not known. (Where the master's word is enough, the write was done before.)
/// 3. `sent`: refused if it is a server's word that it has not begun (`is_refusal`), else unknown.
///
/// A new kind of error has to be listed to be a refusal; an unlisted one is unknown.
[[nodiscard]] constexpr outcome outcome_of(error_kind kind, phase at) noexcept {
    if (at == phase::not_sent || (at == phase::sent && is_refusal(kind))) {
        return outcome::refused;
    }
    return outcome::unknown;
}

} // namespace hashring::group
