// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/groups.hpp"
#include "support/mismatches.hpp"
#include "support/prometheus_text.hpp"

#include <hashring/placement/ketama_group.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/service/metrics.hpp>
#include <hashring/table/jump.hpp>
#include <hashring/table/table.hpp>

#include <array>
#include <clocale>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using namespace std::string_view_literals;
using support::parsed_metrics;
using support::prometheus_reader;

namespace {

using groups = ring<schemes::ketama_group>;

// A gauge with one label of this value.
std::string labelled(std::string_view value) {
    metrics_text m;
    m.gauge("g", "h", {{"l", value}}, 1);
    const std::string text = m.text();
    const std::size_t from = text.find("g{l=\"") + 5;
    return text.substr(from, text.rfind("\"} 1\n") - from);
}

std::string printed(double value) {
    metrics_text m;
    m.gauge("g", "h", {}, value);
    return m.text().substr(std::string_view("# HELP g h\n# TYPE g gauge\ng ").size());
}

std::string refused(const auto& action) {
    metrics_text m;
    try {
        action(m);
    } catch (const invalid_option& error) {
        return m.text().empty() ? error.what() : "half done";
    }
    return "taken";
}

std::string why_not(std::string_view text) {
    try {
        return decimal(prometheus_reader::read(text).series.size()).append(" series");
    } catch (const std::runtime_error& error) {
        const std::string what = error.what();
        return what.substr(0, what.find(" at '"));
    }
}

} // namespace

// The text was given to promtool 2.42, which found nothing to say.
TEST_CASE("metrics: a ring, its nodes and its group in the text format",
          "[metrics][golden][small]") {
    metrics_text m;
    const groups ring{"group01", "odd \"name\" with \\ and \n newline"};
    add_ring_metrics(m, "groups", ring, [](const auto& node) {
        return node.name() == "group01" ? "up"sv : "safe_mode"sv;
    });
    add_lookups(m, "groups", "group01", 321630);
    add_moved_keys(m, "groups", 1234000);
    group::members copies = group_of("Uud");
    copies.set_offset(0, 900);
    copies.set_offset(1, 850);
    add_group_metrics(m, "groups", "group01", copies, group::mode::normal);
    add_group_counts(m, "groups", "group01", {100, 2, 1, 3, 4});
    // The shares were computed by another program.
    CHECK(m.text() == concat(R"(# HELP hash_ring_points Number of virtual nodes of a node.
# TYPE hash_ring_points gauge
hash_ring_points{ring="groups",node="group01"} 160
hash_ring_points{ring="groups",node="odd \"name\" with \\ and \n newline"} 160
# HELP hash_ring_nodes Number of nodes known to the ring, by state.
# TYPE hash_ring_nodes gauge
hash_ring_nodes{ring="groups",state="safe_mode"} 1
hash_ring_nodes{ring="groups",state="up"} 1
# HELP hash_ring_ownership_ratio Share of the hash space that a node owns.
# TYPE hash_ring_ownership_ratio gauge
hash_ring_ownership_ratio{ring="groups",node="group01"} )",
                             "0.4763824073597789",
                             R"(
hash_ring_ownership_ratio{ring="groups",node="odd \"name\" with \\ and \n newline"} )",
                             "0.5236175926402211",
                             R"(
# HELP hash_ring_lookups_total Lookups answered by a node.
# TYPE hash_ring_lookups_total counter
hash_ring_lookups_total{ring="groups",node="group01"} 321630
# HELP hash_ring_moved_keys_total Keys whose owner changed.
# TYPE hash_ring_moved_keys_total counter
hash_ring_moved_keys_total{ring="groups"} 1234000
# HELP hash_ring_group_copies Number of copies of a group, by state.
# TYPE hash_ring_group_copies gauge
hash_ring_group_copies{ring="groups",group="group01",state="up"} 2
hash_ring_group_copies{ring="groups",group="group01",state="behind"} 0
hash_ring_group_copies{ring="groups",group="group01",state="repairing"} 0
hash_ring_group_copies{ring="groups",group="group01",state="down"} 1
# HELP hash_ring_group_safe_mode Whether the group takes no writes until it is repaired.
# TYPE hash_ring_group_safe_mode gauge
hash_ring_group_safe_mode{ring="groups",group="group01"} 0
# HELP hash_ring_group_master Whether the copy is the master of its group.
# TYPE hash_ring_group_master gauge
hash_ring_group_master{ring="groups",group="group01",copy="a"} 1
hash_ring_group_master{ring="groups",group="group01",copy="b"} 0
hash_ring_group_master{ring="groups",group="group01",copy="c"} 0
# HELP hash_ring_group_lag_bytes How far the copy is behind the furthest one.
# TYPE hash_ring_group_lag_bytes gauge
hash_ring_group_lag_bytes{ring="groups",group="group01",copy="a"} 0
hash_ring_group_lag_bytes{ring="groups",group="group01",copy="b"} 50
hash_ring_group_lag_bytes{ring="groups",group="group01",copy="c"} 900
# HELP hash_ring_group_writes_total Writes to a group, by what became of them.
# TYPE hash_ring_group_writes_total counter
hash_ring_group_writes_total{ring="groups",group="group01",outcome="done"} 100
hash_ring_group_writes_total{ring="groups",group="group01",outcome="refused"} 2
hash_ring_group_writes_total{ring="groups",group="group01",outcome="unknown"} 1
# HELP hash_ring_group_failovers_total Times that a replica became the master.
# TYPE hash_ring_group_failovers_total counter
hash_ring_group_failovers_total{ring="groups",group="group01"} 3
# HELP hash_ring_group_repaired_keys_total Keys that a copy was given anew.
# TYPE hash_ring_group_repaired_keys_total counter
hash_ring_group_repaired_keys_total{ring="groups",group="group01"} 4
)"));
}

TEST_CASE("metrics: utilisation and the time of look-ups", "[metrics][golden][small]") {
    metrics_text m;
    const std::vector<node_stats> stats = {node_stats::with_free("192.0.2.11:50010", 100, 60),
                                           node_stats{}};
    add_utilization(m, "hdfs", stats);
    add_lookup_durations(m, "groups", std::array{1e-7, 1e-6},
                         std::array<std::uint64_t, 3>{10, 90, 1}, 4.2e-5);
    CHECK(m.text() == R"(# HELP hash_ring_node_utilization_ratio Used share of a node's disk.
# TYPE hash_ring_node_utilization_ratio gauge
hash_ring_node_utilization_ratio{ring="hdfs",node="192.0.2.11:50010"} 0.4
# HELP hash_ring_lookup_duration_seconds Time of one lookup.
# TYPE hash_ring_lookup_duration_seconds histogram
hash_ring_lookup_duration_seconds_bucket{ring="groups",le="1e-07"} 10
hash_ring_lookup_duration_seconds_bucket{ring="groups",le="1e-06"} 100
hash_ring_lookup_duration_seconds_bucket{ring="groups",le="+Inf"} 101
hash_ring_lookup_duration_seconds_sum{ring="groups"} 4.2e-05
hash_ring_lookup_duration_seconds_count{ring="groups"} 101
)");
    CHECK(prometheus_reader::read(m.text()).series.size() == 6);
}

TEST_CASE("metrics: label values are escaped", "[metrics][golden][small]") {
    CHECK(labelled("plain") == "plain");
    CHECK(labelled("") == "");
    CHECK(labelled("a\"b\\c\nd") == R"(a\"b\\c\nd)");
    CHECK(labelled("a\r\tb\0c\x7f"sv) == R"(a\\x0d\\x09b\\x00c\\x7f)");
    CHECK(labelled("gr\xc3\xb6\xc3\x9f"
                   "e \xe2\x82\xac \xf0\x9f\x98\x80") == "gr\xc3\xb6\xc3\x9f"
                                                         "e \xe2\x82\xac \xf0\x9f\x98\x80");
    CHECK(labelled("\xff\xfe") == R"(\\xff\\xfe)");
    CHECK(labelled("\xc3") == R"(\\xc3)");
    CHECK(labelled("\xc3x") == R"(\\xc3x)");
    CHECK(labelled("\xc0\x80") == R"(\\xc0\\x80)");          // too long for NUL
    CHECK(labelled("\xe0\x9f\xbf") == R"(\\xe0\\x9f\\xbf)"); // too long
    CHECK(labelled("\xe0\xa0\x80") == "\xe0\xa0\x80");       // the first of three bytes
    CHECK(labelled("\xed\x9f\xbf") == "\xed\x9f\xbf");       // the last before surrogates
    CHECK(labelled("\xed\xa0\x80") == R"(\\xed\\xa0\\x80)"); // a surrogate
    CHECK(labelled("\xf0\x8f\xbf\xbf") == R"(\\xf0\\x8f\\xbf\\xbf)");
    CHECK(labelled("\xf0\x90\x80\x80") == "\xf0\x90\x80\x80");
    CHECK(labelled("\xf4\x8f\xbf\xbf") == "\xf4\x8f\xbf\xbf"); // the last of all
    CHECK(labelled("\xf4\x90\x80\x80") == R"(\\xf4\\x90\\x80\\x80)");
    CHECK(labelled("\xf5\x80\x80\x80") == R"(\\xf5\\x80\\x80\\x80)");
    CHECK(labelled("\x80") == R"(\\x80)");
    CHECK(labelled("\xc2\x80\xdf\xbf") == "\xc2\x80\xdf\xbf");
}

TEST_CASE("metrics: numbers", "[metrics][golden]") {
    CHECK(printed(0.5) == "0.5\n");
    CHECK(printed(0.1) == "0.1\n");
    CHECK(printed(1e-7) == "1e-07\n");
    CHECK(printed(1e300) == "1e+300\n");
    CHECK(printed(-0.25) == "-0.25\n");
    CHECK(printed(std::numeric_limits<double>::infinity()) == "+Inf\n");
    CHECK(printed(-std::numeric_limits<double>::infinity()) == "-Inf\n");
    CHECK(printed(std::numeric_limits<double>::quiet_NaN()) == "NaN\n");
    metrics_text m;
    m.counter("c_total", "h", {}, ~std::uint64_t{0});
    CHECK(m.text().ends_with("c_total 18446744073709551615\n"));
}

TEST_CASE("metrics: a table has the shares of its rule, an idle node no points",
          "[metrics][golden]") {
    metrics_text m;
    add_ring_metrics(m, "jump", table<schemes::jump>(std::vector<std::string>{"a", "b"}));
    groups ring{"a"};
    ring.add("b", weight{0});
    add_ring_metrics(m, "ring", ring);
    const parsed_metrics read = prometheus_reader::read(m.text());
    CHECK(read.at("hash_ring_points{node=a,ring=jump}") == "1");
    CHECK(read.at("hash_ring_ownership_ratio{node=a,ring=jump}") == "0.5");
    CHECK(read.at("hash_ring_ownership_ratio{node=a,ring=ring}") == "1");
    CHECK(read.at("hash_ring_ownership_ratio{node=b,ring=ring}") == "0");
    CHECK(read.at("hash_ring_nodes{ring=ring,state=up}") == "1");
    CHECK(read.at("hash_ring_nodes{ring=ring,state=idle}") == "1");
    CHECK(read.at("hash_ring_nodes{ring=jump,state=up}") == "2");
}

TEST_CASE("metrics: whatever names are, the text reads back", "[metrics][law]") {
    constexpr std::uint64_t seed = 91;
    CAPTURE(seed);
    dice random(seed);
    test::mismatches wrong;
    for (int round = 0; round < 200; ++round) {
        metrics_text m;
        std::vector<std::string> names;
        for (std::uint64_t n = 1 + random.below(6); n > 0; --n) {
            std::string name;
            for (std::uint64_t length = 1 + random.below(6); length > 0; --length) {
                constexpr std::string_view letters = "ab\"\\\n,{}= \xc3\xb6#";
                name += random.below(4) == 0 ? static_cast<char>(random.below(256))
                                             : letters[random.below(letters.size())];
            }
            names.push_back(name);
            add_lookups(m, name, name, n);
            add_moved_keys(m, name, n);
            add_group_metrics(m, name, name, group_of("Ub"), group::mode::safe);
        }
        try {
            const parsed_metrics read = prometheus_reader::read(m.text());
            for (const std::string& name : names) {
                if (name.find_first_not_of("ab\"\\\n,{}= #") == std::string::npos) {
                    wrong.expect(read.at(concat("hash_ring_moved_keys_total{ring=", name, "}")) !=
                                     "none",
                                 round, name);
                }
            }
        } catch (const std::runtime_error& error) {
            wrong.expect(false, round, error.what());
        }
    }
    CHECK(wrong.report() == "");
}

TEST_CASE("metrics: a series that is set again has the new value and is there once",
          "[metrics][law]") {
    metrics_text m;
    m.gauge("g", "h", {{"a", "1"}, {"b", "2"}}, 1);
    m.gauge("other", "h", {}, 7);
    m.gauge("g", "h", {{"a", "2"}, {"b", "1"}}, 2);
    m.gauge("g", "h", {{"b", "2"}, {"a", "1"}}, 3); // the same one: labels have no order
    CHECK(m.text() == "# HELP g h\n# TYPE g gauge\ng{b=\"2\",a=\"1\"} 3\ng{a=\"2\",b=\"1\"} 2\n"
                      "# HELP other h\n# TYPE other gauge\nother 7\n");
    const std::array<std::uint64_t, 1> counts = {5};
    m.histogram("t", "h", {}, {}, counts, 1.5);
    m.histogram("t", "h", {}, {}, counts, 2.5);
    CHECK(m.text().ends_with("t_bucket{le=\"+Inf\"} 5\nt_sum 2.5\nt_count 5\n"));
    CHECK(prometheus_reader::read(m.text()).series.size() == 6);
    metrics_text alike;
    alike.gauge("g", "h", {{"a", "1"}, {"b", "1"}}, 1);
    alike.gauge("g", "h", {{"b", "1"}, {"a", "1"}}, 2);
    CHECK(alike.text() == "# HELP g h\n# TYPE g gauge\ng{b=\"1\",a=\"1\"} 2\n");
}

TEST_CASE("metrics: a locale does not change numbers", "[metrics][edge]") {
    const std::string before = std::setlocale(LC_ALL, nullptr);
    for (const char* name : {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"}) {
        if (std::setlocale(LC_ALL, name) != nullptr) {
            break;
        }
    }
    const std::string text = printed(1234567.25);
    std::setlocale(LC_ALL, before.c_str());
    CHECK(text == "1234567.25\n");
}

TEST_CASE("metrics: nothing prints nothing", "[metrics][edge]") {
    metrics_text m;
    CHECK(m.text() == "");
    add_ring_metrics(m, "empty", groups{});
    add_utilization(m, "empty", {});
    CHECK(m.text() == "");
    add_group_metrics(m, "r", "g", group::members{}, group::mode::safe);
    CHECK(prometheus_reader::read(m.text()).at("hash_ring_group_safe_mode{group=g,ring=r}") == "1");
    metrics_text help;
    help.gauge("g", "a \\ and\nb", {}, 1);
    CHECK(help.text() == "# HELP g a \\\\ and\\nb\n# TYPE g gauge\ng 1\n");
}

TEST_CASE("metrics: what is no metric is refused", "[metrics][error]") {
    const auto gauge = [](std::string_view name, std::string_view label) {
        return refused([&](metrics_text& m) { m.gauge(name, "h", {{label, "v"}}, 1); });
    };
    CHECK(gauge("ok_1:x", "l_1") == "taken");
    CHECK(gauge("", "l") == "'' is no name of a metric");
    CHECK(gauge("1a", "l") == "'1a' is no name of a metric");
    CHECK(gauge("a-b", "l") == "'a-b' is no name of a metric");
    CHECK(gauge("a", "") == "'' is no name of a label here");
    CHECK(gauge("a", "l:x") == "'l:x' is no name of a label here");
    CHECK(gauge("a", "__l") == "'__l' is no name of a label here");
    CHECK(gauge("a", "le") == "taken");
    CHECK(refused([](metrics_text& m) {
              m.gauge("g", "h", {{"a", "1"}, {"b", "1"}, {"a", "2"}}, 1);
          }) == "label 'a' is there twice");
    CHECK(refused([](metrics_text& m) { m.counter("c", "h", {}, 1); }) ==
          "counter 'c' does not end in _total");

    const auto histogram = [](std::vector<double> bounds, std::size_t counts) {
        return refused([&](metrics_text& m) {
            m.histogram("t", "h", {}, bounds, std::vector<std::uint64_t>(counts), 0);
        });
    };
    const std::string wrong =
        "histogram 't' needs finite bounds that rise, and a count more than there are bounds";
    CHECK(histogram({1, 2}, 3) == "taken");
    CHECK(histogram({1, 2}, 2) == wrong);
    CHECK(histogram({1, 1}, 3) == wrong);
    CHECK(histogram({2, 1}, 3) == wrong);
    CHECK(histogram({1, std::numeric_limits<double>::infinity()}, 3) == wrong);
    CHECK(histogram({std::numeric_limits<double>::quiet_NaN()}, 2) == wrong);
    CHECK(refused([](metrics_text& m) {
              m.histogram("t", "h", {{"le", "1"}}, {}, std::vector<std::uint64_t>(1), 0);
          }) == "'le' is no name of a label here");

    metrics_text m;
    m.gauge("g", "h", {}, 1);
    CHECK_THROWS_AS(m.gauge("g", "something else", {}, 2), invalid_option);
    CHECK_THROWS_AS(m.counter("g_total", "h", {{"1", ""}}, 2), invalid_option);
    CHECK(m.text() == "# HELP g h\n# TYPE g gauge\ng 1\n");
}

TEST_CASE("metrics: what was refused is not remembered", "[metrics][error]") {
    metrics_text m;
    CHECK_THROWS_AS(m.gauge("g", "h", {{"1", ""}}, 1), invalid_option);
    CHECK_THROWS_AS(m.gauge("g", "h", {{"l", "1"}, {"l", "2"}}, 1), invalid_option);
    CHECK_THROWS_AS(m.histogram("g", "h", {{"le", ""}}, {}, std::array<std::uint64_t, 1>{}, 0),
                    invalid_option);
    m.gauge("g", "another meaning", {}, 1);
    CHECK(m.text() == "# HELP g another meaning\n# TYPE g gauge\ng 1\n");
}

// The reader is only worth something if it refuses.
TEST_CASE("metrics: the tests' reader is strict", "[metrics][error]") {
    CHECK(why_not("# HELP a h\n# TYPE a gauge\na 1\na{l=\"v\"} 2\n") == "2 series");
    CHECK(why_not("# HELP a h\n# TYPE a gauge\na 1") == "the last line does not end");
    CHECK(why_not("# HELP a h\n# TYPE a gauge\na 1\r\n") == "line 3: a number");
    CHECK(why_not("# HELP a h\n# TYPE a gauge\na 0,5\n") == "line 3: a number");
    CHECK(why_not("# HELP a h\n# TYPE a gauge\na 1\na 1\n") == "line 4: a series twice");
    CHECK(why_not("# HELP a h\n# TYPE a gauge\nb 1\n") == "line 3: a sample outside of its family");
    CHECK(why_not("# HELP a h\n# TYPE a gauge\na{l=\"x\\y\"} 1\n") == "line 3: a value");
    CHECK(why_not("# HELP a h\n# TYPE a gauge\na 1\n# HELP a h\n") == "line 4: HELP");
    CHECK(why_not("# HELP a h\n# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"2\"} 1\n") ==
          "line 4: buckets that do not rise");
    CHECK(why_not("# HELP a h\n# TYPE a histogram\na_bucket{le=\"+Inf\"} NaN\n") ==
          "line 3: a number");
    CHECK(why_not("# HELP a h\n# TYPE a histogram\na_bucket{l=\"1\"} 2\n") == "line 3: a bucket");
}
