// SPDX-License-Identifier: MIT
#include "hdfs/balancer.hpp"
#include "hdfs/read.hpp"
#include "support/catch.hpp"
#include "support/hdfs_samples.hpp"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring::test;
using hdfs::record;
using hdfs::report;

namespace {

template <class T>
json or_null(const std::optional<T>& value) {
    return value ? json(*value) : json();
}

// Percentages are two decimals: compared in hundredths, as integers.
json hundredths(const json& percent) {
    return percent.is_null() ? json() : json(std::llround(percent.get<double>() * 100));
}

json as_json(const report& r, const record& node) {
    return {{"section", r.sections[node.section].name},
            {"ip", node.ip},
            {"port", node.port},
            {"lookup_host", or_null(node.lookup_host)},
            {"hostname", or_null(node.hostname)},
            {"rack", or_null(node.rack)},
            {"upgrade_domain", or_null(node.upgrade_domain)},
            {"status", or_null(node.status)},
            {"configured_capacity", or_null(node.configured_capacity)},
            {"dfs_used", or_null(node.dfs_used)},
            {"non_dfs_used", or_null(node.non_dfs_used)},
            {"dfs_remaining", or_null(node.dfs_remaining)},
            {"dfs_used_percent", or_null(node.dfs_used_percent)},
            {"dfs_remaining_percent", or_null(node.dfs_remaining_percent)},
            {"last_contact", or_null(node.last_contact)},
            {"cache_capacity", or_null(node.cache_capacity)},
            {"cache_used", or_null(node.cache_used)},
            {"cache_remaining", or_null(node.cache_remaining)},
            {"xceivers", or_null(node.xceivers)},
            {"last_block_report", or_null(node.last_block_report)},
            {"num_blocks", or_null(node.num_blocks)},
            {"partial", node.partial}};
}

// Every member of `want` is in `got`, and what `want` leaves out is absent there.
void check_node(const json& got, json want) {
    for (const char* percent : {"dfs_used_percent", "dfs_remaining_percent"}) {
        want[percent] = hundredths(want[percent]);
    }
    if (!want.contains("partial")) {
        want["partial"] = false;
    }
    for (const auto& [key, value] : got.items()) {
        CAPTURE(key);
        CHECK(value == (want.contains(key) ? want[key] : json()));
    }
    for (const auto& [key, value] : want.items()) {
        CAPTURE(key);
        CHECK(got.contains(key));
    }
}

void check_nodes(const report& r, const json& want) {
    REQUIRE(r.records.size() == want.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
        CAPTURE(i);
        check_node(as_json(r, r.records[i]), want[i]);
    }
}

void check_summary(const report& r, const json& want) {
    CHECK(r.safe_mode == want["safe_mode"].get<bool>());
    CHECK(or_null(r.configured_capacity) == want["configured_capacity"]);
    CHECK(or_null(r.present_capacity) == want["present_capacity"]);
    CHECK(or_null(r.dfs_remaining) == want["dfs_remaining"]);
    CHECK(or_null(r.dfs_used) == want["dfs_used"]);
    CHECK(or_null(r.dfs_used_percent) == hundredths(want["dfs_used_percent"]));
    const auto version = want["hadoop_format"].get<std::string>();
    CHECK(r.version == version.substr(0, version.find('.')));
}

void check_sections(const report& r, const json& want) {
    REQUIRE(r.sections.size() == want.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
        const hdfs::section& got = r.sections[i];
        CHECK(got.name == want[i]["name"].get<std::string>());
        CHECK(got.whole == want[i]["parsed"].get<std::uint64_t>());
        if (want[i].contains("declared")) {
            CHECK(or_null(got.declared) == want[i]["declared"]);
        } else {
            CHECK(or_null(got.declared) == want[i]["declared_total"]);
            CHECK(or_null(got.declared_live) == want[i]["declared_live"]);
            CHECK(or_null(got.declared_dead) == want[i]["declared_dead"]);
        }
    }
}

void check_distinct(const report& r, const json& want) {
    const auto nodes = hdfs::distinct_nodes(r);
    REQUIRE(nodes.size() == want.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
        CHECK(nodes[i].name == want[i]["key"].get<std::string>());
        json sections = json::array();
        for (const std::size_t place : nodes[i].records) {
            sections.push_back(r.sections[r.records[place].section].name);
        }
        CHECK(sections == want[i]["sections"]);
    }
}

// The JSON has the exact quotients rounded once; here both operands are rounded before.
bool same_quotient(std::uint64_t a, std::int64_t b, const json& want) {
    const double quotient = static_cast<double>(a) / static_cast<double>(b);
    return std::abs(quotient - want.get<double>()) <= 4e-16 * quotient;
}

void check_utilisation(const record& node, const json& want) {
    CAPTURE(node.name, node.line);
    const std::int64_t capacity = *node.configured_capacity;
    const auto used = static_cast<std::uint64_t>(*node.dfs_used);
    CHECK(same_quotient(used, capacity, want["utilisation_dfs"]));
    CHECK(same_quotient(hdfs::occupied(node), capacity, want["utilisation_total"]));
    CHECK(hdfs::available(node) == want["free"].get<std::uint64_t>());
}

// A node that is repeated has the values of its first and its latest record there.
void check_placeable(const report& r, const json& want) {
    std::size_t records = 0;
    for (const auto& [name, values] : want.items()) {
        records += values.contains("first") ? 2U : 1U;
    }
    const std::vector<std::size_t> places = hdfs::placeable(r);
    REQUIRE(places.size() == records);
    json seen;
    for (const std::size_t i : places) {
        const record& node = r.records[i];
        REQUIRE(want.contains(node.name));
        const json& values = want[node.name];
        const char* const which = seen.contains(node.name) ? "latest" : "first";
        check_utilisation(node, values.contains(which) ? values[which] : values);
        seen[node.name] = true;
    }
}

void check_balancer(const report& r, const json& want) {
    const hdfs::balancer_verdict got = hdfs::judge(r, want["threshold_percent"].get<double>());
    CHECK(std::abs(got.average - want["average_utilisation"].get<double>()) < 1e-12);
    REQUIRE(got.nodes.size() == want["nodes"].size());
    for (const hdfs::balancer_node& node : got.nodes) {
        const json& values = want["nodes"][r.records[node.record].name];
        CHECK(node.utilisation == values["utilisation"].get<double>());
        CHECK(hdfs::text_of(node.is) == values["cls"].get<std::string>());
    }
    CHECK(got.overloaded_bytes == want["overloaded_bytes"].get<std::int64_t>());
    CHECK(got.underloaded_bytes == want["underloaded_bytes"].get<std::int64_t>());
    CHECK(got.bytes_left_to_move == want["bytes_left_to_move"].get<std::int64_t>());
}

void check_sample(std::string_view name) {
    CAPTURE(name);
    const json want = expected(name);
    const report r = hdfs::read_report(sample(concat(name, ".txt")));
    CHECK(r.from == hdfs::format::dfsadmin);
    check_summary(r, want);
    check_sections(r, want["sections"]);
    check_nodes(r, want["nodes"]);
    check_placeable(r, want["placeable"]);
    if (want.contains("distinct_nodes")) {
        check_distinct(r, want["distinct_nodes"]);
    }
    if (want.contains("balancer") && !want["balancer"].is_null()) {
        check_balancer(r, want["balancer"]);
    }
    CHECK(r.complete == want["complete"].get<bool>());
    CHECK(warnings_of(r) == want["warnings"].get<std::vector<std::string>>());
}

} // namespace

TEST_CASE("hdfs: every sample of dfsadmin gives the values in its JSON", "[hdfs][golden]") {
    for (const std::string_view name : dfsadmin_samples) {
        check_sample(name);
    }
    check_sample("12_hadoop1_legacy");
}

TEST_CASE("hdfs: the sample of JMX gives the values in its JSON", "[hdfs][golden]") {
    const json want = expected("20_jmx_namenodeinfo_3x");
    const report r = hdfs::read_report(sample("20_jmx_namenodeinfo_3x.json"));
    CHECK(r.from == hdfs::format::jmx);
    CHECK(r.version == "3.3.6");
    CHECK(r.complete);
    CHECK(r.warnings.empty());
    CHECK(or_null(r.configured_capacity) == want["total"]);
    CHECK(or_null(r.dfs_used) == want["used"]);
    CHECK(or_null(r.dfs_remaining) == want["free"]);
    json live = json::array();
    json dead = json::array();
    for (const record& node : r.records) {
        if (node.listed == hdfs::listing::live) {
            live.push_back({{"key", node.key},
                            {"xferaddr", node.name},
                            {"capacity", or_null(node.configured_capacity)},
                            {"used", or_null(node.dfs_used)},
                            {"remaining", or_null(node.dfs_remaining)},
                            {"non_dfs_used", or_null(node.non_dfs_used)},
                            {"admin_state", or_null(node.status)},
                            {"num_blocks", or_null(node.num_blocks)}});
        } else if (node.listed == hdfs::listing::dead) {
            dead.push_back({{"key", node.key}, {"xferaddr", node.name}});
        }
    }
    CHECK(live == want["live"]);
    CHECK(dead == want["dead"]);
}

TEST_CASE("hdfs: JMX and dfsadmin name the same nodes of one cluster to place on",
          "[hdfs][golden]") {
    const report text = hdfs::read_report(sample("03_hadoop33_maintenance.txt"));
    const report jmx = hdfs::read_report(sample("20_jmx_namenodeinfo_3x.json"));
    const auto placeable_of = [](const report& r) {
        std::vector<std::string> all;
        for (const std::size_t i : hdfs::placeable(r)) {
            const record& node = r.records[i];
            all.push_back(concat(node.name, " ", *node.hostname, " ",
                                 hdfs::decimal(hdfs::occupied(node)), " ",
                                 hdfs::decimal(hdfs::available(node))));
        }
        return all;
    };
    CHECK(placeable_of(text) == placeable_of(jmx));
    CHECK(placeable_of(text).size() == 3);
}

TEST_CASE("hdfs: the samples that are errors are refused in their own words", "[hdfs][golden]") {
    for (const std::string_view name : {"13_error_output.txt", "22_jmx_no_bean.json"}) {
        CAPTURE(name);
        REQUIRE(expected(name.substr(0, name.find('.')))["error"].get<bool>());
        CHECK_THROWS_AS(hdfs::read_report(sample(name)), hdfs::bad_report);
    }
    try {
        (void)hdfs::read_report(sample("13_error_output.txt"));
    } catch (const hdfs::bad_report& reason) {
        CHECK(std::string(reason.what()).find("Call From nn1.example.net") != std::string::npos);
        CHECK(reason.line() == 1);
    }
}
