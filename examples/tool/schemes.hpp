// SPDX-License-Identifier: MIT
#pragma once

#include "placement.hpp"

#include <vector>

namespace tool {

// Each of these is a file of its own, as each scheme is a ring or a table to compile.

/// The schemes of memcached's clients and proxy.
[[nodiscard]] std::vector<scheme_entry> schemes_of_memcached();
/// Those of load balancers and RPC libraries.
[[nodiscard]] std::vector<scheme_entry> schemes_of_proxies();
/// Those of Redis clients and of languages' own rings.
[[nodiscard]] std::vector<scheme_entry> schemes_of_clients();

} // namespace tool
