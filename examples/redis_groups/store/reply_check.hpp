// SPDX-License-Identifier: MIT
#pragma once

#include "failure.hpp"
#include "reply.hpp"

#include <hashring/group/server_error.hpp>

#include <string>

/// \file
/// An answer that must be none but an error.

namespace redis_groups {

/// What an error says, which is never nothing.
[[nodiscard]] inline std::string error_text(const reply& answer) {
    return answer.text.empty() ? "an error without a word" : answer.text;
}

/// Throws `server_failure` if the answer is an error.
inline void check(const reply& answer) {
    if (answer.is_error()) {
        throw server_failure(hashring::group::server_error(answer.text), error_text(answer));
    }
}

} // namespace redis_groups
