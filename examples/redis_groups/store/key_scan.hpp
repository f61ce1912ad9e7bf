// SPDX-License-Identifier: MIT
#pragma once

#include "connection.hpp"

#include <cstddef>
#include <string>
#include <vector>

/// \file
/// All keys of one server, page by page.

namespace redis_groups {

/// The keys of a server, each at least once if it is there all the time (`SCAN`). Another server,
/// as after a failover, numbers its keys otherwise: there it begins anew.
class key_scan {
public:
    /// Asks for so many keys at a time.
    explicit key_scan(std::size_t page) : page_(page) {}

    /// Some more keys; none if that were all. Nothing else may be on its way on the connection.
    /// Throws as `connection`, and `server_failure`.
    [[nodiscard]] std::vector<std::string> next(connection& server);

private:
    [[nodiscard]] std::vector<std::string> page(connection& server);

    std::size_t page_;
    address server_;
    std::string cursor_ = std::string(1, '0');
    bool is_over_ = false;
};

} // namespace redis_groups
