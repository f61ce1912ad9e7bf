// SPDX-License-Identifier: MIT

#include "bench.hpp"

#include "../../tool/json.hpp"
#include "../../tool/progress.hpp"
#include "../trial/mishap_table.hpp"
#include "charts.hpp"
#include "distribution.hpp"
#include "machine.hpp"
#include "throughput.hpp"

#include <hashring/core/text.hpp>

namespace redis_groups::bench {

namespace {

using hashring::concat;
using hashring::decimal;
using tool::fixed;
using tool::json;

/// What one experiment found, in each of its forms.
struct finding {
    std::string title;
    tool::grid table;
    json rows = json::array();
    std::vector<chart_file> charts;
};

std::string per_cent(double part) {
    return fixed(100.0 * part, 2);
}

finding distribution(const options& chosen) {
    const std::vector<group_share> shares = measure_distribution(chosen);
    finding result{
        "Distribution of keys (figure 5)", {}, json::array(), {distribution_chart(shares)}};
    result.table.headings = {"groups", "group", "share of the ring %", "keys by the ring",
                             "keys held"};
    for (const group_share& each : shares) {
        result.table.rows.push_back({decimal(each.groups), each.name, per_cent(each.share),
                                     decimal(each.by_ring), decimal(each.held)});
        result.rows.push_back({{"groups", each.groups},
                               {"name", each.name},
                               {"share", each.share},
                               {"keys", each.held}});
    }
    result.table.notes = {{"paper", "two groups 51 / 49 %, three 36 / 32 / 32 %"}};
    return result;
}

json json_of(const measured& m) {
    return {{"median", m.median}, {"least", m.least}, {"most", m.most}};
}

finding throughput_of(const options& chosen) {
    const std::vector<throughput> all = measure_throughput(chosen);
    const std::string servers =
        chosen.service_time.count() == 0
            ? "real servers"
            : concat("servers that are busy for ", decimal(chosen.service_time.count()),
                     " us a request besides");
    finding result{
        concat("Throughput and response times by the number of groups (figures 3 and 4), ",
               servers),
        {},
        json::array(),
        throughput_charts(all, servers)};
    result.table.headings = {"groups",       "request", "a second", "least-most",
                             "to one group", "mean ms", "p99 ms"};
    for (const throughput& each : all) {
        const double one = all[each.is_read ? 1 : 0].per_second.median;
        result.table.rows.push_back(
            {decimal(each.groups), each.is_read ? "get" : "set", fixed(each.per_second.median, 0),
             concat(fixed(each.per_second.least, 0), "-", fixed(each.per_second.most, 0)),
             fixed(each.per_second.median / one, 2), fixed(each.mean_ms.median, 2),
             fixed(each.p99_ms.median, 2)});
        result.rows.push_back({{"groups", each.groups},
                               {"request", each.is_read ? "get" : "set"},
                               {"per_second", json_of(each.per_second)},
                               {"mean_ms", json_of(each.mean_ms)},
                               {"p99_ms", json_of(each.p99_ms)}});
    }
    result.table.notes = {
        {"times",
         concat("from sending ", decimal(chosen.pipeline), " requests to the last answer")},
        {"figures", concat("medians of ", decimal(chosen.rounds), " rounds")},
        {"paper", "one more group on a machine of its own: set +30 %, get +50 %; under 10 ms"}};
    return result;
}

finding reliability(const options& chosen) {
    finding result{"What is lost when servers die under load (table 1)", {}, json::array(), {}};
    mishap_options how;
    how.clients = chosen.clients;
    std::vector<mishap_result> results;
    tool::progress_bar bar(mishap_trials().size());
    for (const mishap_trial& trial : mishap_trials()) {
        const mishap_result& found = results.emplace_back(run_mishap(trial, how));
        bar.step();
        result.rows.push_back({{"strategy", describe(trial.write)},
                               {"copies", trial.replicas + 1},
                               {"event", describe(trial.what)},
                               {"done", found.counts.done},
                               {"refused", found.counts.refused},
                               {"unknown", found.counts.unknown},
                               {"lost", found.lost},
                               {"longest_pause_ms", found.pause.count()}});
    }
    result.table = mishap_table(results);
    result.table.notes = {{"lost", "acknowledged writes that are not there afterwards"},
                          {"link", concat("replicas of a master that dies are ",
                                          decimal(how.link_delay.count()), " ms away")}};
    return result;
}

finding run_one(const std::string& name, const options& chosen) {
    return name == "distribution" ? distribution(chosen)
           : name == "throughput" ? throughput_of(chosen)
                                  : reliability(chosen);
}

json json_of(const machine& where, const options& chosen) {
    return {{"system", where.system},
            {"processor", where.processor},
            {"cores", where.cores},
            {"load", where.load},
            {"keys", chosen.keys},
            {"clients", chosen.clients},
            {"pipeline", chosen.pipeline},
            {"replicas", chosen.replicas},
            {"rounds", chosen.rounds},
            {"service_time_us", chosen.service_time.count()},
            {"strategy", describe(chosen.how.rules.write)}};
}

void print_head(const machine& where, const options& chosen, tool::output& out) {
    out << where.system << ", " << where.processor << ", " << decimal(where.cores)
        << " cores, load " << fixed(where.load, 2) << '\n'
        << decimal(chosen.keys) << " keys of 32-byte values, " << decimal(chosen.clients)
        << " clients, " << decimal(chosen.pipeline) << " requests together, "
        << decimal(chosen.replicas) << " replicas a group; " << describe(chosen.how.rules.write)
        << '\n'
        << "Servers and clients share this machine: what it shows of more groups is what it has "
           "cores for.\n";
    out.flush();
}

} // namespace

void run(const options& chosen, tool::output& out) {
    if (chosen.charts) {
        prepare_charts(*chosen.charts);
    }
    const machine where = this_machine();
    const bool is_table = chosen.as == tool::format::table;
    if (is_table) {
        print_head(where, chosen, out);
    }
    json whole = json_of(where, chosen);
    for (const std::string& name : chosen.experiments) {
        const finding found = run_one(name, chosen);
        if (is_table) {
            out << '\n' << found.title << "\n\n";
            print_table(found.table, out);
            out.flush();
        } else if (chosen.as == tool::format::tsv) {
            out << "# " << found.title << '\n';
            print_tsv(found.table, out);
        }
        whole[name] = found.rows;
        if (chosen.charts) {
            write_charts(found.charts, *chosen.charts);
        }
    }
    if (chosen.as == tool::format::json) {
        print_json(whole, out);
    }
    out.flush();
}

} // namespace redis_groups::bench
