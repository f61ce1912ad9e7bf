// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/process.hpp"

#include <hashring/hashring.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// What a rule remembers, from file to file: a plan made after loading is the plan that a program
// makes which has kept everything in memory.

using namespace hashring;
using nlohmann::json;
using support::outcome;
using support::run_tool;
using support::scratch;

namespace {

std::string as_tsv(const std::vector<node_stats>& stats) {
    std::string text;
    for (const node_stats& n : stats) {
        text += concat(n.name, "\t", decimal(n.total), "\t", decimal(n.free()), "\t",
                       decimal(n.vnodes), "\n");
    }
    return text;
}

std::vector<node_stats> twelve_nodes(dice& random) {
    std::vector<node_stats> stats;
    for (const std::string& name : node_names(12, 7)) {
        node_stats node;
        node.name = name;
        node.total = (std::uint64_t{1} << 40U) * (1 + random.below(4));
        node.used = random.below(node.total);
        node.vnodes = static_cast<std::uint32_t>(100 + random.below(100));
        stats.push_back(node);
    }
    return stats;
}

json plan_of(const std::vector<node_stats>& stats, const std::string& rule,
             const std::string& state) {
    const outcome o =
        run_tool({"plan", "--report", "-", "--rule", rule, "--state", state, "--format", "json"},
                 {as_tsv(stats)});
    CAPTURE(o.err);
    REQUIRE(o.code == 0);
    return json::parse(o.out);
}

} // namespace

TEST_CASE("plan: a saved state, moved elsewhere, continues bit for bit", "[tool][plan][law]") {
    constexpr std::uint64_t seed = 0x57a7e;
    CAPTURE(seed);
    dice random(seed);
    const scratch folder;
    std::vector<node_stats> stats = twelve_nodes(random);
    rebalance_state kept;
    for (int round = 0; round < 12; ++round) {
        CAPTURE(round);
        const std::string file = folder.path("state-" + std::to_string(round));
        const json p = plan_of(stats, "weights", file);
        const weights_plan plan = rebalance(stats, {}, kept);
        kept = plan.state;
        for (std::size_t i = 0; i < stats.size(); ++i) {
            for (const vnode_change& change : plan.changes) {
                if (change.name == stats[i].name) {
                    stats[i].vnodes = change.vnodes;
                    CHECK(p["nodes"][i]["why"] == change.text());
                }
            }
            CHECK(p["nodes"][i]["next_vnodes"] == stats[i].vnodes);
            stats[i].used = (stats[i].used + random.below(stats[i].total)) / 2;
        }
        stats.push_back(stats.front()); // who came, and who went, is part of it
        stats.back().name = "t-new-" + std::to_string(10 + round);
        stats.erase(stats.begin());
        std::filesystem::copy(file, folder.path("state-" + std::to_string(round + 1)));
    }
}

TEST_CASE("plan: the state of each rule is saved whole", "[tool][plan]") {
    dice random(3);
    const scratch folder;
    const std::string file = folder.path("state");
    const std::vector<node_stats> stats = twelve_nodes(random);
    plan_of(stats, "weights", file);
    const json saved = json::parse(support::slurp(file));
    const rebalance_state state = rebalance(stats).state;
    CHECK(saved["weights"]["vnodes"] == state.vnodes);
    REQUIRE(saved["weights"]["nodes"].size() == state.nodes.size());
    for (std::size_t i = 0; i < state.nodes.size(); ++i) {
        CHECK(saved["weights"]["nodes"][i]["name"] == state.nodes[i].name);
        CHECK(saved["weights"]["nodes"][i]["load"] == decimal(state.nodes[i].load.bits));
        CHECK(saved["weights"]["nodes"][i]["gain"] == decimal(state.nodes[i].gain.bits()));
        CHECK(saved["weights"]["nodes"][i]["active"] == state.nodes[i].active);
    }
}

TEST_CASE("plan: a state of another cluster is no hindrance", "[tool][plan]") {
    dice random(4);
    const scratch folder;
    std::vector<node_stats> stats = twelve_nodes(random);
    const json alone = plan_of(stats, "weights", folder.path("alone"));
    std::vector<node_stats> others = stats;
    for (node_stats& n : others) {
        n.name += "-elsewhere";
    }
    plan_of(others, "weights", folder.path("other"));
    const json after = plan_of(stats, "weights", folder.path("other"));
    CHECK(after["nodes"] == alone["nodes"]);
}

TEST_CASE("plan: the largest sizes with an absolute threshold", "[tool][plan]") {
    const std::string most = "9223372036854775807";
    const std::string report = concat("a\t", most, "\t9223372036854775806\nb\t", most, "\t", most,
                                      "\nc\t", most, "\t", most, "\n");
    for (const char* rule : {"literal", "weights", "transfers"}) {
        CAPTURE(rule);
        const outcome o = run_tool(
            {"plan", "--report", "-", "--rule", rule, "--threshold", "0.05", "--format", "json"},
            {report});
        REQUIRE(o.code == 0);
        CHECK(json::parse(o.out)["outcome"] == "balanced");
    }
}
