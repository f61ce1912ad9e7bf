// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "complain.hpp"
#include "failure.hpp"
#include "keys.hpp"
#include "spread.hpp"

#include <algorithm>

namespace tool {

namespace {

/// What a line says behind its key for each node, and last for none.
std::vector<std::string> answers_of(const placement& placed) {
    std::vector<std::string> answers;
    for (const auto& node : placed.nodes()) {
        answers.push_back("\t" + node.name);
    }
    answers.emplace_back("\t-");
    return answers;
}

void place_one(const placement& placed, key_reader& keys, output& out) {
    const std::vector<std::string> answers = answers_of(placed);
    while (keys.next()) {
        const std::size_t owner = placed.owner(keys.bytes());
        out << keys.shown() << answers[std::min(owner, answers.size() - 1)] << '\n';
    }
}

/// A line a key, with the nodes that `fill` finds for it: how many there are is what it returns.
template <class Fill>
void place_copies(const placement& placed, std::size_t count, key_reader& keys, output& out,
                  Fill fill) {
    const std::vector<std::string> answers = answers_of(placed);
    std::vector<std::uint32_t> owners(count);
    while (keys.next()) {
        const std::size_t found = fill(keys.bytes(), std::span<std::uint32_t>(owners));
        out << keys.shown();
        for (std::size_t i = 0; i < count; ++i) {
            out << (i < found ? answers[owners[i]] : answers.back());
        }
        out << '\n';
    }
}

/// The same with copies apart, and a line on standard error if they fall short.
void place_apart(const placement& placed, const spread_request& spread, std::size_t count,
                 key_reader& keys, output& out) {
    spread_count seen;
    place_copies(placed, count, keys, out,
                 [&](std::string_view key, std::span<std::uint32_t> owners) {
                     const auto how = placed.copies_apart(key, spread.rule, owners);
                     ++seen.keys;
                     seen.fewer += how.found < count ? 1 : 0;
                     seen.together += how.apart_at > 0 ? 1 : 0;
                     return how.found;
                 });
    out.flush();
    if (const auto text = shortfall_text(spread, count, seen)) {
        complain(concat("hashring: ", *text));
    }
}

} // namespace

void place_command(const request& asked, output& out) {
    const std::size_t copies = checked_copies(asked);
    const std::string keys_file = asked.keys.value_or("-");
    check_one_stdin(asked.nodes, keys_file, "--nodes and --keys");
    const std::optional<spread_request> spread = checked_spread(asked);
    const std::vector<listed_node> nodes = read_nodes_file(asked.nodes);
    const std::unique_ptr<placement> placed =
        placement_by(checked_scheme(asked), nodes, asked.options, asked.nodes);
    if (spread) {
        placed->set_domains(domains_of(nodes, spread->domain, asked.nodes));
    }
    key_reader keys(keys_file, asked.hex, false);
    try {
        if (spread) {
            place_apart(*placed, *spread, copies, keys, out);
        } else if (copies == 1) {
            place_one(*placed, keys, out);
        } else {
            place_copies(*placed, copies, keys, out, [&](std::string_view key, auto owners) {
                return placed->copies(key, owners);
            });
        }
    } catch (const usage_failure&) {
        out.flush(); // the keys before the bad one have their lines
        throw;
    }
}

} // namespace tool
