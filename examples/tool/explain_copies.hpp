// SPDX-License-Identifier: MIT
#pragma once

#include "commands.hpp"
#include "json.hpp"
#include "spread.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tool {

/// Who has the copies of a key and who was passed over, in words.
struct copies_account {
    std::vector<std::pair<std::string, std::string>> copies; ///< and why one shares a domain
    std::vector<std::pair<std::string, std::string>> passed; ///< and the domain that was taken
    std::size_t short_of = 0;                                ///< copies that there are not
};

/// What was asked of copies on the command line.
struct copies_request {
    std::size_t count = 1;
    std::optional<spread_request> spread;
    domain_texts domains;            ///< by level, then by place in the nodes file
    std::vector<std::string> levels; ///< their names
};

/// Where the copies of `key` are; `clockwise` are the places of the nodes in the order of the walk.
[[nodiscard]] copies_account copies_of(const placement& placed, const copies_request& asked,
                                       std::string_view key,
                                       const std::vector<std::uint32_t>& clockwise);

/// Adds members `copies`, `passed` and `short_of`.
void add_to_json(const copies_account& a, json& whole);

} // namespace tool
