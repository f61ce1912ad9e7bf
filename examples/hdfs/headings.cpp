// SPDX-License-Identifier: MIT
#include "hdfs/headings.hpp"

#include "hdfs/text.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace hdfs {

namespace {

constexpr std::array<std::pair<std::string_view, listing>, 6> names = {{
    {"Live", listing::live},
    {"Dead", listing::dead},
    {"Decommissioning", listing::decommissioning},
    {"Entering maintenance", listing::entering_maintenance},
    {"In maintenance", listing::in_maintenance},
    {"Slow", listing::slow},
}};

/// Takes `word` from the front of `text`, if it is there.
bool skip(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) {
        return false;
    }
    text.remove_prefix(word.size());
    return true;
}

/// Takes a number that is followed by `after`.
std::optional<std::uint64_t> take_number(std::string_view& text, std::string_view after) {
    const std::size_t end = text.find(after);
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    const auto value = hashring::parse_decimal<std::uint64_t>(text.substr(0, end));
    text.remove_prefix(end + after.size());
    return value;
}

/// Letters and blanks alone: a line of a logger is no heading.
bool is_words(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
        return c == ' ' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    });
}

std::optional<section> parse_available(std::string_view line) {
    if (!skip(line, "Datanodes available: ")) {
        return std::nullopt;
    }
    const auto live = take_number(line, " (");
    const auto total = take_number(line, " total, ");
    const auto dead = take_number(line, " dead)");
    if (!live || !total || !dead || !line.empty()) {
        return std::nullopt;
    }
    section opened;
    opened.name = "Datanodes available";
    opened.declared = total;
    opened.declared_live = live;
    opened.declared_dead = dead;
    return opened;
}

} // namespace

std::optional<section> parse_heading(std::string_view line) {
    if (auto opened = parse_available(line)) {
        return opened;
    }
    constexpr std::string_view noun = " datanodes";
    const std::size_t at = line.find(noun);
    constexpr std::size_t longest_name = 100;
    if (at == std::string_view::npos || at == 0 || at > longest_name ||
        !is_words(line.substr(0, at))) {
        return std::nullopt;
    }
    section opened;
    opened.name = std::string(line.substr(0, at));
    for (const auto& [name, listed] : names) {
        if (name == opened.name) {
            opened.listed = listed;
        }
    }
    line.remove_prefix(at + noun.size());
    if (line == ":" && (opened.listed == listing::live || opened.listed == listing::dead)) {
        return opened;
    }
    if (!skip(line, " (")) {
        return std::nullopt;
    }
    opened.declared = take_number(line, "):");
    if (!opened.declared || !line.empty()) {
        return std::nullopt;
    }
    return opened;
}

} // namespace hdfs
