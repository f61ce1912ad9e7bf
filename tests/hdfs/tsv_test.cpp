// SPDX-License-Identifier: MIT
#include "hdfs/read.hpp"
#include "support/catch.hpp"
#include "support/hdfs_samples.hpp"

#include <string>
#include <string_view>
#include <vector>

using namespace hashring::test;
using hdfs::report;

namespace {

void check_refused(const std::string& line, const std::string& reason) {
    CAPTURE(line);
    try {
        (void)hdfs::read_report("a\t100\t50\n# note\n" + line + "\nz\t1\t1\n");
        CHECK(reason == "read");
    } catch (const hdfs::bad_report& refused) {
        CHECK(refused.line() == 3);
        CHECK(std::string(refused.what()).find(reason) != std::string::npos);
    }
}

} // namespace

TEST_CASE("tsv: a node a line, in bytes, with a count if there is one", "[hdfs][tsv]") {
    const report r = hdfs::read_report("name\ttotal\tfree\tvnodes\r\n\r\n# note\n"
                                       "node a\t9223372036854775707\t9007199254740993\t160\r\n"
                                       "192.0.2.1:9866\t100\t0");
    CHECK(r.from == hdfs::format::tsv);
    CHECK(r.complete);
    CHECK(r.warnings.empty());
    REQUIRE(r.records.size() == 2);
    CHECK(r.records[0].name == "node a");
    CHECK(r.records[0].line == 4);
    CHECK(r.records[0].configured_capacity == 9223372036854775707);
    CHECK(hdfs::available(r.records[0]) == 9007199254740993);
    CHECK(r.records[0].vnodes == 160);
    CHECK(r.records[1].ip == "192.0.2.1");
    CHECK(r.records[1].port == 9866);
    CHECK_FALSE(r.records[1].vnodes.has_value());
    CHECK(hdfs::occupied(r.records[1]) == 100);
    CHECK(hdfs::placeable(r) == std::vector<std::size_t>{0, 1});
}

TEST_CASE("tsv: a line without TABs is split at blanks", "[hdfs][tsv]") {
    const report r = hdfs::read_report("a  100 50\nb 100   20 7\n");
    REQUIRE(r.records.size() == 2);
    CHECK(r.records[0].dfs_remaining == 50);
    CHECK(r.records[1].vnodes == 7);
}

TEST_CASE("tsv: a node without capacity is listed and not placed on", "[hdfs][tsv]") {
    const report r = hdfs::read_report("a\t0\t0\nb\t1\t0\n");
    CHECK(r.records.size() == 2);
    CHECK(hdfs::placeable(r) == std::vector<std::size_t>{1});
}

TEST_CASE("tsv: a name that comes twice is said", "[hdfs][tsv][errors]") {
    const report r = hdfs::read_report("a\t100\t50\nb\t1\t1\na\t100\t50\n");
    CHECK(warnings_of(r) ==
          std::vector<std::string>{"a appears twice in section Live with the same values"});
    REQUIRE(hdfs::repetitions(r).size() == 1);
    CHECK(r.records[hdfs::repetitions(r)[0].earlier].line == 1);
    CHECK(r.records[hdfs::repetitions(r)[0].later].line == 3);
}

TEST_CASE("tsv: a sum of capacities above 2^63 - 1 is said", "[hdfs][tsv]") {
    const std::string half = "4611686018427387904";
    CHECK(hdfs::read_report(concat("a\t", half, "\t0\nb\t4611686018427387903\t0\n"))
              .warnings.empty());
    const report r = hdfs::read_report(concat("a\t", half, "\t0\nb\t", half, "\t0\n"));
    REQUIRE(r.warnings.size() == 1);
    CHECK(r.warnings[0].text == "sum of node capacities exceeds 2^63-1");
    CHECK(r.warnings[0].line == 2);
}

TEST_CASE("tsv: a bad line is refused with its number and reason", "[hdfs][tsv][errors]") {
    check_refused("b\t100", "name total free");
    check_refused("b\t100\t50\t1\t2", "name total free");
    check_refused("\t100\t50", "name total free");
    check_refused("b\t1e3\t50", "total '1e3'");
    check_refused("b\t100\t5.0", "free '5.0'");
    check_refused("b\t-1\t0", "total '-1'");
    check_refused("b\t100\t-1", "free '-1'");
    check_refused("b\t9223372036854775808\t0", "total '9223372036854775808'");
    check_refused("b\t100\t101", "free 101 is above total 100");
    check_refused("b\t100\t50\t-1", "vnodes '-1'");
    check_refused("b\t100\t50\t4294967296", "vnodes '4294967296'");
    check_refused("b\t100\t50\t", "vnodes ''");
    check_refused("name\ttotal\tfree", "total 'total'"); // a heading stands first
    CHECK_THROWS_AS(hdfs::read_report("# nothing\n\n"), hdfs::bad_report);
    CHECK_THROWS_AS(hdfs::read_report("name\ttotal\tfree\n"), hdfs::bad_report);
}
