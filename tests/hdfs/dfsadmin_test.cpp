// SPDX-License-Identifier: MIT
#include "hdfs/read.hpp"
#include "support/catch.hpp"
#include "support/hdfs_samples.hpp"

#include <string>
#include <string_view>
#include <vector>

using namespace hashring::test;
using hdfs::admin_state;
using hdfs::listing;
using hdfs::report;

namespace {

const std::string& three_live() {
    static const std::string text = sample("01_hadoop27_three_live.txt");
    return text;
}

report changed(std::string_view from, std::string_view to) {
    return hdfs::read_report(replaced(three_live(), from, to));
}

// What a change of the sample with three live nodes costs and what is said of it.
void check_loss(std::string_view from, std::string_view to, const std::string& warning) {
    CAPTURE(from, to);
    const report r = changed(from, to);
    CHECK_FALSE(r.complete);
    const std::vector<std::string> warnings = warnings_of(r);
    REQUIRE(!warnings.empty());
    CHECK(warnings.front() == warning);
}

std::string refusal(std::string_view text) {
    try {
        (void)hdfs::read_report(text);
    } catch (const hdfs::bad_report& reason) {
        return concat(hdfs::decimal(reason.line()), ": ", reason.what());
    }
    return "read";
}

// A record of 2.0 to 2.3 and of 1.x: no cache, no block report.
std::string old_record(std::string_view address, std::string_view capacity) {
    return concat("Name: ", address,
                  "\nDecommission Status : Normal\nConfigured Capacity: ", capacity,
                  " (1 KB)\nDFS Used: 1 (1 B)\nNon DFS Used: 0 (0 B)\n",
                  "DFS Remaining: 2 (2 B)\nDFS Used%: 1.00%\nDFS Remaining%: 2.00%\n",
                  "Last contact: Sun Jan 06 12:00:00 CST 2013\n\n\n");
}

const std::string old_summary = "Configured Capacity: 2048 (2 KB)\n"
                                "-------------------------------------------------\n"
                                "Datanodes available: 2 (3 total, 1 dead)\n\n";

} // namespace

TEST_CASE("dfsadmin: Hadoop 1 lists the live nodes first, whatever the dead ones say",
          "[hdfs][dfsadmin]") {
    const report r = hdfs::read_report(old_summary + old_record("192.0.2.1:50010", "1024") +
                                       old_record("192.0.2.2:50010", "0") +
                                       old_record("192.0.2.3:50010", "1024"));
    CHECK(r.version == "1");
    CHECK(r.complete);
    REQUIRE(r.records.size() == 3);
    CHECK(r.records[0].listed == listing::live);
    CHECK(r.records[1].listed == listing::live);
    CHECK(r.records[2].listed == listing::dead);
    CHECK(hdfs::placeable(r) == std::vector<std::size_t>{0});
}

TEST_CASE("dfsadmin: Hadoop 2.0 to 2.3 has bare headings below the numbers", "[hdfs][dfsadmin]") {
    const std::string live = concat("Live datanodes:\n", old_record("192.0.2.1:50010", "1024"),
                                    old_record("192.0.2.2:50010", "1024"));
    const std::string dead = concat("Dead datanodes:\n", old_record("192.0.2.3:50010", "1024"));
    const report r = hdfs::read_report(old_summary + live + dead);
    CHECK(r.version == "2");
    CHECK(r.complete);
    CHECK(r.warnings.empty());
    CHECK(hdfs::placeable(r) == std::vector<std::size_t>{0, 1});
    REQUIRE(r.records.size() == 3);
    CHECK(r.records[2].listed == listing::dead);
    CHECK_FALSE(hdfs::read_report(old_summary + live).complete); // here even this shows
}

TEST_CASE("dfsadmin: a node is known by ip and port, split at the last colon", "[hdfs][dfsadmin]") {
    const report r =
        changed("192.0.2.11:50010 (dn1.example.net)", "2001:db8::11:50010 (odd (host) name)");
    CHECK(r.complete);
    CHECK(r.records[0].ip == "2001:db8::11");
    CHECK(r.records[0].port == 50010);
    CHECK(r.records[0].name == "2001:db8::11:50010");
    CHECK(r.records[0].lookup_host == "odd (host) name");
    CHECK(r.records[0].hostname == "dn1.example.net");
}

TEST_CASE("dfsadmin: one node under two headings is one node with two states", "[hdfs][dfsadmin]") {
    const report r = hdfs::read_report(sample("02_hadoop210_dead_decommissioning.txt"));
    const auto nodes = hdfs::distinct_nodes(r);
    REQUIRE(nodes.size() == 4);
    REQUIRE(nodes[1].records.size() == 2);
    CHECK(r.records[nodes[1].records[0]].listed == listing::live);
    CHECK(r.records[nodes[1].records[1]].listed == listing::decommissioning);
    CHECK(r.records[nodes[1].records[1]].state == admin_state::decommissioning);
    CHECK(r.records[2].state == admin_state::decommissioned);
    CHECK(hdfs::repetitions(r).empty());
}

TEST_CASE("dfsadmin: a node under two headings takes no data, unless it is only slow",
          "[hdfs][dfsadmin]") {
    const std::size_t name = three_live().find("Name: 192.0.2.11");
    const std::string first =
        three_live().substr(name, three_live().find("Name: 192.0.2.12") - name);
    const auto also_under = [&](std::string_view heading) {
        return hdfs::read_report(concat(three_live(), heading, " datanodes (1):\n\n", first));
    };
    CHECK(hdfs::placeable(also_under("Slow")).size() == 3);
    for (const char* heading :
         {"Dead", "Decommissioning", "Entering maintenance", "In maintenance", "Excluded"}) {
        CAPTURE(heading);
        const report r = also_under(heading);
        CHECK(r.complete);
        CHECK(hdfs::placeable(r) == std::vector<std::size_t>{1, 2});
    }
    CHECK(warnings_of(also_under("Excluded")) ==
          std::vector<std::string>{"section Excluded is not known: its nodes are left out"});
}

TEST_CASE("dfsadmin: lines of a logger are passed over wherever they stand", "[hdfs][dfsadmin]") {
    const std::string noise = "24/03/05 09:14:07 WARN util.NativeCodeLoader: Unable to load\n";
    std::string noisy = "DEPRECATED: Use of this script to execute hdfs command is deprecated.\n";
    std::size_t at = 0;
    const report quiet = hdfs::read_report(three_live());
    for (std::size_t end = 0; (end = three_live().find('\n', at)) != std::string::npos;
         at = end + 1) {
        noisy += three_live().substr(at, end + 1 - at) + noise;
    }
    report r = hdfs::read_report(noisy);
    CHECK(r.complete);
    CHECK(r.warnings.empty());
    REQUIRE(r.records.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        r.records[i].line = quiet.records[i].line;
        CHECK(r.records[i] == quiet.records[i]);
    }
}

TEST_CASE("dfsadmin: the empty lines at the end may be gone, the last line's end may not",
          "[hdfs][dfsadmin]") {
    const std::string bare = three_live().substr(0, three_live().find_last_not_of('\n') + 1);
    CHECK(hdfs::read_report(bare + "\n").complete);
    CHECK(hdfs::read_report(bare + "\n").warnings.empty());
    CHECK_FALSE(hdfs::read_report(bare).complete);
    CHECK(warnings_of(hdfs::read_report(bare)) ==
          std::vector<std::string>{"section Live declares 3 nodes, 2 complete ones found",
                                   "file ends inside a node record"});
}

TEST_CASE("dfsadmin: every size up to 2^63 - 1 is exact", "[hdfs][dfsadmin]") {
    for (const std::int64_t size :
         {std::int64_t{0}, std::int64_t{9007199254740993}, std::int64_t{9223372036854775806},
          std::int64_t{9223372036854775807}}) {
        const report r = changed("Configured Capacity: 53687091200 (50 GB)",
                                 concat("Configured Capacity: ", hdfs::decimal(size), " (x)"));
        CHECK(r.records[0].configured_capacity == size);
        CHECK(hdfs::occupied(r.records[0]) + hdfs::available(r.records[0]) ==
              static_cast<std::uint64_t>(size));
    }
}

TEST_CASE("dfsadmin: what is free lies within the capacity, whatever a node says",
          "[hdfs][dfsadmin]") {
    const std::string field = "DFS Remaining: 26843545600 (25 GB)";
    const report more = changed(field, "DFS Remaining: 9223372036854775807 (8 EB)");
    CHECK(hdfs::available(more.records[0]) == 53687091200);
    CHECK(hdfs::occupied(more.records[0]) == 0);
    const report less = changed(field, "DFS Remaining: -9223372036854775808 (-8 EB)");
    CHECK(hdfs::available(less.records[0]) == 0);
    CHECK(hdfs::occupied(less.records[0]) == 53687091200);
}

TEST_CASE("dfsadmin: percentages are hundredths, and absent in any other form",
          "[hdfs][dfsadmin]") {
    const auto percent = [](std::string_view value) {
        const report r = changed("DFS Used%: 40.23%", concat("DFS Used%: ", value));
        CHECK(r.complete);
        return r.records[0].dfs_used_percent;
    };
    CHECK(percent("0.01%") == 1);
    CHECK(percent("100.39%") == 10039);
    CHECK(percent("-0.50%") == -50);
    for (const char* other : {"NaN%", "Infinity%", "1.5%", "1%", "1.50", "--1.50%", "1.-5%", ""}) {
        CAPTURE(other);
        CHECK_FALSE(percent(other).has_value());
    }
}

TEST_CASE("dfsadmin: what is damaged is said, with its line", "[hdfs][dfsadmin][errors]") {
    const std::string capacity = "Configured Capacity: 53687091200 (50 GB)";
    for (const char* value : {"9223372036854775808 (8 EB)", "53687091200", "53687091200 (50 G",
                              "5368709,1200 (50 GB)", "+5 (5 B)", "0x10 (16 B)", "(50 GB)", ""}) {
        check_loss(capacity, concat("Configured Capacity: ", value),
                   concat("Configured Capacity of 192.0.2.11:50010 is '", value,
                          "', which cannot be read exactly"));
    }
    CHECK(changed(capacity, "Configured Capacity: 5x (50 GB)").warnings[0].line == 17);
    CHECK(changed(capacity, "Configured Capacity: 5x (50 GB)").records[0].partial);
    check_loss("DFS Used: 21598293269 (20.11 GB)\n", "",
               "the record of 192.0.2.11:50010 has no DFS Used");
    check_loss("DFS Remaining: 26843545600 (25 GB)", "DFS Used: 1 (1 B)",
               "the record of 192.0.2.11:50010 has DFS Used twice");
    check_loss("Name: 192.0.2.11:50010", "Name: 192.0.2.11",
               "'192.0.2.11 (dn1.example.net)' is not an address and a port");
    check_loss("Name: 192.0.2.11:50010", "Name: 192.0.2.11:65536",
               "'192.0.2.11:65536 (dn1.example.net)' is not an address and a port");
    check_loss("Last contact: Tue Mar 05 09:14:07 UTC 2024\n",
               "Last contact: Tue Mar 05 09:14:07 UTC 2024\n\nXceivers: 2\n",
               "'Xceivers' stands outside of a node record");
    check_loss("Live datanodes (3):\n", "",
               "the node 192.0.2.11:50010 (dn1.example.net) stands before any section");
    check_loss("Live datanodes (3):", "Live datanodes (2):",
               "section Live declares 2 nodes, 3 complete ones found");
    check_loss("Present Capacity: 354458258717 (330.11 GB)", "Present Capacity: 3544582587",
               "Present Capacity is '3544582587', which cannot be read exactly");
}

TEST_CASE("dfsadmin: two reports in one file are not one", "[hdfs][dfsadmin][errors]") {
    const report r = hdfs::read_report(three_live() + three_live());
    CHECK_FALSE(r.complete);
    CHECK(hdfs::repetitions(r).size() == 3);
}

TEST_CASE("dfsadmin: a node three times under one heading is said twice",
          "[hdfs][dfsadmin][errors]") {
    std::string text = replaced(three_live(), "192.0.2.12:50010", "192.0.2.11:50010");
    text = replaced(text, "192.0.2.13:50010", "192.0.2.11:50010");
    const report r = hdfs::read_report(text);
    CHECK(r.complete);
    CHECK(warnings_of(r) ==
          std::vector<std::string>{
              "192.0.2.11:50010 appears twice in section Live with different values",
              "192.0.2.11:50010 appears 3 times in section Live with different values"});
    CHECK(r.warnings[0].line == r.records[1].line);
    CHECK(hdfs::repetitions(r)[1].earlier == 1);
}

TEST_CASE("dfsadmin: a report without its nodes is not whole", "[hdfs][dfsadmin][errors]") {
    const std::string summary = three_live().substr(0, three_live().find("Live datanodes"));
    const report denied = hdfs::read_report(
        summary + "report: Access denied for user guest. Superuser privilege is required\n");
    CHECK_FALSE(denied.complete);
    REQUIRE(denied.warnings.size() == 2);
    CHECK(denied.warnings[1].line == 12);
    CHECK(denied.warnings[1].text == "the program reported an error: 'report: Access denied for "
                                     "user guest. Superuser privilege is required'");
    CHECK_FALSE(hdfs::read_report(summary).complete);
}

TEST_CASE("dfsadmin: text that is no report is refused with its first words",
          "[hdfs][dfsadmin][errors]") {
    CHECK(refusal("") == "0: the report is empty");
    CHECK(refusal(" \r\n\n") == "0: the report is empty");
    CHECK(refusal("bash: hdfs: command not found\n") ==
          "1: no report of HDFS: it begins with 'bash: hdfs: command not found'");
    CHECK(refusal("<html>\n<body>login</body>\n") ==
          "1: no report of HDFS: it begins with '<html>'");
    CHECK(refusal("log4j:WARN No appenders\nreport: Access denied for user x\n") ==
          "2: no report, but an error: 'report: Access denied for user x'");
    CHECK(refusal(std::string("\xff\xfe"
                              "C\0o\0",
                              6)) == "1: the text is UTF-16: save it as UTF-8");
    CHECK(refusal(three_live()) == "read");
    CHECK(refusal("\xef\xbb\xbf" + three_live()) == "read");
}
