// SPDX-License-Identifier: MIT
#pragma once

#include "commands.hpp"

#include <hashring/ring/domains.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tool {

/// Over which failure domains copies go.
struct spread_request {
    std::string domain; ///< zone, rack or host
    hashring::domain_rule rule = hashring::domain_rule::best_effort;
};

/// What `--spread` and `--strict` ask for, nothing without them. The scheme has a circle, and
/// `--copies` is given. Throws `usage_failure`.
[[nodiscard]] std::optional<spread_request> checked_spread(const request& asked);

/// The domains of nodes, from the one that copies are spread over to hosts: of the second level
/// only those in the same domain of the first are alike, and so on. Throws `input_failure` that
/// names the first node of `file` whose domain is not said.
[[nodiscard]] domain_texts domains_of(const std::vector<listed_node>& nodes,
                                      const std::string& domain, const std::string& file);

/// The words for the levels of `domains_of`, from `domain` on.
[[nodiscard]] std::vector<std::string> level_names(const std::string& domain);

/// How far the copies of keys fell short.
struct spread_count {
    std::size_t keys = 0;
    std::size_t fewer = 0;    ///< keys with fewer copies than asked for
    std::size_t together = 0; ///< keys of which two copies share a domain
};

/// What is to be said of it on standard error; nothing if nothing fell short.
[[nodiscard]] std::optional<std::string>
shortfall_text(const spread_request& spread, std::size_t copies, const spread_count& count);

} // namespace tool
