// SPDX-License-Identifier: MIT
#include "advice.hpp"
#include "commands.hpp"
#include "compare_table.hpp"
#include "failure.hpp"
#include "fresh_node.hpp"
#include "json.hpp"
#include "lookup_time.hpp"
#include "progress.hpp"

#include <hashring/balance/thresholds.hpp>
#include <hashring/core/error.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tool {

namespace {

double parse_gap(const std::optional<std::string>& given) {
    if (!given) {
        throw usage_failure("advise needs --gap, such as --gap 5%");
    }
    double gap = 0.0;
    try {
        gap = hashring::threshold::parse(*given).value().value();
    } catch (const hashring::invalid_option&) {
        throw usage_failure(concat("--gap ", in_quotes(*given),
                                   " is neither a part such as 5% nor a number such as 0.05"));
    }
    if (!(gap > 0.0)) {
        throw usage_failure("--gap is above 0: no hashing is even without a rest");
    }
    return gap;
}

std::vector<listed_node> counted_nodes(const std::string& text) {
    constexpr std::size_t most = 10'000;
    const auto count = hashring::parse_decimal<std::size_t>(text);
    if (!count || *count < 1 || *count > most) {
        throw usage_failure(concat("--count ", in_quotes(text), " is not a whole number from 1 to ",
                                   decimal(most)));
    }
    std::vector<listed_node> nodes(*count);
    for (std::size_t i = 0; i < *count; ++i) {
        nodes[i].name = concat("node-", decimal(i + 1));
    }
    return nodes;
}

advice_request checked(const request& asked) {
    advice_request checked;
    checked.gap = parse_gap(asked.gap);
    if (asked.nodes.empty() == !asked.count) {
        throw usage_failure("advise needs one of --nodes and --count");
    }
    if (asked.count) {
        checked.nodes = counted_nodes(*asked.count);
    } else {
        checked.nodes = read_nodes_file(asked.nodes);
        check_somebody_takes_keys(checked.nodes, asked.nodes);
    }
    return checked;
}

/// Fills in what a change moves, unless it would take long.
void add_movement(advice& a, const advice_request& asked, const listed_node& fresh,
                  const std::vector<std::string>& sample) {
    constexpr std::size_t most_points = std::size_t{1} << 21U;
    if (!a.placed || a.placed->point_count() > most_points) {
        return;
    }
    const scheme_entry& plain = find_scheme(a.scheme);
    const movements moves = move_nodes(a.corrected ? *plain.corrected : plain, a.options, *a.placed,
                                       asked.nodes, fresh, sample);
    if (moves.join) {
        a.join_times_least = times_least({&*moves.join, 1});
    }
    a.leave_times_least = times_least(moves.leaves);
}

std::vector<advice> all_advice(const advice_request& asked, bool measures_time) {
    const listed_node fresh = fresh_node(asked.nodes);
    const std::vector<std::string> sample = make_up_keys();
    std::vector<advice> all;
    progress_bar bar(8);
    const auto add = [&](advice a) {
        add_movement(a, asked, fresh, sample);
        all.push_back(std::move(a));
        bar.step();
    };
    add(advise_ring(asked));
    add(advise_corrected(asked));
    add(advise_exact(asked, fresh));
    add(advise_multi_probe(asked));
    add(advise_maglev(asked));
    add(advise_rendezvous(asked));
    add(advise_jump(asked));
    add(advise_anchor(asked));
    bar.finish();
    if (measures_time) {
        key_sample timed;
        std::for_each(sample.begin(), sample.end(), [&](const auto& key) { timed.add(key); });
        std::vector<const placement*> placed;
        for (const advice& a : all) {
            if (a.placed) {
                placed.push_back(a.placed.get());
            }
        }
        const std::vector<double> times = lookup_times(placed, timed.keys());
        auto next = times.begin();
        for (advice& a : all) {
            if (a.placed) {
                a.nanoseconds = *next++;
            }
        }
    }
    return all;
}

std::string lookup_class(const advice& a) {
    return a.by_node ? "O(nodes)" : a.family == "jump" ? "O(log nodes)" : "O(1)";
}

/// Whether the figures of `a` are those of something that was built.
bool is_measured(const advice& a) {
    return a.placed || (a.scheme.empty() && a.points > 0);
}

std::string fixed_or_dash(const std::optional<double>& value, int digits) {
    return value ? fixed(*value, digits) : "-";
}

grid as_grid(const std::vector<advice>& all, bool has_times) {
    grid g{{"choice", "reaches", "load_gap", "peak_to_mean", "join_times_least",
            "leave_times_least", "points", "memory_bytes", "look-up"},
           {},
           {}};
    if (has_times) {
        g.headings.emplace_back("ns_per_lookup");
    }
    for (const advice& a : all) {
        const bool measured = is_measured(a);
        const std::string arguments = arguments_of(a);
        std::vector<std::string> cells = {measured && !arguments.empty() ? arguments : a.family,
                                          a.reaches ? "yes" : "no",
                                          measured ? fixed(a.load_gap, 6) : "-",
                                          measured ? fixed(a.peak_to_mean, 6) : "-",
                                          fixed_or_dash(a.join_times_least, 2),
                                          fixed_or_dash(a.leave_times_least, 2),
                                          a.points > 0 ? decimal(a.points) : "-",
                                          measured ? decimal(a.memory_bytes) : "-",
                                          lookup_class(a)};
        if (has_times) {
            cells.push_back(fixed_or_dash(a.nanoseconds, 1));
        }
        g.rows.push_back(std::move(cells));
    }
    return g;
}

void add_notes(const advice_request& asked, const std::vector<advice>& all, grid& g) {
    g.notes.emplace_back("gap", concat(fixed(100.0 * asked.gap, 4), "%"));
    g.notes.emplace_back("nodes", decimal(asked.nodes.size()));
    for (const advice& a : all) {
        if (!a.note.empty()) {
            g.notes.emplace_back(a.family, a.note);
        }
    }
}

json as_json(const advice& a) {
    json options = json::object();
    for (const auto& [name, value] : a.options) {
        options[name] = value;
    }
    json whole = {{"choice", a.family}, {"reaches", a.reaches}};
    if (!a.scheme.empty()) {
        whole["scheme"] = a.scheme;
        whole["allocator"] = a.corrected ? "corrected" : "plain";
        whole["options"] = std::move(options);
        whole["arguments"] = arguments_of(a);
    }
    if (is_measured(a)) {
        whole["load_gap"] = a.load_gap;
        whole["peak_to_mean"] = a.peak_to_mean;
        whole["points"] = a.points;
        whole["memory_bytes"] = a.memory_bytes;
    }
    const auto number = [](const std::optional<double>& value) {
        return value ? json(*value) : json();
    };
    whole["join_times_least"] = number(a.join_times_least);
    whole["leave_times_least"] = number(a.leave_times_least);
    whole["lookup"] = lookup_class(a);
    if (a.nanoseconds) {
        whole["ns_per_lookup"] = *a.nanoseconds;
    }
    whole["note"] = a.note;
    return whole;
}

json as_json(const advice_request& asked, const std::vector<advice>& all,
             const recommendation& best) {
    json choices = json::array();
    for (const advice& a : all) {
        choices.push_back(as_json(a));
    }
    json whole = {{"gap", asked.gap}, {"nodes", asked.nodes.size()}, {"recommended", json()}};
    if (best.choice != nullptr) {
        whole["recommended"] = {{"choice", best.choice->family},
                                {"arguments", arguments_of(*best.choice)},
                                {"why", best.why}};
    }
    whole["choices"] = std::move(choices);
    return whole;
}

/// The line that comes first.
std::string headline(const recommendation& best) {
    return best.choice == nullptr
               ? std::string("no scheme is as even as that on these nodes")
               : concat("use ", arguments_of(*best.choice), "  (", best.why, ")");
}

} // namespace

void advise_command(const request& asked, output& out) {
    const format as = parse_format(asked.format.value_or("table"));
    const advice_request what = checked(asked);
    const std::vector<advice> all = all_advice(what, !asked.no_time);
    const recommendation best = recommend(all, what.nodes.size());
    if (as == format::json) {
        print_json(as_json(what, all, best), out);
        return;
    }
    grid g = as_grid(all, !asked.no_time);
    add_notes(what, all, g);
    if (as == format::tsv) {
        out << "# " << headline(best) << '\n';
        print_tsv(g, out);
    } else {
        out << headline(best) << "\n\n";
        print_table(g, out);
    }
}

} // namespace tool
