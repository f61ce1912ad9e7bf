// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "json.hpp"
#include "named_scheme.hpp"

namespace tool {

void ring_command(const request& asked, output& out) {
    const format as = parse_format(asked.format.value_or("tsv"));
    check_lists_points(asked);
    const std::string listed(checked_scheme(asked).lists);
    const std::unique_ptr<placement> placed = checked_placement(asked, asked.nodes);
    const auto nodes = placed->nodes();
    if (as == format::tsv) { // streamed: a ring may have millions of points
        for (std::size_t i = 0; i < placed->point_count(); ++i) {
            if (const std::string position = placed->point_text(i); !position.empty()) {
                out << position << '\t' << nodes[placed->point_owner(i)].name << '\n';
            }
        }
        return;
    }
    grid g{{listed, "node"}, {}, {}};
    for (std::size_t i = 0; i < placed->point_count(); ++i) {
        if (std::string position = placed->point_text(i); !position.empty()) {
            g.rows.push_back({std::move(position), nodes[placed->point_owner(i)].name});
        }
    }
    if (as == format::table) {
        print_table(g, out);
        return;
    }
    json points = json::array();
    for (const auto& row : g.rows) {
        points.push_back({{listed, row[0]}, {"node", row[1]}});
    }
    json whole = named_scheme(asked);
    whole["fingerprint"] = hex_number(placed->fingerprint());
    whole[listed == "slot" ? "slots" : "points"] = std::move(points);
    print_json(whole, out);
}

} // namespace tool
