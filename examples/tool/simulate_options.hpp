// SPDX-License-Identifier: MIT
#pragma once

#include "simulate/experiments.hpp"

#include <optional>
#include <string>
#include <string_view>

// NOLINTBEGIN(readability-identifier-naming): these are not ours
namespace CLI {
class App;
} // namespace CLI
// NOLINTEND(readability-identifier-naming)

namespace tool {

/// What `simulate` was asked for, as text.
struct simulation_request {
    std::string experiment;
    std::string seed = "1";
    std::string seeds = "100";
    std::string vnodes = "160";
    std::string k = "100";
    std::optional<std::string> records; ///< 100,000
    std::optional<std::string> periods; ///< 200
    bool mixed = false;
    std::optional<std::string> svg;
};

/// An experiment by its name, and which options it has besides those that all have.
struct known_experiment {
    std::string_view name;
    bool stores_records;
    bool has_periods;
    simulate::experiment (*run)(const simulate::dynamic_settings&, const simulate::step_function&);
};

/// Offers all options; `asked` is filled when they are read.
void add_simulate_options(CLI::App& sub, simulation_request& asked);

/// The experiment that was asked for. Throws `usage_failure` if there is none of that name, and for
/// an option that it would pass over.
[[nodiscard]] const known_experiment& checked_experiment(const simulation_request& asked);

/// The numbers. Throws `usage_failure` for one that is none or out of range.
[[nodiscard]] simulate::dynamic_settings checked_settings(const simulation_request& asked);

} // namespace tool
