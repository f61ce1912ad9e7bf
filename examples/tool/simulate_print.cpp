// SPDX-License-Identifier: MIT
#include "simulate_print.hpp"

#include "failure.hpp"
#include "json.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tool {

namespace {

using simulate::experiment;
using simulate::measured;
using simulate::settings;
using simulate::spread;

/// The places of the x axis that a table has room for, the first and the last among them.
std::vector<std::size_t> table_columns(std::size_t places) {
    constexpr std::size_t most = 8;
    std::vector<std::size_t> chosen;
    const std::size_t count = places < most ? places : most;
    for (std::size_t i = 0; i < count; ++i) {
        chosen.push_back(count < 2 ? 0 : i * (places - 1) / (count - 1));
    }
    return chosen;
}

std::string cell(const spread& s, bool in_percent) {
    const double factor = in_percent ? 100.0 : 1.0;
    return concat(simulate::tenths_text(s.median * factor), " (",
                  simulate::tenths_text(s.p5 * factor), "-", simulate::tenths_text(s.p95 * factor),
                  ")");
}

grid table_of(const experiment& e, const measured& m) {
    grid g{{concat(m.title, m.in_percent ? ", %" : "")}, {}, {}};
    const std::vector<std::size_t> columns = table_columns(e.xs.size());
    for (const std::size_t x : columns) {
        g.headings.push_back(concat(decimal(e.xs[x]), " ", e.x_title));
    }
    for (std::size_t s = 0; s < e.strategies.size(); ++s) {
        std::vector<std::string>& row = g.rows.emplace_back();
        row.push_back(e.strategies[s].full_label());
        for (const std::size_t x : columns) {
            row.push_back(cell(m.values[s][x], m.in_percent));
        }
    }
    return g;
}

/// What the paper has, for below the tables.
std::string published_text(const experiment& e) {
    std::string text;
    for (const simulate::published_figure& f : e.published) {
        text += concat(text.empty() ? "" : ", ", f.of, " ", f.percent_text());
    }
    return text;
}

std::vector<std::pair<std::string, std::string>> notes_of(const experiment& e,
                                                          const settings& asked) {
    std::vector<std::pair<std::string, std::string>> notes = {
        {"cells", "median (5th-95th percentile) of the trials"},
        {"seeds", concat(decimal(asked.seed), ", ", decimal(asked.seeds), " trials")}};
    if (!e.published.empty()) {
        notes.emplace_back("paper", published_text(e));
    }
    return notes;
}

void print_tables(const experiment& e, const settings& asked, output& out) {
    out << e.title << "\n\n";
    for (std::size_t i = 0; i < e.measures.size(); ++i) {
        grid g = table_of(e, e.measures[i]);
        if (i + 1 == e.measures.size()) {
            g.notes = notes_of(e, asked);
        }
        print_table(g, out);
        out << (i + 1 == e.measures.size() ? "" : "\n");
    }
}

grid lines_of(const experiment& e) {
    grid g{{"strategy", e.x_name, "measure", "median", "p5", "p95"}, {}, {}};
    for (std::size_t s = 0; s < e.strategies.size(); ++s) {
        for (std::size_t x = 0; x < e.xs.size(); ++x) {
            for (const measured& m : e.measures) {
                const spread& v = m.values[s][x];
                g.rows.push_back({std::string(e.strategies[s].name), decimal(e.xs[x]), m.name,
                                  fixed(v.median, 6), fixed(v.p5, 6), fixed(v.p95, 6)});
            }
        }
    }
    return g;
}

json points_of(const experiment& e, std::size_t strategy) {
    json points = json::array();
    for (std::size_t x = 0; x < e.xs.size(); ++x) {
        json point = {{e.x_name, e.xs[x]}};
        for (const measured& m : e.measures) {
            const spread& v = m.values[strategy][x];
            point[m.name] = {{"median", v.median}, {"p5", v.p5}, {"p95", v.p95}};
        }
        points.push_back(std::move(point));
    }
    return points;
}

json as_json(const experiment& e, const settings& asked) {
    json strategies = json::array();
    for (std::size_t s = 0; s < e.strategies.size(); ++s) {
        strategies.push_back({{"name", e.strategies[s].name},
                              {"label", e.strategies[s].full_label()},
                              {"points", points_of(e, s)}});
    }
    json published = json::array();
    for (const simulate::published_figure& f : e.published) {
        published.push_back({{"of", f.of}, {"least", f.least}, {"most", f.most}});
    }
    return {{"experiment", e.name},
            {"title", e.title},
            {"summary", e.summary},
            {"seed", decimal(asked.seed)}, // JSON's own numbers lose digits above 2^53
            {"seeds", asked.seeds},
            {"published", std::move(published)},
            {"strategies", std::move(strategies)}};
}

} // namespace

void print_experiment(const experiment& shown, const settings& asked, format as, output& out) {
    if (as == format::json) {
        print_json(as_json(shown, asked), out);
    } else if (as == format::tsv) {
        print_tsv(lines_of(shown), out);
    } else {
        print_tables(shown, asked, out);
    }
}

} // namespace tool
