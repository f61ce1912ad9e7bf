// SPDX-License-Identifier: MIT
#pragma once

#include "group_link.hpp"
#include "settings.hpp"

#include <hashring/group/outcome.hpp>
#include <hashring/group/record.hpp>
#include <hashring/group/version.hpp>
#include <hashring/group/write.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Writes to one group that travel together.

namespace redis_groups {

/// What is to be written under a key; the texts must stay until the batch is finished.
struct write_request {
    std::string_view key{};
    std::string_view value{};
    hashring::group::record_kind kind = hashring::group::record_kind::value;
    std::uint64_t expires_at = 0; ///< in milliseconds since 1970, 0 for never
    /// A record that was made before, in place of all that: it is put as it is if what the key
    /// holds is older, or also if it is the same, so that replicas are given it again.
    std::string_view record{};
};

/// What became of a write.
struct write_result {
    hashring::group::outcome what = hashring::group::outcome::refused;
    std::string why{};                  ///< of a write that is not done
    hashring::group::version version{}; ///< of one that the master has applied
    bool may_pass = false;              ///< refused for a reason that a failover ends

    [[nodiscard]] bool is_done() const noexcept { return what == hashring::group::outcome::done; }
};

/// Writes to one group: all are sent before any answer is awaited, and one `WAIT` behind them tells
/// how many replicas have them all.
class write_batch {
public:
    /// Versions are of `least_epoch` at least.
    write_batch(group_link& group, const settings& chosen, std::uint64_t least_epoch);

    void add(const write_request& what) { writes_.push_back(what); }
    [[nodiscard]] std::size_t size() const noexcept { return writes_.size(); }

    /// Hands the writes to the system, or refuses them all. Throws nothing of a connection's.
    void send();
    /// Awaits the answers: what became of each write, in the order in which they were added.
    [[nodiscard]] std::vector<write_result> finish();
    /// Whether the master did not keep our scripts: then the writes that it refused may pass now.
    [[nodiscard]] bool lacked_script() const noexcept { return lacked_script_; }

private:
    void refuse_all(const std::string& why, bool may_pass);
    void append_all(connection& master);
    void append_write(connection& master, const write_request& what);
    void append_merge(connection& master, const write_request& what);
    void hear(connection& master);
    void hear_write(std::size_t i, const reply& answer);
    void hear_wait(const reply& answer);
    /// Takes in that the connection broke.
    void broke(const connection& master, const connection_failure& failure);
    [[nodiscard]] write_result result_of(std::size_t i) const;
    [[nodiscard]] std::size_t commands() const noexcept;

    struct progress {
        hashring::group::acknowledgements known{};
        hashring::group::version version{};
        std::string why{};
        bool may_pass = false;
    };

    group_link& group_;
    const settings& settings_;
    std::uint64_t least_epoch_;
    std::vector<write_request> writes_;
    std::vector<progress> progress_;
    std::size_t master_ = hashring::group::no_copy; // the copy, while there is something to hear
    std::size_t waits_for_ = 0;                     // replicas
    std::size_t heard_ = 0;                         // answers
    bool must_look_ = false;
    bool lacked_script_ = false;
};

} // namespace redis_groups
