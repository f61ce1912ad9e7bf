// SPDX-License-Identifier: MIT
#pragma once

#include "failure.hpp"
#include "reply.hpp"

#include <hashring/group/server_error.hpp>

/// \file
/// An answer that must be none but an error.

namespace redis_groups {

/// Throws `server_failure` if the answer is an error.
inline void check(const reply& answer) {
    if (answer.is_error()) {
        throw server_failure(hashring::group::server_error(answer.text), answer.text);
    }
}

} // namespace redis_groups
