// SPDX-License-Identifier: MIT
#include "compat_table.hpp"

#include "failure.hpp"
#include "keys.hpp"
#include "taken_options.hpp"

#include <hashring/core/text.hpp>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace tool {

namespace {

constexpr std::size_t own_keys = 10'000;

/// The keys that agreement is measured over.
std::vector<std::string> keys_of(const request& asked) {
    std::vector<std::string> keys;
    if (!asked.keys) {
        for (std::size_t i = 0; i < own_keys; ++i) {
            keys.push_back(concat("key-", decimal(i)));
        }
        return keys;
    }
    key_reader reader(*asked.keys, asked.hex, true);
    while (reader.next()) {
        keys.emplace_back(reader.bytes());
    }
    if (keys.empty()) {
        throw input_failure(*asked.keys, "no keys to compare by");
    }
    return keys;
}

/// The scheme with those of the options that it takes; nothing is placed.
placed_by configured_by(const scheme_entry& scheme, const request& asked) {
    return {&scheme, taken_by(scheme, asked.options), {}};
}

/// Places the nodes, or says why the scheme does not take them.
program_row place(const scheme_entry& scheme, const std::vector<listed_node>& nodes,
                  const request& asked) {
    program_row row;
    row.by = configured_by(scheme, asked);
    try {
        row.by.placed = placement_by(scheme, nodes, row.by.options, asked.nodes);
    } catch (const usage_failure& reason) {
        row.refusal = reason.what();
    }
    return row;
}

std::vector<std::uint32_t> owners_of(const program_row& row, const std::vector<std::string>& keys) {
    std::vector<std::uint32_t> owners;
    for (const std::string& key : keys) {
        owners.push_back(row.by.placed->owner(key));
    }
    return owners;
}

double agreement(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
    std::size_t equal = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        equal += a[i] == b[i] ? 1U : 0U;
    }
    return static_cast<double>(equal) / static_cast<double>(a.size());
}

std::vector<std::string> names_of_owners(const program_row& row, const request& asked,
                                         const std::vector<listed_node>& nodes) {
    std::vector<std::string> names;
    for (const std::string& key : asked.given_keys) {
        const std::uint32_t owner = row.by.placed->owner(key_bytes(key, asked.hex));
        names.push_back(owner == no_node ? "-" : nodes[owner].name);
    }
    return names;
}

/// The reference first, refusals last, and the others by how far they agree.
bool comes_first(const program_row& a, const program_row& b, const scheme_entry* reference) {
    const auto rank = [&](const program_row& row) {
        return row.by.scheme == reference ? 0 : row.refusal.empty() ? 1 : 2;
    };
    return rank(a) != rank(b) ? rank(a) < rank(b) : a.agreement > b.agreement;
}

} // namespace

compat_table make_compat_table(const request& asked) {
    const scheme_entry& reference = find_scheme(asked.reference);
    check_taken(asked.options);
    check_one_stdin(asked.nodes, asked.keys.value_or(""), "--nodes and --keys");
    const std::vector<listed_node> nodes = read_nodes_file(asked.nodes);
    const std::vector<std::string> keys = keys_of(asked);
    program_row first;
    first.by = configured_by(reference, asked);
    first.by.placed = placement_by(reference, nodes, first.by.options, asked.nodes);
    const std::vector<std::uint32_t> wanted = owners_of(first, keys);
    compat_table table{asked.reference, asked.given_keys, keys.size(), !asked.keys, {}, {}};
    std::map<std::vector<std::uint32_t>, std::vector<std::string>> alike;
    for (const scheme_entry& scheme : all_schemes()) {
        program_row row = &scheme == &reference ? first : place(scheme, nodes, asked);
        if (row.by.placed) {
            const std::vector<std::uint32_t> owners = owners_of(row, keys);
            row.agreement = agreement(owners, wanted);
            row.shown = names_of_owners(row, asked, nodes);
            row.unlike = differences(first.by, row.by, keys);
            alike[owners].emplace_back(scheme.name);
        }
        table.rows.push_back(std::move(row));
    }
    std::stable_sort(table.rows.begin(), table.rows.end(),
                     [&](const auto& a, const auto& b) { return comes_first(a, b, &reference); });
    for (auto& [owners, names] : alike) {
        if (names.size() > 1) {
            table.alike.push_back(std::move(names));
        }
    }
    std::sort(table.alike.begin(), table.alike.end());
    return table;
}

} // namespace tool
