// SPDX-License-Identifier: MIT
#include "hdfs/read.hpp"
#include "support/catch.hpp"
#include "support/hdfs_samples.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring::test;
using hdfs::admin_state;
using hdfs::listing;
using hdfs::report;

namespace {

const std::string& answer() {
    static const std::string text = sample("20_jmx_namenodeinfo_3x.json");
    return text;
}

std::string refusal(std::string_view text) {
    try {
        (void)hdfs::read_report(text);
    } catch (const hdfs::bad_report& reason) {
        return concat(hdfs::decimal(reason.line()), ": ", reason.what());
    }
    return "read";
}

// An answer with these live nodes, as the NameNode writes them: JSON in a string.
std::string with_live(const std::string& nodes) {
    const json whole = {{"beans", {{{"name", "x"}, {"LiveNodes", nodes}}}}};
    return whole.dump(1);
}

std::string live_node(const std::string& key, const std::string& capacity) {
    return concat("\"", key, "\":{\"xferaddr\":\"192.0.2.1:9866\",\"adminState\":\"In Service\",",
                  "\"capacity\":", capacity, ",\"usedSpace\":1,\"remaining\":1}");
}

} // namespace

TEST_CASE("jmx: a node that enters maintenance is one node with two states", "[hdfs][jmx]") {
    const report r = hdfs::read_report(answer());
    const auto nodes = hdfs::distinct_nodes(r);
    REQUIRE(nodes.size() == 5);
    CHECK(nodes[1].name == "203.0.113.31:9866");
    REQUIRE(nodes[1].records.size() == 2);
    CHECK(r.records[nodes[1].records[1]].listed == listing::entering_maintenance);
    CHECK(r.records[nodes[1].records[0]].state == admin_state::entering_maintenance);
    CHECK(r.records[0].hostname == "worker-0");
    CHECK(r.records[0].upgrade_domain == "ud0");
    CHECK(r.records[0].line == 19);
    CHECK_FALSE(r.safe_mode);
}

TEST_CASE("jmx: among all beans of a NameNode the one with the nodes is found", "[hdfs][jmx]") {
    json whole = json::parse(answer());
    whole["beans"].insert(whole["beans"].begin(), {{"name", "java.lang:type=Memory"}});
    const report r = hdfs::read_report(whole.dump());
    CHECK(r.records.size() == 6);
    CHECK(r.version == "3.3.6");
}

TEST_CASE("jmx: integers are exact up to 2^63 - 1, and nothing else is taken", "[hdfs][jmx]") {
    for (const char* exact : {"9007199254740993", "9223372036854775807"}) {
        const report r = hdfs::read_report(with_live("{" + live_node("a:1", exact) + "}"));
        CHECK(r.complete);
        CHECK(hdfs::decimal(r.records[0].configured_capacity.value()) == exact);
    }
    for (const char* other :
         {"9223372036854775808", "18446744073709551616", "1e3", "1000.0", "\"1000\"", "null"}) {
        CAPTURE(other);
        const report r = hdfs::read_report(with_live("{" + live_node("a:1", other) + "}"));
        CHECK_FALSE(r.complete);
        CHECK(r.records[0].partial);
        CHECK(hdfs::placeable(r).empty());
        CHECK(warnings_of(r) == std::vector<std::string>{"192.0.2.1:9866 has no capacity that can "
                                                         "be read exactly"});
    }
}

TEST_CASE("jmx: Hadoop 1 says no capacity, which is said", "[hdfs][jmx]") {
    const report r = hdfs::read_report(with_live(R"({"dn1":{"usedSpace":36864,"lastContact":1}})"));
    CHECK_FALSE(r.complete);
    REQUIRE(r.records.size() == 1);
    CHECK(r.records[0].name == "dn1");
    CHECK(r.records[0].hostname == "dn1");
    CHECK(warnings_of(r) == std::vector<std::string>{"dn1 has no adminState"});
}

TEST_CASE("jmx: a node that is listed twice is said", "[hdfs][jmx][errors]") {
    const report address = hdfs::read_report(
        with_live("{" + live_node("a:1", "5") + "," + live_node("b:1", "6") + "}"));
    CHECK(warnings_of(address) ==
          std::vector<std::string>{
              "192.0.2.1:9866 appears twice in section Live with different values"});
    const report key = hdfs::read_report(
        with_live("{" + live_node("a:1", "5") + "," + live_node("a:1", "6") + "}"));
    CHECK_FALSE(key.complete);
    CHECK(warnings_of(key) == std::vector<std::string>{"a:1 appears twice in section Live"});
    REQUIRE(key.records.size() == 1);
    CHECK(key.records[0].configured_capacity == 6); // as a JSON reader has it: the last one
}

namespace {

// `count` nodes in falling order.
std::string many_nodes(std::size_t count) {
    std::string nodes;
    for (std::size_t i = count; i-- > 0;) {
        nodes +=
            concat(nodes.empty() ? "{" : ",", "\"n", hdfs::decimal(i),
                   R"(:9":{"adminState":"In Service","capacity":9,"usedSpace":1,"remaining":8})");
    }
    return with_live(nodes + "}");
}

// The least seconds of three times that it takes to read this.
double seconds_to_read(const std::string& text) {
    double least = 1e9;
    for (int i = 0; i < 3; ++i) {
        const auto start = std::chrono::steady_clock::now();
        static_cast<void>(hdfs::read_report(text));
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        least = std::min(least, took.count());
    }
    return least;
}

} // namespace

TEST_CASE("jmx: nodes stay in their order, and many cost no more each than few", "[hdfs][jmx]") {
    constexpr std::size_t count = 32'000;
    const std::string text = many_nodes(count);
    const report r = hdfs::read_report(text);
    CHECK(r.complete);
    REQUIRE(r.records.size() == count);
    CHECK(r.records[0].name == "n31999:9");
    CHECK(r.records[1].name == "n31998:9");
    CHECK(r.records[count - 1].name == "n0:9");
    // Eight times as many take eight times as long; going through all for each, 64 times.
    CHECK(seconds_to_read(text) < 24 * seconds_to_read(many_nodes(count / 8)));
}

TEST_CASE("jmx: an answer without nodes says why", "[hdfs][jmx][errors]") {
    CHECK(refusal(sample("22_jmx_no_bean.json")).find("1: no bean lists nodes") == 0);
    CHECK(refusal("{}").find("1: the JSON has no beans") == 0);
    CHECK(refusal("[]").find("1: the JSON has no beans") == 0);
    CHECK(refusal("{\"beans\":{}}").find("1: the JSON has no beans") == 0);
    CHECK(refusal("{\"beans\":[1,{\"LiveNodes\":{}}]}").find("1: no bean lists nodes") == 0);
    CHECK(refusal("{\n\"beans\":\n[") == "3: the JSON ends too early: it is cut");
    CHECK(refusal("{\n\"beans\":\n[}") == "3: the JSON is cut or damaged");
    CHECK(refusal("{\"beans\":[{\"Total\":1e999,\"LiveNodes\":\"{}\"}]}") ==
          "1: the JSON is damaged");
    CHECK(refusal(with_live("[]")) == "5: LiveNodes is not a list of nodes");
    CHECK(refusal(with_live("{\"a")) == "5: the JSON ends too early: it is cut");
    const std::string deep(1'000'000, '[');
    CHECK(refusal(deep) == "1: more than 32 lists and objects of the JSON stand in each other");
    CHECK(refusal(with_live("{\"a:1\":7}")) == "read");
    CHECK_FALSE(hdfs::read_report(with_live("{\"a:1\":7}")).complete);
}
