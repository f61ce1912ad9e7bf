// SPDX-License-Identifier: MIT
#pragma once

#include "store/settings.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

/// \file
/// The client's settings as options of a command line.

namespace redis_groups {

/// What was given on the command line, and becomes settings.
struct client_options {
    std::vector<std::string> groups{};
    std::string sentinels{};
    std::string user{};
    std::string password{};
    int database = 0;
    std::string write = "sync";
    std::string read = "majority";
    std::string repairing = "refuse";
    std::string patience = "5s";
    std::string io_timeout = "1s";
    std::string wait_timeout = "1s";

    /// Offers how to write and read; and where and as whom.
    void add_strategies(CLI::App& to);
    void add_servers(CLI::App& to);

    /// The settings. Throws `tool::usage_failure` that names what is wrong.
    [[nodiscard]] settings chosen() const;
    /// The groups that were named; a name alone is one that sentinels know.
    [[nodiscard]] std::vector<group_spec> named_groups() const;
};

/// The groups that texts spell: `NAME=HOST:PORT[,HOST:PORT...]`, or a name alone if sentinels know
/// it. Throws `tool::usage_failure`.
[[nodiscard]] std::vector<group_spec> parse_groups(const std::vector<std::string>& texts,
                                                   bool has_sentinels);

} // namespace redis_groups
