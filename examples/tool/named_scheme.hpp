// SPDX-License-Identifier: MIT
#pragma once

#include "commands.hpp"
#include "json.hpp"

namespace tool {

/// What a JSON document begins with: the scheme, and the allocator if it is not the plain one.
[[nodiscard]] inline json named_scheme(const request& asked) {
    json whole = {{"scheme", asked.scheme}};
    if (const auto allocator = asked.allocator.value_or("plain"); allocator != "plain") {
        whole["allocator"] = allocator;
    }
    return whole;
}

} // namespace tool
