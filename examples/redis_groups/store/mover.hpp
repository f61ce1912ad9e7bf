// SPDX-License-Identifier: MIT
#pragma once

#include "group_link.hpp"
#include "part_move.hpp"
#include "placement.hpp"
#include "sentinel.hpp"
#include "settings.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Moving keys from one ring of groups to another while clients go on.

namespace redis_groups {

/// Keys that could not be moved in time. They are where they were, clients find them there, and
/// `mover::run` goes on where it stopped.
class move_failure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Moves the keys whose arcs change hands. Each key is put on its new owner, as it is and only if
/// nothing newer is there, until a majority of that group's copies has it; then it is taken from
/// the old one. So it can be found at every moment, and being interrupted at any point loses
/// nothing.
///
/// Deletions that are remembered and times to live move along; keys of other types, and values that
/// another program has written, move by DUMP and RESTORE.
class mover {
public:
    struct report {
        std::uint64_t moved = 0;  ///< keys that were put on their new owner
        std::uint64_t looked = 0; ///< keys that were looked at
    };
    /// Told of each batch, with what has been done so far.
    using progress = std::function<void(const report&)>;

    mover(std::shared_ptr<placement> ring, const settings& chosen);

    /// Begins to move to `groups`: from now on clients of the ring write what moves to its new
    /// owner. Throws as `placement::begin_move`, and `connection_failure` or `server_failure` if
    /// the versions of a group cannot be read; then nothing has begun.
    void begin(const std::vector<group_spec>& groups);
    /// Moves all that is to move, and ends the move. Throws `move_failure` once a group could not
    /// be used for `settings::patience`.
    report run(const progress& tell = {});

private:
    [[nodiscard]] std::uint64_t epoch_above_all();
    [[nodiscard]] group_link& link(group_number number);
    void empty_group(group_number from, report& done, const progress& tell);
    [[nodiscard]] moving_part pick(group_number from, const std::vector<std::string>& keys);
    void move_patiently(const moving_part& what);

    std::shared_ptr<placement> placement_;
    settings settings_; // a majority must have what is moved, whatever the clients ask for
    sentinels sentinels_;
    std::vector<std::unique_ptr<group_link>> links_; // by the group's number
};

} // namespace redis_groups
