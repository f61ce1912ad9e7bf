// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/process.hpp"

#include <hashring/hashring.hpp>

#include <string>
#include <vector>

using support::outcome;
using support::run_tool;
using support::scratch;

namespace {

const std::string three_nodes = "a\nb 2\nc 0.5\n";

hashring::ring<> three_node_ring() {
    using hashring::weight;
    return {{"a", weight{1}}, {"b", weight{2}}, {"c", weight{0.5}}};
}

std::string expected_line(const std::string& key) {
    return key + "\t" + std::string(three_node_ring().owner(key)->name()) + "\n";
}

} // namespace

TEST_CASE("place: prints each key and the ring's owner, in the order of the keys",
          "[tool][place]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", three_nodes);
    std::string keys;
    std::string expected;
    for (int i = 0; i < 1000; ++i) {
        const std::string key = "user:" + std::to_string(i);
        keys += key + "\n";
        expected += expected_line(key);
    }
    const outcome by_stdin = run_tool({"place", "--nodes", nodes}, {keys});
    CHECK(by_stdin.code == 0);
    CHECK(by_stdin.err == "");
    CHECK(by_stdin.out == expected);
    const outcome by_file = run_tool(
        {"place", "--scheme", "xxh3", "--nodes", nodes, "--keys", folder.write("k", keys)});
    CHECK(by_file.out == expected);
    const outcome nodes_by_stdin =
        run_tool({"place", "--nodes", "-", "--keys", folder.path("k")}, {three_nodes});
    CHECK(nodes_by_stdin.out == expected);
}

TEST_CASE("place: every line is a key, and only LF ends it", "[tool][place]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", three_nodes);
    const std::string nul("n\0l", 3);
    const std::string keys = "\nlast cr\r\n" + nul + "\n  blank \n\xff\xfe\nno lf";
    std::string expected;
    for (const std::string& key :
         {std::string(), std::string("last cr\r"), nul, std::string("  blank "),
          std::string("\xff\xfe"), std::string("no lf")}) {
        expected += expected_line(key);
    }
    CHECK(run_tool({"place", "--nodes", nodes}, {keys}).out == expected);
    CHECK(run_tool({"place", "--nodes", nodes}, {""}).out == "");
    CHECK(run_tool({"place", "--nodes", nodes}, {"\n"}).out == expected_line(""));
}

TEST_CASE("place: hexadecimal keys are bytes, echoed in lower case", "[tool][place]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", three_nodes);
    const outcome o = run_tool({"place", "--nodes", nodes, "--hex"}, {"6A6b\n\n09\n"});
    const auto owner = [](const std::string& key) {
        return std::string(three_node_ring().owner(key)->name());
    };
    CHECK(o.out == "6a6b\t" + owner("jk") + "\n\t" + owner("") + "\n09\t" + owner("\t") + "\n");
}

TEST_CASE("place: copies are different nodes, padded where there are too few", "[tool][place]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", three_nodes);
    const outcome o = run_tool({"place", "--nodes", nodes, "--copies", "5"}, {"k1\nk2\n"});
    const hashring::ring<> ring = three_node_ring();
    std::string expected;
    for (const std::string key : {"k1", "k2"}) {
        expected += key;
        for (const auto& node : ring.replicas(key, 3)) {
            expected += "\t" + std::string(node.name());
        }
        expected += "\t-\t-\n";
    }
    CHECK(o.out == expected);
}

TEST_CASE("place: a node that is down is passed over and no other key moves", "[tool][place]") {
    const scratch folder;
    const std::string up = folder.write("up", three_nodes);
    const std::string down = folder.write("down", "a\nb 2 down=1\nc 0.5\n");
    std::string keys;
    for (int i = 0; i < 2000; ++i) {
        keys += std::to_string(i) + "\n";
    }
    const auto before =
        support::lines(run_tool({"place", "--nodes", up, "--copies", "2"}, {keys}).out);
    const auto after = support::lines(run_tool({"place", "--nodes", down}, {keys}).out);
    const auto copies =
        support::lines(run_tool({"place", "--nodes", down, "--copies", "3"}, {keys}).out);
    REQUIRE(before.size() == 2000);
    REQUIRE(after.size() == 2000);
    REQUIRE(copies.size() == 2000);
    int passed_over = 0;
    int wrong = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const std::size_t first = before[i].find('\t');
        const std::size_t second = before[i].find('\t', first + 1);
        const std::string owner = before[i].substr(first + 1, second - first - 1);
        const std::string next = before[i].substr(second + 1);
        passed_over += owner == "b" ? 1 : 0;
        const std::string answer = after[i].substr(first + 1);
        wrong += answer != (owner == "b" ? next : owner) ? 1 : 0;
        wrong +=
            copies[i].substr(first + 1) != answer + (answer == "a" ? "\tc\t-" : "\ta\t-") ? 1 : 0;
    }
    CHECK(wrong == 0);
    CHECK(passed_over > 900);
}

TEST_CASE("place: no owner prints a dash", "[tool][place]") {
    const scratch folder;
    const std::string all_down = folder.write("down", "a down=1\nb down=1\n");
    CHECK(run_tool({"place", "--nodes", all_down}, {"k\n"}).out == "k\t-\n");
    CHECK(run_tool({"place", "--nodes", all_down, "--copies", "2"}, {"k\n"}).out == "k\t-\t-\n");
    const std::string weightless = folder.write("zero", "a 0\nb 0\n");
    CHECK(run_tool({"place", "--nodes", weightless}, {"k\n"}).out == "k\t-\n");
}

TEST_CASE("place: memory does not grow with the number of keys", "[tool][place]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", three_nodes);
    std::string keys;
    for (int i = 0; i < 10'000; ++i) {
        keys += "a key of some forty bytes, number " + std::to_string(100'000 + i) + "\n";
    }
    const std::string few = folder.write("few", keys);
    std::string more;
    for (int i = 0; i < 100; ++i) { // 40 MB
        more += keys;
    }
    const std::string many = folder.write("many", more);
    const outcome small = run_tool({"place", "--nodes", nodes, "--keys", few});
    const outcome large =
        run_tool({"place", "--nodes", nodes, "--keys", many}, {"", folder.path("placed")});
    CHECK(small.code == 0);
    CHECK(large.code == 0);
    CHECK(support::lines(support::slurp(folder.path("placed"))).size() == 1'000'000);
    CHECK(large.peak_kilobytes < small.peak_kilobytes + 4096);
}

TEST_CASE("place: a key of 16 MiB is the longest", "[tool][place]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", three_nodes);
    const std::string longest(std::size_t{16} << 20U, 'x');
    const outcome good =
        run_tool({"place", "--nodes", nodes}, {"k\n" + longest + "\nk\n", folder.path("placed")});
    CHECK(good.code == 0);
    CHECK(support::slurp(folder.path("placed")).size() == longest.size() + 3 + 2 * 4);
    const outcome bad = run_tool({"place", "--nodes", nodes}, {"k\n" + longest + "x\nk\n"});
    CHECK(bad.code == 2);
    CHECK(bad.out == expected_line("k"));
    CHECK(bad.err == "<stdin>:2: the line is longer than 16777216 bytes\n");
}
