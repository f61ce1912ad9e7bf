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
    for (const auto& given : asked.options) {
        const bool known = std::any_of(
            scheme.options.begin(), scheme.options.end(),
            [&](const hashring::scheme_option& option) { return option.name == given.first; });
        if (!known) {
            throw usage_failure(concat("scheme ", asked.scheme, " has no option --", given.first));
        }
    }
    try {
        (void)scheme.describe(asked.options); // a value that the scheme does not take throws here
    } catch (const hashring::invalid_option& reason) {
        throw usage_failure(concat(std::string("--"), reason.what()));
    }
    return scheme;
}

void check_lists_points(const request& asked) {
    if (checked_scheme(asked).lists.empty()) {
        throw usage_failure(concat("scheme ", asked.scheme,
                                   " has neither points nor slots to list: ",
                                   "it computes a node from the hash of a key"));
    }
}

void check_one_stdin(std::string_view first, std::string_view second, std::string_view names) {
    if (first == "-" && second == "-") {
        throw usage_failure(concat("standard input cannot be both ", names));
    }
}

std::unique_ptr<placement> checked_placement(const request& asked, const std::string& file) {
    const scheme_entry& scheme = checked_scheme(asked);
    const std::vector<listed_node> nodes = read_nodes_file(file);
    for (const listed_node& node : nodes) {
        try {
            scheme.check_count(node, asked.options);
        } catch (const std::invalid_argument& reason) {
            throw input_failure(file, node.line, reason.what());
        }
    }
    try {
        return scheme.place(nodes, asked.options);
    } catch (const std::invalid_argument& reason) {
        throw input_failure(file, reason.what());
    }
}

} // namespace tool
