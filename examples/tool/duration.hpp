// SPDX-License-Identifier: MIT
#pragma once

#include "failure.hpp"

#include <chrono>
#include <cstdint>
#include <string_view>
#include <utility>

namespace tool {

/// The time that `30s`, `500ms`, `5m` or `1h` spells, given as `option`, from 1 ms to 24 h. Throws
/// `usage_failure`.
[[nodiscard]] inline std::chrono::milliseconds parse_duration(std::string_view option,
                                                              std::string_view text) {
    constexpr std::pair<std::string_view, std::int64_t> units[] = {
        {"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}};
    for (const auto& [unit, factor] : units) {
        if (!text.ends_with(unit)) {
            continue;
        }
        const auto count =
            hashring::parse_decimal<std::uint32_t>(text.substr(0, text.size() - unit.size()));
        if (count && *count > 0 && *count <= 86'400'000 / factor) {
            return std::chrono::milliseconds(*count * factor);
        }
    }
    throw usage_failure(
        concat(option, " ", in_quotes(text), " is not a time such as 30s, from 1ms to 24h"));
}

} // namespace tool
