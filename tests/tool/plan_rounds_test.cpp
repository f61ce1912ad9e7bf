// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/hdfs_samples.hpp"
#include "support/process.hpp"
#include "support/tool_calls.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace hashring::test;
using support::check_refused_with;
using support::files_in;
using support::outcome;
using support::run_tool;
using support::scratch;

namespace {

const std::string skewed = "a\t100\t20\t160\nb\t100\t50\t160\nc\t100\t60\t160\n";

void check_command(const std::string& command, const std::string& what) {
    check_refused_with({"plan", "--command", command}, concat("<command>", what));
}

} // namespace

TEST_CASE("plan: the output of a command is a report like a file's", "[tool][plan]") {
    const scratch folder;
    const std::string file = folder.write("report", skewed);
    const outcome from_file = run_tool({"plan", "--report", file});
    const outcome from_command =
        run_tool({"plan", "--command", concat("echo 'WARN: slow' >&2; cat '", file, "'")});
    CHECK(from_command.code == 0);
    CHECK(from_command.err == "");
    CHECK(from_command.out == from_file.out);
    CHECK(from_command.out.find("next_vnodes") != std::string::npos);
}

TEST_CASE("plan: a command that prints much on both streams is read to its end", "[tool][plan]") {
    const std::string command = "i=0; while [ $i -lt 3000 ]; do echo \"n$i\t100\t50\"; "
                                "echo 'a long line of a logger, again and again and again' >&2; "
                                "i=$((i+1)); done";
    const outcome o = run_tool({"plan", "--command", command, "--format", "tsv"});
    CHECK(o.code == 0);
    CHECK(o.err == "");
    CHECK(o.out.find("\nn2999\tlive\t") != std::string::npos);
}

TEST_CASE("plan: a command that fails is an error that names what happened",
          "[tool][plan][errors]") {
    const std::string report = "printf 'a\\t100\\t20\\nb\\t100\\t50\\n'";
    check_command(report + "; exit 3",
                  ": 'printf 'a\\t100\\t20\\nb\\t100\\t50\\n'; exit 3' exited with 3\n");
    check_command("echo log >&2; echo 'report: Connection refused' >&2; exit 255",
                  ": 'echo log >&2; echo 'report: Connection refused' >&2; exit 25...' exited with "
                  "255: report: Connection refused\n");
    check_command("no-such-program-here", ": 'no-such-program-here' exited with 127: ");
    check_command(
        report + "; kill -KILL $$",
        ": 'printf 'a\\t100\\t20\\nb\\t100\\t50\\n'; kill -KILL $$' was ended by signal 9\n");
    check_command("true", ": the report is empty\n");
    check_command("echo hello", ":1: no report of HDFS: it begins with 'hello'\n");
    check_command("cat", ": the report is empty\n"); // its input is empty, it does not wait
}

TEST_CASE("plan: a command that is slow is ended, with all that it started",
          "[tool][plan][errors]") {
    const scratch folder;
    const std::string mark = folder.path("mark");
    for (const std::string& command :
         {concat("sleep 0.6; touch '", mark, "'"),
          concat("printf 'a\\t2\\t1\\n'; (sleep 0.6; touch '", mark, "')"),
          concat("exec >&- 2>&-; sleep 0.6; touch '", mark, "'")}) {
        const outcome o = run_tool({"plan", "--command", command, "--period", "100ms"});
        CAPTURE(command, o.err);
        CHECK(o.code == 2);
        CHECK(o.out == "");
        CHECK(support::lines(o.err).size() == 1);
        CHECK(o.err.find("is not done within 100 ms and was ended\n") != std::string::npos);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    CHECK_FALSE(std::filesystem::exists(mark));
}

TEST_CASE("plan: the state goes from plan to plan", "[tool][plan]") {
    const scratch folder;
    const std::string state = folder.path("state");
    const auto next_of = [&](const std::string& report) {
        const outcome o =
            run_tool({"plan", "--report", "-", "--state", state, "--format", "json"}, {report});
        CAPTURE(o.err);
        REQUIRE(o.code == 0);
        return json::parse(o.out)["nodes"][0]["next_vnodes"];
    };
    // a is 4 % above the median: within 5 %, unless it was outside before and is not within half of
    // that yet.
    const std::string near = "a\t1000\t480\t160\nb\t1000\t500\t160\nc\t1000\t500\t160\n";
    const std::string far = "a\t1000\t400\t160\nb\t1000\t500\t160\nc\t1000\t500\t160\n";
    CHECK(next_of(near) == 160);
    CHECK(next_of(far) == 147);  // 160 · (1 - 0.1 / 0.6 / 2) = 146.7
    CHECK(next_of(near) == 157); // 160 · (1 - 0.02 / 0.52 / 2) = 156.9
    std::filesystem::remove(state);
    CHECK(next_of(near) == 160);
}

TEST_CASE("plan: the state of one rule survives a plan by another", "[tool][plan]") {
    const scratch folder;
    const std::string state = folder.path("state");
    const auto run = [&](const char* rule) {
        const outcome o =
            run_tool({"plan", "--report", "-", "--rule", rule, "--state", state}, {skewed});
        CAPTURE(o.err);
        CHECK(o.code == 0);
        return json::parse(support::slurp(state));
    };
    const json weights = run("weights");
    CHECK(weights["weights"]["nodes"].size() == 3);
    CHECK(weights["weights"]["nodes"][0]["active"] == true);
    CHECK(weights["weights"]["nodes"][0]["last"] == "over");
    CHECK(run("literal") == weights); // whose alerts are cleared at once
    CHECK(run("transfers") == weights);
}

TEST_CASE("plan: an alert that stands is in the state and is cleared later", "[tool][plan]") {
    const scratch folder;
    const std::string state = folder.path("state");
    const auto notes = [&](const std::string& report) {
        const outcome o = run_tool(
            {"plan", "--report", "-", "--rule", "literal", "--state", state, "--format", "json"},
            {report});
        CHECK(o.code == 0);
        return json::parse(o.out)["notes"];
    };
    // A last virtual node is not taken away.
    CHECK(notes("a\t100\t20\t1\nb\t100\t50\t1\nc\t100\t50\t1\n") ==
          json::array({"a at a load factor of 80 %: alert of being overloaded raised"}));
    CHECK(json::parse(support::slurp(state))["literal"]["alerts"].size() == 1);
    CHECK(notes("a\t100\t50\t1\nb\t100\t50\t1\nc\t100\t50\t1\n") ==
          json::array({"a at a load factor of 50 %: alert of being overloaded cleared"}));
    CHECK(json::parse(support::slurp(state))["literal"]["alerts"].empty());
}

TEST_CASE("plan: the state is replaced by renaming, and only after a plan that was printed",
          "[tool][plan]") {
    const scratch folder;
    std::filesystem::create_directory(folder.path("d"));
    const std::string state = folder.path("d/state");
    CHECK(run_tool({"plan", "--report", "-", "--state", state}, {skewed}).code == 0);
    const std::string first = support::slurp(state);
    const std::string other_name = folder.path("d/old");
    std::filesystem::create_hard_link(state, other_name);
    const std::string other = "a\t100\t20\nb\t100\t10\n";

    CHECK(run_tool({"plan", "--report", "-", "--state", state}, {other, "/dev/full"}).code == 1);
    CHECK(run_tool({"plan", "--report", "-", "--state", state}, {other + "a\t1\t1\n"}).code == 2);
    CHECK(run_tool({"plan", "--command", "exit 1", "--state", state}).code == 2);
    CHECK(support::slurp(state) == first);

    CHECK(run_tool({"plan", "--report", "-", "--state", state}, {other}).code == 0);
    CHECK(support::slurp(state) != first);
    CHECK(support::slurp(other_name) == first); // the old file was not written to
    CHECK(files_in(folder.path("d")) == 2);     // and nothing is left beside it
}

TEST_CASE("plan: a name that a state cannot hold is refused before anything is printed",
          "[tool][plan][errors]") {
    const scratch folder;
    const std::string report = folder.write("report", "a\xff\t100\t20\nb\t100\t50\nc\t100\t60\n");
    const std::string state = folder.path("state");
    check_refused_with({"plan", "--report", report, "--state", state},
                       state + ": the name of a node is not UTF-8");
    CHECK_FALSE(std::filesystem::exists(state));
    CHECK(run_tool({"plan", "--report", report}).code == 0); // without a state there is no harm
}

TEST_CASE("plan: a state that is none is refused, one that cannot be written is exit 1",
          "[tool][plan][errors]") {
    const scratch folder;
    CHECK(run_tool({"plan", "--report", "-", "--state", folder.path("good")}, {skewed}).code == 0);
    const std::string good = support::slurp(folder.path("good"));
    const std::string report = folder.write("report", skewed);
    const auto check = [&](const std::string& text, const std::string& reason) {
        const std::string state = folder.write("state", text);
        check_refused_with({"plan", "--report", report, "--state", state}, state + ": " + reason);
        CHECK(support::slurp(state) == text);
    };
    check("", "the state is not JSON, or is cut");
    check(good.substr(0, good.size() / 2), "the state is not JSON, or is cut");
    check("[]", "the state cannot be taken: it is not a hashring plan state 1");
    check("{\"format\":1}", "the state lacks something");
    check("{\"format\":\"hashring plan state 1\"}", "the state lacks something");
    check(replaced(good, "\"name\": \"b\"", "\"name\": \"a\""),
          "the state cannot be taken: the node 'a' stands in it twice");
    check(replaced(good, "\"last\": \"over\"", "\"last\": \"up\""),
          "the state cannot be taken: a direction is none of");
    check(replaced(good, "\"cooldown\": 0", "\"cooldown\": -1"),
          "the state cannot be taken: a cooldown");
    check(replaced(good, "\"vnodes\": 160", "\"vnodes\": 4294967296"),
          "the state cannot be taken: a cooldown or a count");
    check(replaced(good, "\"gain\": \"4", "\"gain\": \"94"),
          "the state cannot be taken: a load or a gain");
    check(replaced(good, "\"active\": true", "\"active\": 1"), "the state lacks something");

    const outcome o =
        run_tool({"plan", "--report", report, "--state", folder.path("no/folder/state")});
    CHECK(o.code == 1);
    CHECK(support::lines(o.err).size() == 1);
    CHECK(o.err.find("no/folder/state: No such file") != std::string::npos);
}

TEST_CASE("plan: watching skips a round whose source fails, says so, and keeps the state",
          "[tool][plan]") {
    const scratch folder;
    const std::string calls = folder.write("calls", "");
    const std::string state = folder.path("state");
    const std::string report = folder.write("report", skewed);
    // Round 1 fails, 2 and 4 give a report, 3 gives a cut one, 5 ends the tool.
    const std::string command = folder.write(
        "source",
        concat("echo x >>'", calls, "'\n", "case $(wc -l <'", calls, "') in\n",
               "1) echo 'report: refused' >&2; exit 255;;\n", "3) printf 'a\\t100\\n';;\n",
               "5) kill -TERM $PPID; sleep 5;;\n", "*) cat '", report, "';;\n", "esac\n"));
    const auto start = std::chrono::steady_clock::now();
    // exec: the shell's parent is the tool
    const outcome o = run_tool({"plan", "--command", concat("exec sh '", command, "'"), "--watch",
                                "--period", "200ms", "--state", state, "--format", "tsv"});
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    CHECK(o.code == 128 + 15);
    const auto errors = support::lines(o.err);
    REQUIRE(errors.size() == 2);
    CHECK(errors[0].find("<command>: ") == 0);
    CHECK(errors[0].find("exited with 255: report: refused (round skipped)") != std::string::npos);
    CHECK(errors[1].find("<command>:1: ") == 0);
    CHECK(errors[1].find("(round skipped)") != std::string::npos);
    const std::string once = run_tool({"plan", "--report", report, "--format", "tsv"}).out;
    CHECK(o.out.find(once) == 0);
    const std::string second = o.out.substr(once.size());
    CHECK(second.find("\nnode\tstate\t") == 0);
    CHECK(second.find("\nnode\tstate\t", 1) == std::string::npos);
    CHECK(json::parse(support::slurp(state))["weights"]["nodes"].size() == 3);
    CHECK(took.count() >= 0.8); // four periods
}

TEST_CASE("plan: watching ends silently when nobody reads any more", "[tool][plan]") {
    const scratch folder;
    const outcome o = run_tool(
        {"plan", "--report", folder.write("report", skewed), "--watch", "--period", "50ms"},
        {{}, {}, true});
    CHECK(o.code == 0);
    CHECK(o.err == "");
}
