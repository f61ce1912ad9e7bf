// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/process.hpp"
#include "support/tool_calls.hpp"

#include <hashring/hashring.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

using nlohmann::json;
using support::answers;
using support::arguments;
using support::check_refused;
using support::lines;
using support::outcome;
using support::run_tool;
using support::scratch;
using support::with;

namespace {

const std::string six_nodes = "a zone=x rack=1 host=h1\n"
                              "b zone=x rack=1 host=h2\n"
                              "c zone=x rack=2 host=h3\n"
                              "d zone=y rack=1 host=h4\n"
                              "e 2 zone=y rack=1 host=h4\n"
                              "f zone=z rack=9 host=h5\n";

/// Where each of the six is: zone, rack in it, host in that.
const std::map<std::string, std::vector<std::string>> addresses = {
    {"a", {"x", "x1", "x1h1"}}, {"b", {"x", "x1", "x1h2"}}, {"c", {"x", "x2", "x2h3"}},
    {"d", {"y", "y1", "y1h4"}}, {"e", {"y", "y1", "y1h4"}}, {"f", {"z", "z9", "z9h5"}}};

std::string some_keys(int count) {
    std::string keys;
    for (int i = 0; i < count; ++i) {
        keys += "user:" + std::to_string(i) + "\n";
    }
    return keys;
}

/// The points of a ring as the tool lists them.
std::vector<std::pair<std::uint64_t, std::string>> points_of(const std::string& nodes) {
    std::vector<std::pair<std::uint64_t, std::string>> points;
    for (const std::string& line : lines(run_tool({"ring", "--nodes", nodes}).out)) {
        const std::size_t tab = line.find('\t');
        points.emplace_back(std::stoull(line.substr(0, tab)), line.substr(tab + 1));
    }
    return points;
}

/// The nodes from a position on, each once.
std::vector<std::string> walk_from(const std::vector<std::pair<std::uint64_t, std::string>>& points,
                                   std::uint64_t position) {
    std::vector<std::string> order;
    const auto first = std::find_if(points.begin(), points.end(),
                                    [&](const auto& p) { return p.first >= position; });
    const auto start = static_cast<std::size_t>(first - points.begin());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::string& name = points[(start + i) % points.size()].second;
        if (std::find(order.begin(), order.end(), name) == order.end()) {
            order.push_back(name);
        }
    }
    return order;
}

/// The copies by going round once for each level, from `first` (0 zones, 1 racks, 2 hosts) on.
std::string copies_by_rounds(const std::vector<std::string>& order, std::size_t first, bool strict,
                             std::size_t wanted) {
    std::vector<std::string> chosen;
    for (std::size_t level = first; level <= (strict ? first : 3U); ++level) {
        for (const std::string& name : order) {
            const auto near = [&](const std::string& other) {
                return other == name ||
                       (level < 3 && addresses.at(other)[level] == addresses.at(name)[level]);
            };
            if (chosen.size() < wanted && std::none_of(chosen.begin(), chosen.end(), near)) {
                chosen.push_back(name);
            }
        }
    }
    chosen.resize(wanted, "-");
    std::string text;
    for (const std::string& name : chosen) {
        text += text.empty() ? "" : "\t";
        text += name;
    }
    return text;
}

} // namespace

TEST_CASE("place: copies are spread over zones, and a shortfall is told", "[tool][spread]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a zone=x\nb zone=x\nc zone=x\nd zone=y\n");
    const arguments call = {"place", "--nodes", nodes, "--copies", "3", "--spread", "zone"};
    const outcome best = run_tool(call, {"k1\nk2\nk3\n"});
    CHECK(best.code == 0);
    CHECK(best.out == "k1\tb\td\tc\nk2\tb\td\tc\nk3\tc\td\ta\n");
    CHECK(best.err == "hashring: 3 of 3 keys have copies that share a zone: there are fewer zones "
                      "that take keys than copies\n");
    const outcome strict = run_tool(with(call, {"--strict"}), {"k1\nk2\nk3\n"});
    CHECK(strict.code == 0);
    CHECK(strict.out == "k1\tb\td\t-\nk2\tb\td\t-\nk3\tc\td\t-\n");
    CHECK(strict.err == "hashring: 3 of 3 keys have fewer than 3 copies: there are not as many "
                        "zones that take keys\n");
    const std::string racks = folder.write("racks", "a zone=x rack=1\nb zone=x rack=2\n");
    const outcome in_racks =
        run_tool({"place", "--nodes", racks, "--copies", "2", "--spread", "zone"}, {"k1\n"});
    CHECK(in_racks.err == "hashring: 1 of 1 keys have copies that share a zone: there are fewer "
                          "zones that take keys than copies\n");
    CHECK(
        run_tool({"place", "--nodes", racks, "--copies", "2", "--spread", "rack"}, {"k1\n"}).err ==
        "");
    const outcome enough =
        run_tool({"place", "--nodes", nodes, "--copies", "2", "--spread", "zone"}, {"k1\n"});
    CHECK(enough.out == "k1\tb\td\n");
    CHECK(enough.err == "");
}

TEST_CASE("place: spread copies are those of a walk along the listed points", "[tool][spread]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", six_nodes);
    const auto points = points_of(nodes);
    const std::string keys = some_keys(150);
    for (const std::size_t level : {0U, 1U, 2U}) {
        for (const bool strict : {false, true}) {
            for (const std::size_t copies : {1U, 2U, 4U, 7U}) {
                const std::string domain = std::vector<std::string>{"zone", "rack", "host"}[level];
                arguments call = {"place",    "--nodes", nodes, "--copies", std::to_string(copies),
                                  "--spread", domain};
                if (strict) {
                    call.emplace_back("--strict");
                }
                std::vector<std::string> expected;
                for (const std::string& key : lines(keys)) {
                    const auto position = hashring::schemes::xxh3{}.position(key);
                    expected.push_back(
                        copies_by_rounds(walk_from(points, position), level, strict, copies));
                }
                CAPTURE(domain, strict, copies);
                CHECK(answers(call, keys) == expected);
            }
        }
    }
}

TEST_CASE("place: a node that is down has no copy, and its zone is not used up", "[tool][spread]") {
    const scratch folder;
    const std::string up = folder.write("up", "a zone=x\nc zone=y\nd zone=z\n");
    const std::string down =
        folder.write("down", "a zone=x\nb zone=x down=1\nc zone=y\nd zone=z\n");
    const std::string keys = some_keys(300);
    const arguments rest = {"--copies", "3", "--spread", "zone", "--strict"};
    CHECK(answers(with({"place", "--nodes", down}, rest), keys) ==
          answers(with({"place", "--nodes", up}, rest), keys));
    const std::string all_down = folder.write("all", "a zone=x down=1\nb zone=y down=1\n");
    const outcome nobody =
        run_tool({"place", "--nodes", all_down, "--copies", "2", "--spread", "zone"}, {"k\n"});
    CHECK(nobody.code == 0);
    CHECK(nobody.out == "k\t-\t-\n");
    CHECK(nobody.err == "hashring: 1 of 1 keys have fewer than 2 copies: there are not as many "
                        "nodes that take keys\n");
}

TEST_CASE("place: spread copies begin with who answers, also where keys are hashed again",
          "[tool][spread]") {
    const scratch folder;
    const std::string nodes = folder.write(
        "nodes", "a:1 zone=x\nb:1 zone=y down=1\nc:1 zone=z\nd:1 zone=y\ne:1 zone=x down=1\n");
    const std::string keys = some_keys(300);
    for (const char* scheme : {"dalli", "spymemcached", "twemproxy", "libmemcached"}) {
        const arguments call = {"place", "--scheme", scheme, "--nodes", nodes};
        const auto owners = answers(call, keys);
        const auto spread =
            answers(with(call, {"--copies", "3", "--spread", "zone", "--strict"}), keys);
        REQUIRE(owners.size() == spread.size());
        std::size_t wrong = 0;
        std::size_t twice = 0;
        for (std::size_t i = 0; i < owners.size(); ++i) {
            if (owners[i] == "-") { // who hashes again may give up
                wrong += spread[i] != "-\t-\t-" ? 1U : 0U;
                continue;
            }
            wrong += spread[i].substr(0, 3) != owners[i] ? 1U : 0U;
            for (const char* name : {"a:1", "c:1", "d:1"}) { // one a zone is up
                twice += spread[i].find(name) == std::string::npos ? 1U : 0U;
            }
        }
        CAPTURE(scheme);
        CHECK(wrong == 0);
        CHECK(twice == 0);
    }
}

TEST_CASE("explain: copies are told with who was passed over and why", "[tool][spread]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a zone=x\nb zone=x\nc zone=x\nd zone=y\n");
    const arguments call = {"explain", "--nodes", nodes, "--copies", "3", "--spread", "zone"};
    const auto best = lines(run_tool(with(call, {"k1"})).out);
    REQUIRE(best.size() >= 3);
    CHECK(best[best.size() - 3] == "copies        b, d, c (same zone as b)");
    CHECK(best[best.size() - 2] == "passed over   a (same zone as b)");
    CHECK(best[best.size() - 1] == "short of      0");
    const auto strict = lines(run_tool(with(call, {"k1", "--strict", "--format", "tsv"})).out);
    REQUIRE(strict.size() >= 5);
    const std::vector<std::string> last(strict.end() - 5, strict.end());
    CHECK(last == std::vector<std::string>{"copy\tb", "copy\td", "passed\tc\tsame zone as b",
                                           "passed\ta\tsame zone as b", "short_of\t1"});
    const json whole = json::parse(run_tool({"explain", "--nodes", nodes, "--copies", "2",
                                             "--spread", "zone", "--format", "json", "k1"})
                                       .out);
    CHECK(whole["copies"] == json::parse(R"([{"name": "b"}, {"name": "d"}])"));
    CHECK(whole["short_of"] == 0);
    const json plain = json::parse(
        run_tool({"explain", "--nodes", nodes, "--copies", "2", "--format", "json", "k1"}).out);
    CHECK(plain["copies"].size() == 2);
    CHECK(plain["passed"].empty());
}

TEST_CASE("explain: its copies are those of `place`, and everybody up is one, passed or behind",
          "[tool][spread]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", six_nodes + "g zone=z rack=9 host=h6 down=1\n");
    for (int i = 0; i < 12; ++i) {
        const std::string key = "user:" + std::to_string(i);
        for (const char* copies : {"2", "4"}) {
            const arguments rest = {"--nodes", nodes, "--copies", copies, "--spread", "rack"};
            const json whole =
                json::parse(run_tool(with({"explain", "--format", "json", key}, rest)).out);
            std::string names = key;
            for (const json& copy : whole["copies"]) {
                names += "\t" + copy["name"].get<std::string>();
            }
            CHECK(run_tool(with({"place"}, rest), {key + "\n"}).out == names + "\n");
            for (const json& passed : whole["passed"]) {
                CAPTURE(key, passed);
                CHECK(passed["name"] != "g");
                CHECK(passed["reason"].get<std::string>().find("same ") == 0);
            }
        }
    }
}

TEST_CASE("spread: what cannot be spread is refused before any output", "[tool][spread]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", "a zone=x\n# note\nb rack=1\n");
    const arguments place = {"place", "--nodes", nodes, "--copies", "2"};
    check_refused(with(place, {"--spread", "zone"}),
                  nodes + ":3: the node 'b' has no zone=, over which", "k\n");
    check_refused(with(place, {"--spread", "rack"}),
                  nodes + ":1: the node 'a' has no rack=", "k\n");
    check_refused(with(place, {"--spread", "row"}), "--spread 'row' is none of zone, rack, host",
                  "k\n");
    check_refused(with(place, {"--strict"}), "--strict says how copies are spread", "k\n");
    check_refused({"place", "--nodes", nodes, "--spread", "zone"}, "needs --copies", "k\n");
    check_refused({"explain", "--nodes", nodes, "--copies", "2", "--spread", "zone", "k"},
                  nodes + ":3: ");
    check_refused({"explain", "--nodes", nodes, "--strict", "k"}, "needs --spread");
    for (const char* scheme : {"maglev", "jump", "rendezvous", "multi-probe", "nginx-modulo"}) {
        check_refused(
            {"place", "--scheme", scheme, "--nodes", nodes, "--copies", "1", "--spread", "zone"},
            "has no circle", "k\n");
    }
    const std::string good = folder.write("good", "a zone=x\nb zone=y\n");
    const outcome bad_key =
        run_tool({"place", "--nodes", good, "--copies", "2", "--spread", "zone"}, {"k1\nk\t2\n"});
    CHECK(bad_key.code == 2);
    CHECK(lines(bad_key.out).size() == 1);
    CHECK(lines(bad_key.err).size() == 1);
}
