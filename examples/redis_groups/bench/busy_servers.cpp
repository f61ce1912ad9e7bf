// SPDX-License-Identifier: MIT

#include "busy_servers.hpp"

#include "../../tool/grid.hpp"
#include "../store/reply_check.hpp"

#include <algorithm>

namespace redis_groups::bench {

namespace {

/// Longer than any pipeline of such requests takes.
connection_options patient() {
    connection_options options;
    options.io_timeout = std::chrono::seconds(30);
    return options;
}

} // namespace

busy_servers::busy_servers(const placement& ring, std::chrono::microseconds service_time)
    : ring_(ring), service_time_(service_time) {
    const placement::use at(ring_);
    for (group_number g = 0; service_time_.count() > 0 && g < at.group_count(); ++g) {
        masters_.push_back(std::make_unique<connection>(at.group(g).copies.front(), patient()));
    }
}

void busy_servers::begin(std::span<const std::string_view> keys) {
    requests_.assign(masters_.size(), 0);
    if (masters_.empty()) {
        return;
    }
    for (const route& each : placement::use(ring_).routes(keys)) {
        ++requests_[each.owner];
    }
    for (std::size_t g = 0; g < masters_.size(); ++g) {
        if (requests_[g] > 0) {
            const double seconds = std::chrono::duration<double>(service_time_).count() *
                                   static_cast<double>(requests_[g]);
            masters_[g]->append({"DEBUG", "SLEEP", tool::fixed(seconds, 6)});
            masters_[g]->send();
        }
    }
}

void busy_servers::end() {
    for (std::size_t g = 0; g < masters_.size(); ++g) {
        if (requests_[g] > 0) {
            check(masters_[g]->receive());
        }
    }
}

} // namespace redis_groups::bench
