// SPDX-License-Identifier: MIT
#pragma once

#include "group_link.hpp"
#include "placement.hpp"
#include "settings.hpp"
#include "write_batch.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

/// \file
/// Moving some keys of one group.

namespace redis_groups {

/// Keys of one group that change hands.
struct moving_part {
    group_number from = no_group;
    std::vector<std::string> keys{};
    std::vector<group_number> to{}; ///< each one's new owner
};

/// Puts keys on their new owners, until a majority of the copies there has them, and then takes
/// them from the old one. To be run again if it was interrupted: what has been moved is not there
/// any more, and what was only copied is copied once more.
class part_move {
public:
    /// The link to a group, looked at anew if that is due.
    using link_of = std::function<group_link&(group_number)>;

    /// `what` and `chosen` are there as long as this is; `chosen` must ask for a majority.
    part_move(const moving_part& what, link_of link, const settings& chosen);

    /// Throws `connection_failure`, and `server_failure` for an error or if too few copies
    /// acknowledge.
    void run();

private:
    /// Records of ours, as they are; says which keys those were.
    void copy_records(std::vector<bool>& is_copied);
    void put(group_number to, const std::vector<write_request>& writes);
    /// A key of any type that another program has written.
    void copy_foreign(std::size_t i);
    void forget();

    const moving_part& what_;
    link_of link_;
    const settings& settings_;
};

} // namespace redis_groups
