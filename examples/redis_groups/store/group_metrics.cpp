// SPDX-License-Identifier: MIT

#include "group_metrics.hpp"

namespace redis_groups {

void add_metrics(hashring::metrics_text& to, client& of,
                 const std::vector<hashring::group_counts>& counts) {
    constexpr std::string_view name = "redis_groups";
    const placement::use at(*of.ring());
    add_ring_metrics(to, name, at.ring());
    for (const group_number g : at.on_ring()) {
        const group_view& seen = of.group(at, g).view();
        add_group_metrics(to, name, at.group(g).name, seen.copies(), seen.mode());
        if (g < counts.size()) {
            add_group_counts(to, name, at.group(g).name, counts[g]);
        }
    }
}

} // namespace redis_groups
