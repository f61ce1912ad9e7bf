// SPDX-License-Identifier: MIT
#pragma once

#include "grid.hpp"
#include "output.hpp"
#include "placement.hpp"
#include "simulate_options.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tool {

/// What the command line asked for, as text; each command checks what it uses.
struct request {
    std::string scheme = "xxh3";
    option_values options; ///< of the scheme
    std::optional<std::string> allocator;
    std::string nodes;
    std::string from;
    std::string to;
    std::optional<std::string> keys;
    bool hex = false;
    std::optional<std::string> copies;
    std::optional<std::string> spread; ///< copies over zones, racks or hosts
    bool strict = false;               ///< no two copies in one of them
    std::optional<std::string> format;
    std::string key;
    std::vector<std::string> given_keys;
    std::string reference = "libmemcached"; ///< of `compat`
    std::vector<std::string> schemes;       ///< that `compare` compares; all if there are none
    std::optional<std::string> gap;         ///< of `advise`
    std::optional<std::string> count;       ///< nodes to make up
    bool no_time = false;                   ///< nothing in the output that differs from run to run
    std::optional<std::string> report;
    std::optional<std::string> command;
    std::optional<std::string> state;
    std::string rule = "weights";
    std::string threshold = "5%";
    bool watch = false;
    std::string period = "30s";
    simulation_request simulation;
};

void place_command(const request& asked, output& out);
void ring_command(const request& asked, output& out);
void report_command(const request& asked, output& out);
void diff_command(const request& asked, output& out);
void explain_command(const request& asked, output& out);
void compat_command(const request& asked, output& out);
void compare_command(const request& asked, output& out);
void advise_command(const request& asked, output& out);
void plan_command(const request& asked, output& out);
void simulate_command(const request& asked, output& out);
void schemes_command(const request& asked, output& out);
void slot_command(const request& asked, output& out);

/// The scheme that was asked for, by the allocator that was, with its options checked; throws
/// `usage_failure`.
[[nodiscard]] const scheme_entry& checked_scheme(const request& asked);

/// The nodes of `file` placed by `scheme`, which takes all options; throws `usage_failure`.
[[nodiscard]] std::unique_ptr<placement> placement_by(const scheme_entry& scheme,
                                                      const std::vector<listed_node>& nodes,
                                                      const option_values& options,
                                                      const std::string& file);

/// How many copies of each key were asked for, which the scheme can place; throws `usage_failure`.
[[nodiscard]] std::size_t checked_copies(const request& asked);

/// Throws `usage_failure` if the scheme that was asked for has neither points nor slots.
void check_lists_points(const request& asked);

/// Throws `usage_failure` if both are standard input, which `names` calls by their options.
void check_one_stdin(std::string_view first, std::string_view second, std::string_view names);

/// The nodes of `file` placed by the scheme that was asked for; throws `usage_failure`.
[[nodiscard]] std::unique_ptr<placement> checked_placement(const request& asked,
                                                           const std::string& file);

} // namespace tool
