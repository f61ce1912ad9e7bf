// SPDX-License-Identifier: MIT

#include "../store/client.hpp"
#include "../store/group_metrics.hpp"
#include "../store/mover.hpp"
#include "../store/sentinel.hpp"
#include "run.hpp"

#include <hashring/core/text.hpp>

#include <algorithm>
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

namespace {

/// Refuses a name that stands for other servers than before: keys move from name to name, so those
/// would be taken for the same and get nothing.
void check_places(const std::vector<group_spec>& before, const std::vector<group_spec>& after) {
    for (const group_spec& next : after) {
        for (const group_spec& now : before) {
            const bool is_elsewhere =
                std::find_first_of(now.copies.begin(), now.copies.end(), next.copies.begin(),
                                   next.copies.end()) == now.copies.end();
            if (now.name == next.name && !now.copies.empty() && !next.copies.empty() &&
                is_elsewhere) {
                throw std::invalid_argument(
                    concat("group '", now.name,
                           "' has other copies in --to than in --groups: give it another name"));
            }
        }
    }
}

} // namespace

int move(const request& asked, tool::output& out) {
    const std::vector<group_spec> before = groups_of(asked);
    check_places(before, asked.to);
    const auto ring = std::make_shared<placement>(before);
    mover moves(ring, asked.how);
    moves.begin(asked.to);
    const mover::report done = moves.run();
    out << decimal(done.moved) << " keys of " << decimal(done.looked) << " have moved\n";
    return 0;
}

int metrics(const request& asked, tool::output& out) {
    client of(groups_of(asked), asked.how);
    hashring::metrics_text text;
    add_metrics(text, of, of.counts());
    out << text.text();
    return 0;
}

} // namespace redis_groups::run
