// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "compat_table.hpp"
#include "failure.hpp"
#include "json.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tool {

namespace {

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
    std::string text;
    for (const std::string& part : parts) {
        text += text.empty() ? std::string_view{} : between;
        text += part;
    }
    return text;
}

std::string options_text(const option_values& options) {
    std::string text;
    for (const auto& [name, value] : options) {
        text += concat(" ", name, "=", value);
    }
    return text;
}

/// Why a row is not as the reference.
std::vector<std::string> reasons(const program_row& row) {
    return row.by.placed ? row.unlike : std::vector{concat("refused: ", row.refusal)};
}

/// The nodes side by side, without the reasons.
grid owners_grid(const compat_table& table) {
    grid g{{"scheme"}, {}, {}};
    g.headings.insert(g.headings.end(), table.shown_keys.begin(), table.shown_keys.end());
    g.headings.emplace_back("agrees");
    for (const program_row& row : table.rows) {
        std::vector<std::string> cells = {
            concat(row.by.scheme->name, options_text(row.by.options))};
        for (std::size_t i = 0; i < table.shown_keys.size(); ++i) {
            cells.push_back(row.by.placed ? row.shown[i] : "-");
        }
        cells.push_back(row.by.placed ? concat(fixed(100.0 * row.agreement, 2), "%") : "-");
        g.rows.push_back(std::move(cells));
    }
    g.notes.emplace_back("compared with", table.reference);
    g.notes.emplace_back("keys",
                         concat(decimal(table.keys),
                                table.keys_are_made_up ? " of our own: key-0, key-1, ..." : ""));
    for (const std::vector<std::string>& names : table.alike) {
        g.notes.emplace_back("alike on all keys", joined(names, ", "));
    }
    return g;
}

/// For reading: reasons stand below, one a line.
grid reading_grid(const compat_table& table) {
    grid g = owners_grid(table);
    for (const program_row& row : table.rows) {
        std::string name(row.by.scheme->name);
        for (const std::string& reason : reasons(row)) {
            g.notes.emplace_back(std::exchange(name, ""), reason);
        }
    }
    return g;
}

/// For programs: reasons are a column.
grid tsv_grid(const compat_table& table) {
    grid g = owners_grid(table);
    g.headings.emplace_back("differences");
    for (std::size_t i = 0; i < g.rows.size(); ++i) {
        g.rows[i].push_back(joined(reasons(table.rows[i]), " | "));
    }
    return g;
}

json as_json(const program_row& row, const std::vector<std::string>& keys) {
    json options = json::object();
    for (const auto& [name, value] : row.by.options) {
        options[name] = value;
    }
    json whole = {{"scheme", row.by.scheme->name}, {"options", std::move(options)}};
    if (!row.by.placed) {
        whole["refused"] = row.refusal;
        return whole;
    }
    json shown = json::array();
    for (std::size_t i = 0; i < keys.size(); ++i) {
        shown.push_back({{"key", keys[i]}, {"node", row.shown[i]}});
    }
    whole.update({{"keys", std::move(shown)},
                  {"agreement", row.agreement},
                  {"differences", row.unlike},
                  {"rules", row.by.scheme->describe(row.by.options)}});
    return whole;
}

json as_json(const compat_table& table) {
    json rows = json::array();
    for (const program_row& row : table.rows) {
        rows.push_back(as_json(row, table.shown_keys));
    }
    return {{"reference", table.reference},
            {"keys", table.keys},
            {"schemes", std::move(rows)},
            {"alike", table.alike}};
}

} // namespace

void compat_command(const request& asked, output& out) {
    const format as = parse_format(asked.format.value_or("table"));
    const compat_table table = make_compat_table(asked);
    if (as == format::json) {
        print_json(as_json(table), out);
    } else if (as == format::tsv) {
        print_tsv(tsv_grid(table), out);
    } else {
        print_table(reading_grid(table), out);
    }
}

} // namespace tool
