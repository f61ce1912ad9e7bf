// SPDX-License-Identifier: MIT
#pragma once

#include "commands.hpp"

#include <CLI/CLI.hpp>

#include <map>
#include <string>

// What several commands are offered on the command line.
namespace tool {

/// Scheme options as the command line holds them, by name.
using raw_options = std::map<std::string, std::string>;

/// Offers every option that some scheme declares, once.
void add_options_of_schemes(CLI::App& sub, raw_options& raw);
/// The same, and what there is only with `--allocator corrected`.
void add_scheme_options(CLI::App& sub, request& asked, raw_options& raw);
void add_nodes(CLI::App& sub, request& asked);
void add_keys(CLI::App& sub, request& asked, const std::string& help);
/// Offers keys one by one. The parser splits [a,b] in two unless it expects a certain number of
/// values: so it is given a large one, on which `TakeAll` does not insist.
void add_given_keys(CLI::App& sub, request& asked, const std::string& help);
void add_copies(CLI::App& sub, request& asked, const std::string& help);
void add_spread(CLI::App& sub, request& asked);
void add_format(CLI::App& sub, request& asked, const std::string& preset);
void add_no_time(CLI::App& sub, request& asked);
void add_plan_options(CLI::App& sub, request& asked);

} // namespace tool
