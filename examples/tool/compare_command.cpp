// SPDX-License-Identifier: MIT
#include "compare_table.hpp"
#include "failure.hpp"
#include "json.hpp"
#include "lookup_time.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tool {

namespace {

std::string name_of(const compared_scheme& row) {
    std::string text(row.scheme->name);
    if (row.corrected) {
        text += " --allocator corrected";
    }
    for (const auto& [name, value] : row.options) {
        text += concat(" --", name, " ", value);
    }
    return text;
}

std::string fixed_or_dash(const std::optional<double>& value, int digits) {
    return value ? fixed(*value, digits) : "-";
}

/// What moves when the one node comes, as a list like that of the ones that go.
std::vector<movement> joins(const movements& moves) {
    return moves.join ? std::vector{*moves.join} : std::vector<movement>{};
}

/// The figures of a scheme by name, those that there are not as nothing.
std::vector<std::pair<const char*, std::optional<double>>> figures_of(const compared_scheme& row) {
    if (!row.placed) {
        return {};
    }
    const hashring::load_measures shares = row.over_shares();
    const hashring::load_measures keys = row.over_keys();
    const std::vector<movement> join = joins(row.moves);
    return {{"load_gap", shares.load_gap},
            {"peak_to_mean", shares.peak_to_mean},
            {"keys_load_gap", keys.load_gap},
            {"keys_peak_to_mean", keys.peak_to_mean},
            {"join_moved_share", mean_moved(join)},
            {"join_times_least", times_least(join)},
            {"leave_moved_share", mean_moved(row.moves.leaves)},
            {"leave_times_least", times_least(row.moves.leaves)}};
}

std::vector<std::string> headings(const compare_table& table) {
    std::vector<std::string> names = {"scheme",           "load_gap",          "peak_to_mean",
                                      "keys_load_gap",    "keys_peak_to_mean", "join_moved_share",
                                      "join_times_least", "leave_moved_share", "leave_times_least",
                                      "memory_bytes"};
    if (table.timed_keys > 0) {
        names.emplace_back("ns_per_lookup");
    }
    return names;
}

/// For programs: a last column says why a scheme refuses.
grid tsv_grid(const compare_table& table) {
    grid g{headings(table), {}, {}};
    const std::size_t columns = g.headings.size();
    g.headings.emplace_back("refused");
    for (const compared_scheme& row : table.rows) {
        std::vector<std::string> cells = {name_of(row)};
        for (const auto& [name, value] : figures_of(row)) {
            cells.push_back(fixed_or_dash(value, 6));
        }
        if (row.placed) {
            cells.push_back(decimal(row.placed->memory_bytes()));
        }
        if (row.placed && table.timed_keys > 0) {
            cells.push_back(fixed(row.nanoseconds, 1));
        }
        cells.resize(columns, "-");
        cells.push_back(row.refusal);
        g.rows.push_back(std::move(cells));
    }
    return g;
}

/// For reading: what moves as a multiple of the least, and refusals below.
grid reading_grid(const compare_table& table) {
    grid g{
        {"scheme", "gap", "peak", "gap of keys", "peak of keys", "join", "leave", "bytes"}, {}, {}};
    if (table.timed_keys > 0) {
        g.headings.emplace_back("ns");
    }
    for (const compared_scheme& row : table.rows) {
        if (!row.placed) {
            continue;
        }
        const hashring::load_measures shares = row.over_shares();
        const hashring::load_measures keys = row.over_keys();
        std::vector<std::string> cells = {name_of(row),
                                          concat(fixed(100.0 * shares.load_gap, 2), "%"),
                                          fixed(shares.peak_to_mean, 3),
                                          concat(fixed(100.0 * keys.load_gap, 2), "%"),
                                          fixed(keys.peak_to_mean, 3),
                                          fixed_or_dash(times_least(joins(row.moves)), 2),
                                          fixed_or_dash(times_least(row.moves.leaves), 2),
                                          decimal(row.placed->memory_bytes())};
        if (table.timed_keys > 0) {
            cells.push_back(fixed(row.nanoseconds, 1));
        }
        g.rows.push_back(std::move(cells));
    }
    return g;
}

void add_names(std::string& text, std::string_view name) {
    text += text.empty() ? "" : ", ";
    text += name;
}

/// What the columns are, in words.
void add_notes(const compare_table& table, grid& g) {
    g.notes.emplace_back("nodes", decimal(table.nodes));
    g.notes.emplace_back("keys",
                         concat(decimal(table.keys),
                                table.keys_are_made_up ? " of our own: key-0, key-1, ..." : ""));
    g.notes.emplace_back("join",
                         concat("what moves when ", table.fresh.name, " of weight ",
                                table.fresh.weight.text(), " comes, over the least that has to"));
    g.notes.emplace_back("leave", "the same when the first, the middle or the last node goes");
    std::string last;
    std::string by_keys;
    for (const compared_scheme& row : table.rows) {
        if (row.placed && !row.scheme->removes_any) {
            add_names(last, row.scheme->name);
        }
        if (row.moves.by_keys) {
            add_names(by_keys, row.scheme->name);
        }
    }
    if (!last.empty()) {
        g.notes.emplace_back("only the last can go", last);
    }
    if (!by_keys.empty()) {
        g.notes.emplace_back(concat("moves over ", decimal(made_up_keys), " keys of our own"),
                             by_keys);
    }
    if (table.timed_keys > 0) {
        g.notes.emplace_back("ns",
                             concat("a look-up of a key, the median of ", decimal(time_rounds),
                                    " rounds over ", decimal(table.timed_keys), " keys"));
    }
    for (const compared_scheme& row : table.rows) {
        if (!row.moves.join_refusal.empty()) {
            g.notes.emplace_back(name_of(row), concat("nobody can come: ", row.moves.join_refusal));
        }
        if (!row.moves.leave_refusal.empty()) {
            g.notes.emplace_back(name_of(row),
                                 concat("somebody cannot go: ", row.moves.leave_refusal));
        }
    }
}

void add_refusals(const compare_table& table, grid& g) {
    for (const compared_scheme& row : table.rows) {
        if (!row.placed) {
            g.notes.emplace_back(name_of(row), concat("refused: ", row.refusal));
        }
    }
}

json as_json(const compared_scheme& row, const compare_table& table) {
    json options = json::object();
    for (const auto& [name, value] : row.options) {
        options[name] = value;
    }
    json whole = {{"scheme", row.scheme->name}};
    if (row.corrected) {
        whole["allocator"] = "corrected";
    }
    whole["options"] = std::move(options);
    if (!row.placed) {
        whole["refused"] = row.refusal;
        return whole;
    }
    for (const auto& [name, value] : figures_of(row)) {
        whole[name] = value ? json(*value) : json();
    }
    json leaves = json::array();
    for (std::size_t i = 0; i < row.moves.leaves.size(); ++i) {
        leaves.push_back({{"name", table.names[row.moves.leaving[i]]},
                          {"moved_share", row.moves.leaves[i].moved_share},
                          {"least_share", row.moves.leaves[i].least_share}});
    }
    whole["leaves"] = std::move(leaves);
    if (row.moves.join) {
        whole["join"] = {{"moved_share", row.moves.join->moved_share},
                         {"least_share", row.moves.join->least_share}};
    }
    whole["moves_counted_by_keys"] = row.moves.by_keys;
    whole["memory_bytes"] = row.placed->memory_bytes();
    if (table.timed_keys > 0) {
        whole["ns_per_lookup"] = row.nanoseconds;
    }
    return whole;
}

json as_json(const compare_table& table) {
    json rows = json::array();
    for (const compared_scheme& row : table.rows) {
        rows.push_back(as_json(row, table));
    }
    return {{"nodes", table.nodes},
            {"keys", table.keys},
            {"keys_are_made_up", table.keys_are_made_up},
            {"joining", {{"name", table.fresh.name}, {"weight", table.fresh.weight.value()}}},
            {"schemes", std::move(rows)}};
}

} // namespace

void compare_command(const request& asked, output& out) {
    const format as = parse_format(asked.format.value_or("table"));
    if (asked.hex && !asked.keys) {
        throw usage_failure("--hex says how keys are spelled and needs --keys");
    }
    const compare_table table = make_compare_table(asked);
    if (as == format::json) {
        print_json(as_json(table), out);
        return;
    }
    grid g = as == format::tsv ? tsv_grid(table) : reading_grid(table);
    add_notes(table, g);
    if (as == format::tsv) {
        print_tsv(g, out);
    } else {
        add_refusals(table, g);
        print_table(g, out);
    }
}

} // namespace tool
