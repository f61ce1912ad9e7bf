// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

/// \file
/// A port that nobody listens on.

namespace redis_groups {

/// A free TCP port of 127.0.0.1, chosen by the system. Somebody may take it before it is used: who
/// starts a server there looks whether it runs. Throws `std::system_error`.
[[nodiscard]] std::uint16_t free_port();

} // namespace redis_groups
