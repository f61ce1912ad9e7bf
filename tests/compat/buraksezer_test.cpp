// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <hashring/compat/buraksezer.hpp>
#include <hashring/hash/xxhash.hpp>
#include <hashring/table/table.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using compat::buraksezer;
using compat::buraksezer_closest;

namespace {

buraksezer with(std::uint32_t partitions, std::string_view load, std::uint32_t vnodes) {
    buraksezer scheme;
    scheme.set("partitions", std::to_string(partitions));
    scheme.set("load", load);
    scheme.set("vnodes", std::to_string(vnodes));
    return scheme;
}

// The program's own steps: a sorted ring, and partitions one after the other.
std::vector<std::string> by_the_program(const std::vector<std::string>& names,
                                        std::uint64_t partitions, double load,
                                        std::uint32_t vnodes) {
    std::map<std::uint64_t, std::string> circle;
    for (const std::string& name : names) {
        for (std::uint32_t i = 0; i < vnodes; ++i) {
            circle[hash::xxh64{}(std::to_string(i) + ":" + name)] = name;
        }
    }
    const double most =
        std::ceil(static_cast<double>(partitions) / static_cast<double>(names.size()) * load);
    std::map<std::string, double> loads;
    std::vector<std::string> owners;
    for (std::uint64_t p = 0; p < partitions; ++p) {
        std::string bytes;
        for (unsigned shift = 0; shift < 64; shift += 8) {
            bytes += static_cast<char>(static_cast<unsigned char>(p >> shift));
        }
        auto at = circle.lower_bound(hash::xxh64{}(bytes));
        for (;; ++at) {
            at = at == circle.end() ? circle.begin() : at;
            if (loads[at->second] + 1 <= most) {
                break;
            }
        }
        ++loads[at->second];
        owners.push_back(at->second);
    }
    return owners;
}

std::vector<std::string> owners_of(const table<buraksezer>& placed) {
    std::vector<std::string> owners;
    for (std::size_t slot = 0; slot < placed.slot_count(); ++slot) {
        owners.emplace_back(placed.node(placed.slot_owner(slot)).name());
    }
    return owners;
}

} // namespace

TEST_CASE("buraksezer: no member has more than the average times the load, rounded up",
          "[buraksezer][golden]") {
    CHECK(buraksezer{}.most_of_each(3) == 113); // 271 / 3 * 1.25 = 112.9…
    CHECK(buraksezer{}.most_of_each(5) == 68);  // 67.75
    CHECK(with(1009, "1.1", 20).most_of_each(5) == 222);
    CHECK(with(12, "1", 20).most_of_each(4) == 3);
    CHECK(with(12, "1.001", 20).most_of_each(4) == 4);
    const table<buraksezer> placed({"a", "b", "c"});
    CHECK(placed.slot_count() == 271);
    CHECK(std::max({placed.node(0).vnodes(), placed.node(1).vnodes(), placed.node(2).vnodes()}) <=
          113);
}

TEST_CASE("buraksezer: partitions are shared out as the program does it", "[buraksezer][law]") {
    constexpr std::uint64_t seed = 271;
    CAPTURE(seed);
    dice random(seed);
    for (const std::string load : {"1", "1.001", "1.1", "1.25", "2", "7.5"}) {
        const auto partitions = static_cast<std::uint32_t>(1 + random.below(600));
        const auto vnodes = static_cast<std::uint32_t>(1 + random.below(30));
        auto names = node_names(1 + random.below(9), random.below(100));
        CAPTURE(load, partitions, vnodes, names.size());
        const auto wanted = by_the_program(names, partitions, std::stod(load), vnodes);
        random.shuffle(names); // the order of the list does not matter
        CHECK(owners_of(table<buraksezer>(names, with(partitions, load, vnodes))) == wanted);
    }
}

TEST_CASE("buraksezer: a key belongs to the partition of its hash", "[buraksezer][law]") {
    const table<buraksezer> placed({"a", "b", "c"}, with(64, "1.25", 20));
    for (const std::string key : {"apple", "pear", ""}) {
        CHECK(placed.owner_index_at(placed.position(key)) ==
              placed.slot_owner(hash::xxh64{}(key) % 64));
    }
}

TEST_CASE("buraksezer: those closest to a key follow its owner by the hash of their names",
          "[buraksezer][law]") {
    const table<buraksezer> placed({"a", "b", node_spec("gone", weight{0}), "c", "d"});
    std::vector<std::uint32_t> circle = {0, 1, 2, 3}; // a, b, c, d; gone is 4 by name
    std::sort(circle.begin(), circle.end(), [&](std::uint32_t x, std::uint32_t y) {
        return hash::xxh64{}(placed.node(x).name()) < hash::xxh64{}(placed.node(y).name());
    });
    REQUIRE(placed.node(4).name() == "gone");
    for (const std::string key : {"apple", "pear", "fig", "k"}) {
        const auto closest = buraksezer_closest(placed, key, 3);
        REQUIRE(closest.size() == 3);
        CHECK(closest[0] == placed.owner_index_at(placed.position(key)));
        const auto at = static_cast<std::size_t>(
            std::find(circle.begin(), circle.end(), closest[0]) - circle.begin());
        CHECK(closest[1] == circle[(at + 1) % 4]);
        CHECK(closest[2] == circle[(at + 2) % 4]);
        CHECK(buraksezer_closest(placed, key, 9).size() == 4);
        CHECK(buraksezer_closest(placed, key, 0).empty());
    }
    CHECK(buraksezer_closest(table<buraksezer>(), "k", 2).empty());
}

TEST_CASE("buraksezer: weights are ignored, and 0 is no member", "[buraksezer][edge]") {
    const table<buraksezer> three({"a", "b", "c"});
    CHECK(owners_of(table<buraksezer>({{"a", weight{5}}, {"b", weight{0.5}}, "c"})) ==
          owners_of(three));
    CHECK(owners_of(table<buraksezer>({"a", {"b", weight{0}}, "c"})) ==
          owners_of(table<buraksezer>({"a", "c"})));
    CHECK(table<buraksezer>().owner("k") == std::nullopt);
    std::vector<node_spec> nodes{{"a", weight{0}}};
    buraksezer::take(nodes);
    CHECK(nodes[0].weight == weight{1});
}

TEST_CASE("buraksezer: a load that leaves no room is a typed error", "[buraksezer][error]") {
    CHECK_THROWS_AS(table<buraksezer>({"a", "b", "c"}, with(271, "0.99", 20)), invalid_option);
    CHECK_THROWS_AS(table<buraksezer>({"a", "b"}, with(10, "0.8", 20)), invalid_option);
    // 3 members of at most 2 = ceil(5 / 3 * 0.9) have room for 6.
    CHECK(table<buraksezer>({"a", "b", "c"}, with(5, "0.9", 20)).slot_count() == 5);
    CHECK(table<buraksezer>({"a", "b", "c"}, with(271, "1", 20)).slot_count() == 271);
    table<buraksezer> kept({"a", "b", "c", "d", "e"}, with(10, "0.8", 20)); // 2 of each
    CHECK_THROWS_AS(kept.remove("e"), invalid_option);
    CHECK(kept == table<buraksezer>({"a", "b", "c", "d", "e"}, with(10, "0.8", 20)));
    CHECK(kept.slot_count() == 10);
}

TEST_CASE("buraksezer: options that are none are refused", "[buraksezer][error]") {
    CHECK(with(1009, "1.10", 100).get("partitions") == "1009");
    CHECK(with(1009, "1.10", 100).get("load") == "1.1");
    CHECK(with(1009, "1.10", 100).get("vnodes") == "100");
    buraksezer scheme;
    for (const std::string_view bad : {"0", "", "-1", "1.2345", "x", "1e3"}) {
        CAPTURE(bad);
        CHECK_THROWS_AS(scheme.set("load", bad), invalid_option);
    }
    CHECK_THROWS_AS(scheme.set("partitions", "0"), invalid_option);
    CHECK_THROWS_AS(scheme.set("partitions", "16777217"), invalid_option);
    CHECK_THROWS_AS(scheme.set("vnodes", "0"), invalid_option);
    CHECK_THROWS_AS(scheme.set("hash", "xxh64"), invalid_option);
    CHECK_THROWS_AS(scheme.get("hash"), invalid_option);
    CHECK(scheme == buraksezer{});
}
