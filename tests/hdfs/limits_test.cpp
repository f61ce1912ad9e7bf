// SPDX-License-Identifier: MIT
#include "hdfs/limits.hpp"
#include "hdfs/read.hpp"
#include "support/catch.hpp"

#include <cstddef>
#include <string>
#include <string_view>

using hdfs::concat;
using hdfs::decimal;

namespace {

std::string times(std::size_t count, std::string_view piece) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text += piece;
    }
    return text;
}

// The line and the reason for which `text` is refused; empty if it is read.
std::string refusal(std::string_view text, const hdfs::report_limits& limits = {}) {
    try {
        static_cast<void>(hdfs::read_report(text, limits));
        return "";
    } catch (const hdfs::bad_report& reason) {
        return concat(decimal(reason.line()), ": ", reason.what());
    }
}

const std::string head = "Configured Capacity: 1 (1 B)\n";

} // namespace

TEST_CASE("report limits: they are far above what a cluster has", "[hdfs][limits]") {
    const hdfs::report_limits limits;
    CHECK(limits.line_bytes == 65536);
    CHECK(limits.name_bytes == 320);
    CHECK(limits.sections == 64);
    CHECK(limits.records == 1048576);
    CHECK(limits.nesting == 32);
}

TEST_CASE("report limits: a line is at most 64 KiB long", "[hdfs][limits]") {
    const std::size_t most = 65536;
    const std::string reason = "2: the line is longer than 65536 bytes";
    for (const std::string& first : {head, std::string("a\t2\t1\n")}) {
        CAPTURE(first);
        CHECK(refusal(concat(first, std::string(most + 1, 'x'), "\n")) == reason);
    }
    CHECK(refusal(concat(head, std::string(most - 1, 'x'), "\n")) == "");
    CHECK(refusal(concat(head, std::string(most, 'x'), "\n")) == "");
    CHECK(refusal(concat("a\t2\t1\n", std::string(most - 4, 'b'), "\t2\t1\n")) == "");
    CHECK(refusal(concat("a\t2\t1\n", std::string(most - 3, 'b'), "\t2\t1\n")) == reason);
}

TEST_CASE("report limits: there are at most 64 sections", "[hdfs][limits]") {
    const std::string heading = "Odd datanodes (0):\n";
    CHECK(refusal(concat(head, times(63, heading))) == "");
    CHECK(refusal(concat(head, times(64, heading))) == "");
    CHECK(refusal(concat(head, times(65, heading))) == "66: more than 64 sections");
}

TEST_CASE("report limits: more nodes than the limit are refused in every form", "[hdfs][limits]") {
    hdfs::report_limits three;
    three.records = 3;
    const auto dfsadmin = [](std::size_t count) {
        return concat(head, "Live datanodes (3):\n", times(count, "Name: a:1\n"));
    };
    CHECK(refusal(dfsadmin(3), three) == "");
    CHECK(refusal(dfsadmin(4), three) == "6: more than 3 nodes");
    CHECK(refusal(times(3, "a\t2\t1\n"), three) == "");
    CHECK(refusal(times(4, "a\t2\t1\n"), three) == "4: more than 3 nodes");
    const auto jmx = [](std::size_t count) {
        std::string nodes;
        for (std::size_t i = 0; i < count; ++i) {
            nodes += concat(i > 0 ? "," : "", R"(\"h)", decimal(i), R"(:1\":{})");
        }
        return concat("{\"beans\":[{\n\"LiveNodes\":\"{", nodes, "}\"}]}");
    };
    CHECK(refusal(jmx(3), three) == "");
    CHECK(refusal(jmx(4), three) == "2: more than 3 nodes");
}

TEST_CASE("report limits: a node's name of dfsadmin has at most 320 bytes", "[hdfs][limits]") {
    const auto named = [](std::size_t bytes) {
        return hdfs::read_report(
                   concat(head, "Live datanodes (1):\nName: ", std::string(bytes - 2, 'x'), ":1\n"))
            .records.size();
    };
    CHECK(named(319) == 1);
    CHECK(named(320) == 1);
    CHECK(named(321) == 0);
}

TEST_CASE("report limits: lists and objects of JSON are at most 32 deep", "[hdfs][limits]") {
    const auto nested = [](std::size_t depth) { // the beans are the first two
        return concat(R"({"beans":[)", std::string(depth - 2, '['), std::string(depth - 2, ']'),
                      R"(,{"LiveNodes":"{}"}]})");
    };
    const std::string reason = "1: more than 32 lists and objects of the JSON stand in each other";
    CHECK(refusal(nested(31)) == "");
    CHECK(refusal(nested(32)) == "");
    CHECK(refusal(nested(33)) == reason);
    CHECK(refusal(std::string(1'000'000, '[')) == reason);
    CHECK(refusal(times(1'000'000, R"({"a":)")) == reason);
    const auto inner = [](std::size_t depth) {
        return concat("{\"beans\":[{\n\"LiveNodes\":\"{\\\"h:1\\\":", std::string(depth - 1, '['),
                      std::string(depth - 1, ']'), "}\"}]}");
    };
    CHECK(refusal(inner(32)) == "");
    CHECK(refusal(inner(33)) ==
          "2: more than 32 lists and objects of the JSON stand in each other");
}

TEST_CASE("report limits: only brackets outside of texts are counted", "[hdfs][limits]") {
    using hdfs::is_nested_deeper;
    CHECK_FALSE(is_nested_deeper(R"(["[[[[", "\"[[[", "\\", {}])", 2));
    CHECK(is_nested_deeper(R"(["\\", [[]]])", 2));
    CHECK(is_nested_deeper(R"(["\"", [[]]])", 2));
    CHECK_FALSE(is_nested_deeper("[][][][]", 1));
    CHECK_FALSE(is_nested_deeper("]]]]]]]]", 0));
    CHECK_FALSE(is_nested_deeper("]]]][]", 1));
    CHECK(is_nested_deeper("]]]][[", 1));
    CHECK_FALSE(is_nested_deeper(R"("never ends [[[)", 0));
    CHECK_FALSE(is_nested_deeper("\"ends with \\", 0));
}
