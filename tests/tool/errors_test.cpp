// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/process.hpp"
#include "support/tool_calls.hpp"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

using support::arguments;
using support::check_refused;
using support::outcome;
using support::run_tool;
using support::scratch;

namespace {

/// A nodes file of one line after two good ones.
void check_bad_line(const std::string& line, const std::string& reason) {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a\n# note\n" + line + "\nz\n");
    check_refused({"place", "--nodes", nodes}, nodes + ":3: ", "k\n");
    check_refused({"report", "--nodes", nodes}, reason);
}

} // namespace

TEST_CASE("tool: options that are wrong are refused", "[tool][errors]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a\nb\n");
    check_refused({}, "hashring: ");
    check_refused({"foo"}, "unknown command 'foo'");
    check_refused({"place"}, "--nodes");
    check_refused({"place", "--nodes", nodes, "--bogus"}, "--bogus");
    check_refused({"place", "--nodes", nodes, "extra"}, "extra");
    check_refused({"place", "--nodes", nodes, "--scheme", "md6"}, "unknown scheme 'md6'");
    check_refused({"place", "--nodes", nodes, "--copies", "0"}, "--copies '0'");
    check_refused({"place", "--nodes", nodes, "--copies", "-1"}, "--copies '-1'");
    check_refused({"place", "--nodes", nodes, "--copies", "2x"}, "--copies '2x'");
    check_refused({"place", "--nodes", nodes, "--copies", "1025"}, "--copies '1025'");
    check_refused({"place", "--nodes", nodes, "--vnodes", "0"}, "vnodes '0'");
    check_refused({"place", "--nodes", nodes, "--vnodes", "1e3"}, "vnodes '1e3'");
    check_refused({"place", "--nodes", nodes, "--vnodes", "99999999999"}, "vnodes");
    check_refused({"place", "--nodes", nodes, "--vnodes", "16777216"}, "33554432 points");
    check_refused({"place", "--nodes", nodes, "--allocator", "best"}, "--allocator 'best'");
    check_refused({"report", "--nodes", nodes, "--format", "xml"}, "--format 'xml'");
    check_refused({"report", "--nodes", nodes, "--hex"}, "--hex");
    check_refused({"ring", "--nodes", nodes, "--format", ""}, "--format ''");
    check_refused({"ring", "--node", nodes}, "--node");
    check_refused({"explain", "--nodes", nodes, "--hex=false", "zz"}, "hex");
    check_refused({"explain", "--nodes", nodes, "a\tb"}, "--hex");
    check_refused({"explain", "--nodes", nodes, "a\nb"}, "--hex");
    check_refused({"place", "--nodes", "-"}, "standard input cannot be both");
    check_refused({"report", "--nodes", "-", "--keys", "-"}, "standard input cannot be both");
    check_refused({"diff", "--from", "-", "--to", "-"}, "standard input cannot be both");
    check_refused({"explain", "--nodes", nodes}, "KEY");
    check_refused({"explain", "--nodes", nodes, "--hex", "abc"}, "'abc'");
}

TEST_CASE("tool: files that cannot be read are refused before any output", "[tool][errors]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a\nb\n");
    const std::string missing = folder.path("missing");
    check_refused({"place", "--nodes", missing}, missing + ": No such file");
    check_refused({"place", "--nodes", folder.path(".")}, "directory");
    check_refused({"place", "--nodes", nodes, "--keys", missing}, missing + ": No such file");
    check_refused({"place", "--nodes", nodes, "--keys", folder.path(".")}, "directory");
    check_refused({"diff", "--from", nodes, "--to", missing}, missing + ": No such file");
    check_refused({"place", "--nodes", folder.write("empty", "")}, "no nodes", "k\n");
    check_refused({"place", "--nodes", folder.write("notes", "# a\n\n  \t\n")}, "no nodes", "k\n");
}

TEST_CASE("nodes file: a bad line is refused with its file, number and reason", "[tool][errors]") {
    check_bad_line("b abc", "weight 'abc'");
    check_bad_line("b -1", "weight '-1'");
    check_bad_line("b 1e400", "weight '1e400'");
    check_bad_line("b nan", "weight 'nan'");
    check_bad_line("b 0.0001", "at most 3 places");
    check_bad_line("b 1000000.001", "above 1000000");
    check_bad_line("b 1 2", "unexpected '2'");
    check_bad_line("b zone=z 2", "unexpected '2'");
    check_bad_line("b colour=red", "unknown key 'colour'");
    check_bad_line("b zone=x zone=y", "'zone' comes twice");
    check_bad_line("b zone=", "zone= has no value");
    check_bad_line("b down=yes", "down='yes'");
    check_bad_line("b id=x", "id='x'");
    check_bad_line("a 2", "'a' stands on line 1 already");
    check_bad_line(std::string("b\0c", 3), "NUL");
    check_bad_line(std::string("b 1\0", 4), "NUL");
    check_bad_line(std::string("b down=\0", 8), "NUL");
    check_bad_line("-", "stands for no node");
    check_bad_line("100%", "bare percent sign");
    check_bad_line("b%41", "bare percent sign");
    check_bad_line("b " + std::string(64 * 1024, ' '), "longer than 65536 bytes");
    check_bad_line(std::string(10'000'000, 'n'), "longer than 65536 bytes");
    const scratch folder;
    check_refused({"place", "--nodes", "-", "--keys", folder.write("k", "k\n")},
                  "<stdin>:1: ", "b x\n");
    const std::string heavy = folder.write("heavy", "a\nb 1000000\n");
    check_refused({"ring", "--nodes", heavy}, heavy + ":2: a weight of 1000000 asks for");
    check_refused({"diff", "--from", folder.write("light", "a\n"), "--to", heavy}, heavy + ":2: ");
    check_refused({"ring", "--nodes", folder.write("many", "a 100000\nb 100000\n")},
                  "32000000 points");
}

TEST_CASE("tool: a bad key ends the output after the keys before it", "[tool][errors]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a\n");
    const outcome tab = run_tool({"place", "--nodes", nodes}, {"k1\nk2\nk\t3\nk4\n"});
    CHECK(tab.code == 2);
    CHECK(tab.out == "k1\ta\nk2\ta\n");
    CHECK(support::lines(tab.err).size() == 1);
    CHECK(tab.err.find("<stdin>:3: ") == 0);
    const std::string keys = folder.write("keys", "6a\n6\n");
    const outcome odd = run_tool({"place", "--nodes", nodes, "--hex", "--keys", keys});
    CHECK(odd.code == 2);
    CHECK(odd.out == "6a\ta\n");
    CHECK(odd.err.find(keys + ":2: '6'") == 0);
    CHECK(run_tool({"place", "--nodes", nodes, "--hex"}, {"zz\n"}).err.find("<stdin>:1: 'zz'") ==
          0);
    check_refused({"report", "--nodes", nodes, "--keys", folder.write("t", "k\nk\t\n")}, ":2: ");
}

namespace {

constexpr const char* full_and_empty = "a\t1000\t50\t160\nb\t1000\t950\t160\nc\t1000\t500\t160\n";
constexpr const char* even = "a\t1000\t500\t160\nb\t1000\t500\t160\nc\t1000\t500\t160\n";

} // namespace

TEST_CASE("tool: a full disk is exit 1 with one line, a closed pipe is silent", "[tool][errors]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a\nb\n");
    const std::string report = folder.write("report", full_and_empty);
    const std::vector<arguments> calls = {
        {"place", "--nodes", nodes},
        {"slot"},
        {"slot", "--format", "json"},
        {"compat", "--nodes", nodes},
        {"plan", "--report", report},
        {"plan", "--report", report, "--rule", "literal"},
        {"plan", "--report", report, "--rule", "transfers"},
        {"simulate", "homogeneous", "--seeds", "1", "--records", "100"},
        {"ring", "--nodes", nodes},
        {"report", "--nodes", nodes},
        {"diff", "--from", nodes, "--to", nodes},
        {"explain", "--nodes", nodes, "k"},
        {"--help"},
        {"--version"},
        {"schemes"}};
    for (const arguments& call : calls) {
        CAPTURE(call);
        const outcome full = run_tool(call, {"k\n", "/dev/full"});
        CHECK(full.code == 1);
        CHECK(support::lines(full.err).size() == 1);
        const outcome closed = run_tool(call, {"k\n", {}, true});
        CHECK(closed.code == 0);
        CHECK(closed.err == "");
    }
}

TEST_CASE("tool: what cannot be written leaves the file that was there", "[tool][errors]") {
    const scratch folder;
    const std::string state = folder.path("state");
    const std::string report = folder.write("report", even);
    REQUIRE(run_tool({"plan", "--report", report, "--state", state}).code == 0);
    const std::string before = support::slurp(state);
    REQUIRE(before != "");
    const arguments plan{"plan", "--report", folder.write("worse", full_and_empty), "--state",
                         state};
    const arguments draw{
        "simulate",  "homogeneous", "--seeds", "1",
        "--records", "100",         "--svg",   folder.write("chart", "drawn before")};

    const auto check_kept = [&](const arguments& call, const support::streams& through, int code) {
        CAPTURE(call);
        const outcome o = run_tool(call, through);
        CHECK(o.code == code);
        CHECK(support::lines(o.err).size() == static_cast<std::size_t>(code));
        CHECK(support::slurp(state) == before);
        CHECK(support::slurp(folder.path("chart")) == "drawn before");
    };
    check_kept(plan, {"", "/dev/full"}, 1);
    check_kept(plan, {"", {}, true}, 0);
    check_kept(plan, {"", "/dev/null", false, false, 1}, 1);
    check_kept(draw, {"", "/dev/null", false, false, 1}, 1);
    CHECK(run_tool({"simulate", "homogeneous", "--seeds", "1", "--svg", folder.path("no/chart")})
              .code == 1);
    // Nothing is left beside them.
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path("")), {}) == 4);
}

TEST_CASE("tool: a long file name hides neither line nor reason", "[tool][errors]") {
    const scratch folder;
    std::string path = folder.path("");
    for (int i = 0; i < 6; ++i) {
        path += "/" + std::string(150, 'd');
        std::filesystem::create_directory(path);
    }
    path += "/nodes";
    std::ofstream(path) << "a\nb x\n";
    const outcome o = run_tool({"ring", "--nodes", path});
    CHECK(o.code == 2);
    CHECK(support::lines(o.err).size() == 1);
    CHECK(o.err.find(folder.path("").substr(0, 20)) == 0);
    CHECK(o.err.find("/nodes:2: weight 'x'") != std::string::npos);
}

TEST_CASE("tool: a message cuts no character in two", "[tool][errors]") {
    const scratch folder;
    std::string key(59, 'x');
    for (int i = 0; i < 30; ++i) {
        key += "\xc3\xa9";
    }
    const outcome o = run_tool({"ring", "--nodes", folder.write("nodes", "a " + key + "=1\n")});
    CHECK(o.err.find("unknown key '" + std::string(59, 'x') + "...'") != std::string::npos);
}

TEST_CASE("tool: control characters of an input do not reach the terminal", "[tool][errors]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a \x1b[2J\n");
    const outcome o = run_tool({"place", "--nodes", nodes}, {"k\n"});
    CHECK(o.err.find('\x1b') == std::string::npos);
    CHECK(o.err.find("\\x1b[2J") != std::string::npos);
}

TEST_CASE("tool: help and version are exit 0", "[tool]") {
    for (const arguments& call :
         {arguments{"--help"}, arguments{"place", "--help"}, arguments{"diff", "-h"}}) {
        const outcome o = run_tool(call);
        CAPTURE(call);
        CHECK(o.code == 0);
        CHECK(o.err == "");
        CHECK(o.out.find("--help") != std::string::npos);
    }
    CHECK(run_tool({"--version"}).out.find("hashring ") == 0);
}
