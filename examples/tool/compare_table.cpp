// SPDX-License-Identifier: MIT
#include "compare_table.hpp"

#include "failure.hpp"
#include "fresh_node.hpp"
#include "keys.hpp"
#include "lookup_time.hpp"
#include "progress.hpp"
#include "taken_options.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tool {

namespace {

/// The schemes to compare, in the order of all; the default one also corrected.
std::vector<compared_scheme> chosen(const request& asked) {
    for (const std::string& name : asked.schemes) {
        (void)find_scheme(name);
    }
    const auto wants = [&](std::string_view name) {
        return asked.schemes.empty() ||
               std::find(asked.schemes.begin(), asked.schemes.end(), name) != asked.schemes.end();
    };
    std::vector<compared_scheme> rows;
    for (const scheme_entry& scheme : all_schemes()) {
        if (!wants(scheme.name)) {
            continue;
        }
        rows.emplace_back().scheme = &scheme;
        if (scheme.corrected && &scheme == all_schemes().data()) {
            rows.emplace_back().scheme = scheme.corrected.get();
            rows.back().corrected = true;
        }
    }
    for (compared_scheme& row : rows) {
        row.options = taken_by(*row.scheme, asked.options);
    }
    return rows;
}

void place(compared_scheme& row, const std::vector<listed_node>& nodes, const std::string& file) {
    try {
        row.placed = placement_by(*row.scheme, nodes, row.options, file);
    } catch (const usage_failure& reason) {
        row.refusal = reason.what();
        return;
    }
    row.nodes = row.placed->nodes();
    row.keys.of_node.resize(row.nodes.size());
}

void count(std::vector<compared_scheme>& rows, std::string_view key) {
    for (compared_scheme& row : rows) {
        if (row.placed) {
            row.keys.add(row.placed->owner(key));
        }
    }
}

/// Counts the keys of the file or else our own ones in every row, one after the other, and returns
/// those to time by.
key_sample count_keys(const request& asked, compare_table& table,
                      const std::vector<std::string>& own) {
    key_sample sample;
    const auto take = [&](std::string_view key) {
        count(table.rows, key);
        sample.add(key);
        ++table.keys;
    };
    table.keys_are_made_up = !asked.keys;
    if (!asked.keys) {
        std::for_each(own.begin(), own.end(), take);
        return sample;
    }
    key_reader reader(*asked.keys, asked.hex, true);
    while (reader.next()) {
        take(reader.bytes());
    }
    if (table.keys == 0) {
        throw input_failure(*asked.keys, "no keys to compare by");
    }
    return sample;
}

void time(compare_table& table, const key_sample& sample) {
    std::vector<const placement*> placed;
    for (const compared_scheme& row : table.rows) {
        if (row.placed) {
            placed.push_back(row.placed.get());
        }
    }
    const std::vector<double> times = lookup_times(placed, sample.keys());
    auto next = times.begin();
    for (compared_scheme& row : table.rows) {
        row.nanoseconds = row.placed ? *next++ : 0.0;
    }
    table.timed_keys = sample.keys().size();
}

} // namespace

std::vector<std::string> make_up_keys() {
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < made_up_keys; ++i) {
        keys.push_back(concat("key-", decimal(i)));
    }
    return keys;
}

void check_somebody_takes_keys(const std::vector<listed_node>& nodes, const std::string& file) {
    if (std::none_of(nodes.begin(), nodes.end(), [](const listed_node& node) {
            return !node.down && node.weight > hashring::weight{0};
        })) {
        throw input_failure(file, "no node takes keys: all are down or weigh 0");
    }
}

compare_table make_compare_table(const request& asked) {
    compare_table table;
    table.rows = chosen(asked);
    check_taken(asked.options);
    check_one_stdin(asked.nodes, asked.keys.value_or(""), "--nodes and --keys");
    const std::vector<listed_node> nodes = read_nodes_file(asked.nodes);
    check_somebody_takes_keys(nodes, asked.nodes);
    table.nodes = nodes.size();
    table.fresh = fresh_node(nodes);
    for (const listed_node& node : nodes) {
        table.names.push_back(node.name);
    }
    for (compared_scheme& row : table.rows) {
        place(row, nodes, asked.nodes);
    }
    const std::vector<std::string> own = make_up_keys();
    const key_sample sample = count_keys(asked, table, own);
    progress_bar bar(table.rows.size());
    for (compared_scheme& row : table.rows) {
        if (row.placed) {
            row.moves = move_nodes(*row.scheme, row.options, *row.placed, nodes, table.fresh, own);
        }
        bar.step();
    }
    bar.finish();
    if (!asked.no_time) {
        time(table, sample);
    }
    return table;
}

} // namespace tool
