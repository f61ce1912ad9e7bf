// SPDX-License-Identifier: MIT

#include "../store/client.hpp"
#include "../store/group_metrics.hpp"
#include "../store/mover.hpp"
#include "../store/sentinel.hpp"
#include "run.hpp"

#include <hashring/core/text.hpp>

#include <memory>
#include <stdexcept>

namespace redis_groups::run {

using hashring::concat;
using hashring::decimal;

std::vector<group_spec> groups_of(const request& asked) {
    if (!asked.groups.empty()) {
        return asked.groups;
    }
    sentinels from(asked.how.sentinels, asked.how.sentinel_connections);
    std::vector<group_spec> found;
    for (std::string& name : from.groups()) {
        found.push_back({std::move(name), {}, {}});
    }
    if (found.empty()) {
        throw std::runtime_error(concat("no sentinel knows a group: ", from.why_not()));
    }
    return found;
}

int move(request asked, tool::output& out) {
    const auto ring = std::make_shared<placement>(groups_of(asked));
    mover moves(ring, asked.how);
    moves.begin(asked.to);
    const mover::report done = moves.run();
    out << decimal(done.moved) << " keys of " << decimal(done.looked) << " have moved\n";
    return 0;
}

int metrics(request asked, tool::output& out) {
    client of(groups_of(asked), asked.how);
    hashring::metrics_text text;
    add_metrics(text, of, of.counts());
    out << text.text();
    return 0;
}

} // namespace redis_groups::run
