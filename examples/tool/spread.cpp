// SPDX-License-Identifier: MIT
#include "spread.hpp"

#include "failure.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace tool {

namespace {

using attribute = std::string listed_node::*;

/// From the widest domain to the narrowest.
constexpr std::array<std::pair<std::string_view, attribute>, 3> ladder{{
    {"zone", &listed_node::zone},
    {"rack", &listed_node::rack},
    {"host", &listed_node::host},
}};

/// The step of the ladder called `domain`, or how many there are.
std::size_t step_called(std::string_view domain) {
    std::size_t step = 0;
    while (step < ladder.size() && ladder[step].first != domain) {
        ++step;
    }
    return step;
}

/// Where `node` is down to `step`, as one text: wider domains tell narrower ones apart.
std::string address(const listed_node& node, std::size_t step) {
    std::string text;
    for (std::size_t i = 0; i <= step; ++i) {
        text += node.*ladder[i].second;
        text += '\0'; // which no line of a nodes file holds
    }
    return text;
}

} // namespace

std::optional<spread_request> checked_spread(const request& asked) {
    if (!asked.spread) {
        if (asked.strict) {
            throw usage_failure("--strict says how copies are spread and needs --spread");
        }
        return std::nullopt;
    }
    if (step_called(*asked.spread) == ladder.size()) {
        throw usage_failure(
            concat("--spread ", in_quotes(*asked.spread), " is none of zone, rack, host"));
    }
    if (checked_scheme(asked).counts == counting::slots) {
        throw usage_failure(concat("scheme ", asked.scheme,
                                   " has no circle along which copies follow each other: it takes "
                                   "no --spread"));
    }
    if (!asked.copies) {
        throw usage_failure("--spread says where copies go and needs --copies");
    }
    return spread_request{*asked.spread, asked.strict ? hashring::domain_rule::strict
                                                      : hashring::domain_rule::best_effort};
}

domain_texts domains_of(const std::vector<listed_node>& nodes, const std::string& domain,
                        const std::string& file) {
    const std::size_t first = step_called(domain);
    for (const listed_node& node : nodes) {
        if ((node.*ladder[first].second).empty()) {
            throw input_failure(file, node.line,
                                concat("the node ", in_quotes(node.name), " has no ", domain,
                                       "=, over which --spread puts copies"));
        }
    }
    domain_texts levels;
    for (std::size_t step = first; step < ladder.size(); ++step) {
        levels.emplace_back();
        for (const listed_node& node : nodes) {
            levels.back().push_back(address(node, step));
        }
    }
    return levels;
}

std::vector<std::string> level_names(const std::string& domain) {
    std::vector<std::string> names;
    for (std::size_t step = step_called(domain); step < ladder.size(); ++step) {
        names.emplace_back(ladder[step].first);
    }
    return names;
}

std::optional<std::string> shortfall_text(const spread_request& spread, std::size_t copies,
                                          const spread_count& count) {
    const auto of_all = [&](std::size_t some) {
        return concat(decimal(some), " of ", decimal(count.keys), " keys have ");
    };
    std::string text;
    if (count.fewer > 0) {
        const bool strict = spread.rule == hashring::domain_rule::strict;
        text = concat(of_all(count.fewer), "fewer than ", decimal(copies),
                      " copies: there are not as many ", strict ? spread.domain : "node",
                      "s that take keys");
    }
    if (count.together > 0) {
        text += text.empty() ? "" : "; ";
        text += concat(of_all(count.together), "copies that share a ", spread.domain,
                       ": there are fewer ", spread.domain, "s that take keys than copies");
    }
    return text.empty() ? std::nullopt : std::optional(std::move(text));
}

} // namespace tool
