// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "failure.hpp"
#include "json.hpp"
#include "named_scheme.hpp"

#include <memory>

namespace tool {

namespace {

/// Throws if slots have the same numbers and other keys: a remainder by another number of slots is
/// another one.
void check_same_slots(const request& asked, const placement& before, const placement& after) {
    const std::size_t from = before.point_count();
    const std::size_t to = after.point_count();
    if (checked_scheme(asked).counts == counting::slots && from != to && from > 0 && to > 0) {
        throw usage_failure(concat("scheme ", asked.scheme, " has ", decimal(from),
                                   " slots before and ", decimal(to),
                                   " after, which hold other keys: `compare` counts what moves"));
    }
}

difference checked_difference(const request& asked) {
    check_lists_points(asked);
    check_one_stdin(asked.from, asked.to, "--from and --to");
    const std::unique_ptr<placement> before = checked_placement(asked, asked.from);
    const std::unique_ptr<placement> after = checked_placement(asked, asked.to);
    check_same_slots(asked, *before, *after);
    return before->changes_to(*after);
}

/// Arcs as lines without a heading, totals on lines that begin with `#`.
void print_lines(const difference& d, output& out) {
    for (const moved& arc : d.arcs) {
        out << arc.first << '\t' << arc.last << '\t' << arc.from << '\t' << arc.to << '\n';
    }
    for (const moved_total& total : d.totals) {
        out << "# moved\t" << total.from << '\t' << total.to << '\t' << fixed(total.share, 9)
            << '\n';
    }
    out << "# moved_share\t" << fixed(d.moved_share, 9) << '\n';
    out << "# least_share\t" << fixed(d.least_share, 9) << '\n';
}

void print_as_table(const difference& d, output& out) {
    grid g{{"first", "last", "from", "to"}, {}, {}};
    for (const moved& arc : d.arcs) {
        g.rows.push_back({arc.first, arc.last, arc.from, arc.to});
    }
    for (const moved_total& total : d.totals) {
        g.notes.emplace_back(concat("from ", total.from, " to ", total.to), fixed(total.share, 9));
    }
    g.notes.emplace_back("moved_share", fixed(d.moved_share, 9));
    g.notes.emplace_back("least_share", fixed(d.least_share, 9));
    print_table(g, out);
}

void print_as_json(const request& asked, const difference& d, output& out) {
    json arcs = json::array();
    for (const moved& arc : d.arcs) {
        arcs.push_back(
            {{"first", arc.first}, {"last", arc.last}, {"from", arc.from}, {"to", arc.to}});
    }
    json totals = json::array();
    for (const moved_total& total : d.totals) {
        totals.push_back(
            {{"from", total.from}, {"to", total.to}, {"arcs", total.arcs}, {"share", total.share}});
    }
    json whole = named_scheme(asked);
    whole["arcs"] = std::move(arcs);
    whole["totals"] = std::move(totals);
    whole["moved_share"] = d.moved_share;
    whole["least_share"] = d.least_share;
    print_json(whole, out);
}

} // namespace

void diff_command(const request& asked, output& out) {
    const format as = parse_format(asked.format.value_or("tsv"));
    const difference d = checked_difference(asked);
    if (as == format::json) {
        print_as_json(asked, d, out);
    } else if (as == format::tsv) {
        print_lines(d, out);
    } else {
        print_as_table(d, out);
    }
}

} // namespace tool
