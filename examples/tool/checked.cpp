// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "failure.hpp"

#include <hashring/core/error.hpp>

#include <algorithm>

namespace tool {

const scheme_entry& checked_scheme(const request& asked) {
    const scheme_entry& scheme = find_scheme(asked.scheme);
    if (asked.allocator != "plain") {
        throw usage_failure(
            concat("--allocator ", in_quotes(asked.allocator), " is not known: plain is"));
    }
    for (const auto& [name, value] : asked.options) {
        const bool known =
            std::any_of(scheme.options.begin(), scheme.options.end(),
                        [&](const hashring::scheme_option& option) { return option.name == name; });
        if (!known) {
            throw usage_failure(concat("scheme ", asked.scheme, " has no option --", name));
        }
    }
    try {
        (void)scheme.describe(asked.options); // a value that the scheme does not take throws here
    } catch (const hashring::invalid_option& reason) {
        throw usage_failure(concat(std::string("--"), reason.what()));
    }
    return scheme;
}

std::unique_ptr<placement> checked_placement(const request& asked) {
    const scheme_entry& scheme = checked_scheme(asked);
    const std::vector<listed_node> nodes = read_nodes_file(asked.nodes);
    try {
        return scheme.place(nodes, asked.options);
    } catch (const std::invalid_argument& reason) {
        throw input_failure(asked.nodes, reason.what());
    }
}

} // namespace tool
