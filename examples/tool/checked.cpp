// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "failure.hpp"

#include <hashring/core/error.hpp>
#include <hashring/core/text.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace tool {

namespace {

bool has_option(const scheme_entry& scheme, std::string_view name) {
    return std::any_of(scheme.options.begin(), scheme.options.end(),
                       [&](const hashring::scheme_option& option) { return option.name == name; });
}

/// The scheme by the allocator that was asked for.
const scheme_entry& allocated_scheme(const request& asked) {
    const scheme_entry& scheme = find_scheme(asked.scheme);
    if (!asked.allocator) {
        return scheme;
    }
    const bool corrects = *asked.allocator == "corrected";
    if (!corrects && *asked.allocator != "plain") {
        throw usage_failure(concat("--allocator ", in_quotes(*asked.allocator),
                                   " is not known: plain and corrected are"));
    }
    if (scheme.counts == counting::slots) {
        throw usage_failure(
            concat("scheme ", asked.scheme, " has no virtual nodes: it takes no --allocator"));
    }
    if (scheme.has_fixed_counts) {
        throw usage_failure(
            concat("scheme ", asked.scheme, " has counts of its own: it takes no --allocator"));
    }
    if (corrects && !scheme.corrected) {
        const bool wide = scheme.counts == counting::independent;
        throw usage_failure(concat("scheme ", asked.scheme, " cannot be corrected: ",
                                   wide ? "its circle has more than 64 bits"
                                        : "its virtual nodes do not lie independently, so that no "
                                          "choice of them evens out shares"));
    }
    return corrects ? *scheme.corrected : scheme;
}

} // namespace

const scheme_entry& checked_scheme(const request& asked) {
    const scheme_entry& scheme = allocated_scheme(asked);
    for (const auto& given : asked.options) {
        if (has_option(scheme, given.first)) {
            continue;
        }
        const bool corrects = scheme.corrected && has_option(*scheme.corrected, given.first);
        throw usage_failure(
            corrects ? concat("--", given.first, " needs --allocator corrected")
                     : concat("scheme ", asked.scheme, " has no option --", given.first));
    }
    try {
        (void)scheme.describe(asked.options); // a value that the scheme does not take throws here
    } catch (const hashring::invalid_option& reason) {
        throw usage_failure(concat(std::string("--"), reason.what()));
    }
    return scheme;
}

std::size_t checked_copies(const request& asked) {
    constexpr std::size_t most = 1024;
    const std::string text = asked.copies.value_or("1");
    const auto count = hashring::parse_decimal<std::size_t>(text);
    if (!count || *count < 1 || *count > most) {
        throw usage_failure(concat("--copies ", in_quotes(text),
                                   " is not a whole number from 1 to ", decimal(most)));
    }
    if (*count > 1 && checked_scheme(asked).counts == counting::slots) {
        throw usage_failure(
            concat("scheme ", asked.scheme, " names one node a key: it has no --copies above 1"));
    }
    return *count;
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

std::unique_ptr<placement> placement_by(const scheme_entry& scheme,
                                        const std::vector<listed_node>& nodes,
                                        const option_values& options, const std::string& file) {
    for (const listed_node& node : nodes) {
        try {
            scheme.check_count(node, options);
        } catch (const std::invalid_argument& reason) {
            throw input_failure(file, node.line, reason.what());
        }
    }
    try {
        return scheme.place(nodes, options);
    } catch (const std::invalid_argument& reason) {
        throw input_failure(file, reason.what());
    }
}

std::unique_ptr<placement> checked_placement(const request& asked, const std::string& file) {
    const scheme_entry& scheme = checked_scheme(asked);
    return placement_by(scheme, read_nodes_file(file), asked.options, file);
}

} // namespace tool
