// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/compat_rows.hpp"
#include "support/process.hpp"
#include "support/tool_calls.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <random>
#include <string>
#include <vector>

using nlohmann::json;
using support::arguments;
using support::check_refused;
using support::check_refused_with;
using support::compare;
using support::five;
using support::outcome;
using support::row_of;
using support::run_tool;
using support::scratch;
using support::three;
using support::with;

namespace {

const std::string keys = std::string(HASHRING_GOLDEN_DIR) + "/memcached/keys.hex";

// Per cent of the keys on which `scheme` owns as the reference does, to a tenth.
double percent(const json& whole, const std::string& scheme) {
    return std::round(row_of(whole, scheme)["agreement"].get<double>() * 1000) / 10;
}

} // namespace

// How many keys pairs of the running programs share, where all were asked.
TEST_CASE("compat: pairs agree on as many keys as the programs themselves", "[tool][compat]") {
    const arguments md5 = {"--scheme",       "libmemcached-weighted", "--hash", "md5",
                           "--label-format", "libmemcached",          "--keys", keys,
                           "--hex"};
    const json t1 = compare(three, md5);
    const json t2 = compare(five, md5);
    CHECK(t1["keys"] == 2000);
    for (const char* alike : {"libmemcached-weighted", "twemproxy"}) {
        CHECK(percent(t1, alike) == 100.0);
        CHECK(percent(t2, alike) == 100.0);
    }
    CHECK(std::round(percent(t1, "libketama")) == 37.0);
    CHECK(std::round(percent(t2, "libketama")) == 61.0);
    CHECK(percent(t1, "libketama") == percent(t1, "uhashring-ketama"));
    const arguments spy = {"--scheme", "spymemcached", "--keys", keys, "--hex"};
    CHECK(percent(compare(three, spy), "libketama") == 100.0);
    CHECK(std::abs(percent(compare(five, spy), "libketama") - 64.9) < 0.3); // of 1,801 keys
    const arguments as_libmemcached = with(spy, {"--label-format", "libmemcached"});
    CHECK(percent(compare(three, with(as_libmemcached, {"--hash", "md5"})), "twemproxy") == 100.0);
    CHECK(std::abs(percent(compare(five, with(as_libmemcached, {"--hash", "md5"})), "twemproxy") -
                   63.1) < 0.3);
    CHECK(percent(compare(five, with(as_libmemcached, {"--hash", "md5", "--weighted"})),
                  "twemproxy") == 100.0);
}

TEST_CASE("compat: keys are shown with their nodes, whose names are as in `place`",
          "[tool][compat]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", five);
    const json whole = compare(five, {"--scheme", "nginx", "apple", "pear", ""});
    for (const std::string scheme : {"nginx", "xxh3", "haproxy-map-based", "uhashring"}) {
        const json shown = row_of(whole, scheme)["keys"];
        const std::vector<std::string> placed =
            support::answers({"place", "--scheme", scheme, "--nodes", nodes}, "apple\npear\n\n");
        REQUIRE(shown.size() == 3);
        for (std::size_t i = 0; i < 3; ++i) {
            CHECK(shown[i]["node"] == placed.at(i));
        }
        CHECK(shown[1]["key"] == "pear");
    }
    const json hex = compare(five, {"--hex", "6170706c65"});
    CHECK(row_of(hex, "nginx")["keys"][0]["node"] == row_of(whole, "nginx")["keys"][0]["node"]);
    const outcome table = run_tool({"compat", "--nodes", nodes, "apple"});
    CHECK(table.out.find("scheme ") == 0);
    CHECK(table.out.find("alike on all keys") != std::string::npos);
    const outcome tsv = run_tool({"compat", "--nodes", nodes, "--format", "tsv", "apple"});
    CHECK(support::lines(tsv.out).at(0) == "scheme\tapple\tagrees\tdifferences");
    CHECK(support::lines(tsv.out).at(1).find("libmemcached\t") == 0);
}

TEST_CASE("compat: the reference comes first, then who agrees most, and last who refuses",
          "[tool][compat]") {
    const json rows = compare(five, {"--scheme", "libketama"})["schemes"];
    CHECK(rows[0]["scheme"] == "libketama");
    double most = 1.0;
    std::size_t refusals = 0;
    for (const json& row : rows) {
        CAPTURE(row["scheme"].get<std::string>());
        const double agreement = row.value("agreement", -1.0);
        CHECK(agreement <= most);
        most = agreement;
        refusals += row.contains("refused") ? 1U : 0U;
    }
    CHECK(rows[1]["agreement"] > 0.5);
    CHECK(refusals == 3); // anchor, guava and jump take no weights
}

TEST_CASE("compat: those that own all keys alike are named together", "[tool][compat]") {
    const json alike = compare(three, {"--scheme", "envoy"})["alike"];
    const auto stand_there = [&](const std::vector<std::string>& names) {
        return std::find(alike.begin(), alike.end(), json(names)) != alike.end();
    };
    CHECK(stand_there({"ketama-group", "dubbo"}));
    CHECK(stand_there({"envoy", "grpc", "grpc-core"}));
    for (const json& names : alike) {
        CHECK(names.size() > 1);
    }
}

namespace {

// Of some topology, how far each of `references` agrees with every scheme; a pair that does so on
// some keys only, and differs in nothing that is said, is added to `unexplained`.
using agreements = std::map<std::pair<std::string, std::string>, double>;

agreements compare_all(unsigned seed, const std::vector<std::string>& references,
                       std::string& unexplained) {
    std::mt19937 random(seed);
    std::string nodes;
    for (auto i = 1 + random() % 6; i > 0; --i) {
        nodes += "10.9." + std::to_string(random() % 256) + "." + std::to_string(i) + ":" +
                 (random() % 2 == 0 ? "11211" : "7000") + " " + std::to_string(1 + random() % 9) +
                 "\n";
    }
    std::string some;
    for (int i = 0; i < 300; ++i) {
        some += std::to_string(random()) + "\n";
    }
    const scratch folder;
    const std::string file = folder.write("keys", some);
    agreements found;
    for (const std::string& name : references) {
        const json whole = compare(nodes, {"--scheme", name, "--keys", file});
        for (const json& row : whole["schemes"]) {
            if (row.contains("refused")) {
                continue;
            }
            found[{name, row["scheme"]}] = row["agreement"];
            if (row["differences"].empty() && row["agreement"] < 1.0) {
                unexplained += name + " and " + row["scheme"].get<std::string>() + "; ";
            }
        }
    }
    return found;
}

void check_agreements(const std::vector<std::string>& references) {
    const unsigned seed = GENERATE(1U, 2U);
    CAPTURE(seed);
    std::string unexplained;
    const agreements found = compare_all(seed, references, unexplained);
    CHECK(unexplained == "");
    std::size_t pairs = 0;
    std::size_t one_sided = 0;
    for (const std::string& a : references) {
        for (const std::string& b : references) {
            ++pairs;
            one_sided += found.at({a, b}) == found.at({b, a}) ? 0U : 1U;
        }
    }
    CHECK(pairs == references.size() * references.size());
    CHECK(one_sided == 0);
}

} // namespace

TEST_CASE("compat: two that own a key otherwise differ in something, and agreement is mutual",
          "[tool][compat][law]") {
    check_agreements({"libmemcached", "grpc-java-1.41", "grpc-java-1.49", "haproxy-map-based"});
}

TEST_CASE("compat: the same of all pairs", "[.long][tool][compat]") {
    std::vector<std::string> all;
    const json whole = compare("10.0.0.1:1 2\n", {});
    for (const json& row : whole["schemes"]) {
        if (!row.contains("refused")) {
            all.push_back(row["scheme"]);
        }
    }
    check_agreements(all);
}

TEST_CASE("compat: what a program refuses is its row, what the reference refuses is an error",
          "[tool][compat]") {
    const scratch folder;
    const std::string nodes = folder.write("nodes", five);
    const json row = row_of(compare(five, {}), "jump");
    CHECK(row["refused"].get<std::string>().find("'10.0.1.2:11212' has a weight of 2") !=
          std::string::npos);
    CHECK_FALSE(row.contains("agreement"));
    const arguments call = {"compat", "--nodes", nodes};
    check_refused_with(with(call, {"--scheme", "jump"}), nodes + ":2: the node '10.0.1.2:11212'");
    check_refused(with(call, {"--scheme", "nginz"}), "unknown scheme 'nginz'");
    check_refused(with(call, {"--hash", "md6"}), "no scheme takes 'md6' for --hash");
    check_refused(with(call, {"--keys", folder.write("none", "")}), "no keys to compare by");
    check_refused({"compat"}, "compat needs --nodes");
    check_refused({"compat", "--nodes", "-", "--keys", "-"}, "cannot be both --nodes and --keys");
    check_refused(with(call, {"--hex", "abc"}), "'abc' is not pairs of hexadecimal digits");
    check_refused(with(call, {"a\tb"}), "a key with a TAB");
}
