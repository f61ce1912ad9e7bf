// SPDX-License-Identifier: MIT
#include "explain_copies.hpp"

#include "failure.hpp"

#include <algorithm>
#include <span>

namespace tool {

namespace {

using places = std::span<const std::uint32_t>;

/// The first of `others` that shares a domain of `level` with `place`; `no_node` if none does.
std::uint32_t neighbour(const copies_request& asked, std::size_t level, std::uint32_t place,
                        places others) {
    const auto found = std::find_if(others.begin(), others.end(), [&](std::uint32_t other) {
        return asked.domains[level][other] == asked.domains[level][place];
    });
    return found == others.end() ? no_node : *found;
}

/// Whether the nodes file names the last domain of an address.
bool is_named(std::string_view address) {
    constexpr std::string_view unnamed("\0\0", 2);
    return address.size() > 1 && !address.ends_with(unnamed);
}

/// `same zone as b`, of the narrowest domain with a name that `place` shares with one of `others`;
/// empty if it shares none.
std::string why_near(const std::vector<placed>& nodes, const copies_request& asked,
                     std::uint32_t place, places others) {
    std::string why;
    for (std::size_t level = 0; level < asked.domains.size(); ++level) {
        const std::uint32_t other = neighbour(asked, level, place, others);
        if (other == no_node || !is_named(asked.domains[level][place])) {
            break;
        }
        why = concat("same ", asked.levels[level], " as ", nodes[other].name);
    }
    return why;
}

/// The nodes that were passed over: of those that are up, who shares a domain with a copy that was
/// chosen before the walk came there, and is none.
std::vector<std::uint32_t> passed_over(const std::vector<placed>& nodes, places clockwise,
                                       places chosen, bool went_round) {
    std::vector<std::uint32_t> passed;
    std::size_t left = chosen.size();
    for (const std::uint32_t place : clockwise) {
        if (left == 0 && !went_round) {
            break;
        }
        if (std::find(chosen.begin(), chosen.end(), place) != chosen.end()) {
            --left;
        } else if (!nodes[place].down) {
            passed.push_back(place);
        }
    }
    return passed;
}

} // namespace

copies_account copies_of(const placement& placed, const copies_request& asked, std::string_view key,
                         const std::vector<std::uint32_t>& clockwise) {
    std::vector<std::uint32_t> chosen(asked.count);
    hashring::domain_spread spread;
    if (asked.spread) {
        spread = placed.copies_apart(key, asked.spread->rule, chosen);
    } else {
        spread.found = placed.copies(key, chosen);
    }
    chosen.resize(spread.found);
    copies_account a;
    a.short_of = asked.count - spread.found;
    const std::vector<tool::placed> nodes = placed.nodes();
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        a.copies.emplace_back(nodes[chosen[i]].name,
                              why_near(nodes, asked, chosen[i], places(chosen).first(i)));
    }
    if (asked.spread) {
        const bool went_round = a.short_of > 0 || spread.apart_at > 0;
        for (const std::uint32_t place : passed_over(nodes, clockwise, chosen, went_round)) {
            a.passed.emplace_back(nodes[place].name, why_near(nodes, asked, place, chosen));
        }
    }
    return a;
}

void add_to_json(const copies_account& a, json& whole) {
    const auto as_json = [](const auto& named) {
        json all = json::array();
        for (const auto& [name, why] : named) {
            json one = {{"name", name}};
            if (!why.empty()) {
                one["reason"] = why;
            }
            all.push_back(std::move(one));
        }
        return all;
    };
    whole["copies"] = as_json(a.copies);
    whole["passed"] = as_json(a.passed);
    whole["short_of"] = a.short_of;
}

} // namespace tool
