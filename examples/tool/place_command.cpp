// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "failure.hpp"
#include "keys.hpp"

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

void place_copies(const placement& placed, std::size_t count, key_reader& keys, output& out) {
    const std::vector<std::string> answers = answers_of(placed);
    std::vector<std::uint32_t> owners(count);
    while (keys.next()) {
        const std::size_t found = placed.copies(keys.bytes(), owners);
        out << keys.shown();
        for (std::size_t i = 0; i < count; ++i) {
            out << (i < found ? answers[owners[i]] : answers.back());
        }
        out << '\n';
    }
}

} // namespace

void place_command(const request& asked, output& out) {
    const std::size_t copies = checked_copies(asked);
    const std::string keys_file = asked.keys.value_or("-");
    check_one_stdin(asked.nodes, keys_file, "--nodes and --keys");
    const std::unique_ptr<placement> placed = checked_placement(asked, asked.nodes);
    key_reader keys(keys_file, asked.hex, false);
    try {
        if (copies == 1) {
            place_one(*placed, keys, out);
        } else {
            place_copies(*placed, copies, keys, out);
        }
    } catch (const usage_failure&) {
        out.flush(); // the keys before the bad one have their lines
        throw;
    }
}

} // namespace tool
