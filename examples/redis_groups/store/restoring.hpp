// SPDX-License-Identifier: MIT
#pragma once

#include "connection.hpp"

#include <string_view>

/// \file
/// Copying values that another program has written.

namespace redis_groups {

/// Puts what `from` holds under `key`, of any type and with its time to live, on `to`, unless
/// something is there already. Returns whether it was put: it may also have expired. Nothing is on
/// its way on either connection. Throws as `connection`, and `server_failure`.
bool restore_if_absent(connection& from, connection& to, std::string_view key);

} // namespace redis_groups
