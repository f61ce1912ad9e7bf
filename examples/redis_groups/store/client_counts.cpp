// SPDX-License-Identifier: MIT

#include "client.hpp"
#include "reply_check.hpp"
#include "script_texts.hpp"

#include <algorithm>

namespace redis_groups {

namespace group = hashring::group;

void client::count(const std::vector<write_result>& results,
                   const std::vector<group_number>& owners) {
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (owners[i] == no_group) {
            continue;
        }
        hashring::group_counts& to = counts_of(owners[i]);
        switch (results[i].what) {
        case group::outcome::done:
            ++to.done;
            break;
        case group::outcome::refused:
            ++to.refused;
            break;
        case group::outcome::unknown:
            ++to.unknown;
            break;
        }
    }
}

hashring::group_counts& client::counts_of(group_number group) {
    if (counts_.size() <= group) {
        counts_.resize(group + std::size_t{1});
    }
    return counts_[group];
}

std::vector<hashring::group_counts> client::counts() const {
    std::vector<hashring::group_counts> result = counts_;
    for (std::size_t g = 0; g < std::min(result.size(), links_.size()); ++g) {
        result[g].failovers = links_[g] == nullptr ? 0 : links_[g]->failovers();
    }
    return result;
}

std::vector<std::uint64_t> client::key_counts() {
    std::vector<std::uint64_t> counts;
    const placement::use at(*placement_);
    for (const group_number g : at.on_ring()) {
        group_link& link = group(at, g);
        connection& server = link.to_master();
        const reply all = server.call({"DBSIZE"});
        check(all);
        const reply ours = server.call({"EXISTS", version_key});
        check(ours);
        counts.push_back(static_cast<std::uint64_t>(all.number - ours.number));
    }
    return counts;
}

} // namespace redis_groups
