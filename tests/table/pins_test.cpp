// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <hashring/hashring.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

using namespace hashring;

TEMPLATE_TEST_CASE("pins: a pinned key is where it is pinned to, any other where it was",
                   "[table][pins][law]", ring<>, table<schemes::maglev>) {
    const std::uint64_t seed = GENERATE(1U, 2U);
    CAPTURE(seed);
    dice random(seed);
    const auto names = node_names(6, seed);
    TestType placed(names);
    pins p;
    std::map<std::uint64_t, std::string> model;
    test::mismatches found;
    for (int step = 0; step < 60; ++step) {
        const std::uint64_t key = random.below(20);
        const std::string& name = random.pick(names);
        switch (random.below(4)) {
        case 0:
            p.pin(key, name);
            model[key] = name;
            break;
        case 1:
            found.compare(p.unpin(key), model.erase(key) == 1, step);
            break;
        case 2:
            placed.remove(name);
            break;
        default:
            placed.add(node_spec(name));
            break;
        }
        found.compare(p.size(), model.size(), step);
        for (std::uint64_t k = 0; k < 20; ++k) {
            const auto pin = model.find(k);
            const bool counts = pin != model.end() && placed.contains(pin->second);
            const auto owner = placed.owner(k);
            const std::string_view expected = counts  ? std::string_view(pin->second)
                                              : owner ? std::string_view(*owner)
                                                      : "nobody";
            const auto has = p.owner(placed, k);
            found.compare(has ? std::string_view(*has) : "nobody", expected, step, k);
        }
    }
    CHECK_NO_MISMATCHES(found);
}

TEST_CASE("pins: a pin waits while its node is away", "[table][pins]") {
    ring<> r{"a", "b", "c"};
    pins p;
    p.pin("hot", "c");
    CHECK(*p.owner(r, "hot") == "c");
    r.remove("c");
    CHECK(*p.owner(r, "hot") == std::string_view(*r.owner("hot")));
    CHECK(p.pinned_to("hot") == "c");
    r.add("c");
    CHECK(*p.owner(r, "hot") == "c");
    CHECK(p.unpin("hot"));
    CHECK_FALSE(p.unpin("hot"));
    CHECK_FALSE(p.pinned_to("hot"));
    CHECK(p == pins());
}

TEST_CASE("pins: keys are bytes, empty and NUL among them", "[table][pins][edge]") {
    const ring<> r{"a", "b"};
    pins p;
    p.pin("", "a");
    p.pin(std::string_view("\0", 1), "b");
    CHECK(*p.owner(r, "") == "a");
    CHECK(*p.owner(r, std::string_view("\0", 1)) == "b");
    p.pin(7, "a"); // the eight bytes of 7, as the ring takes it
    CHECK(p.pinned_to(std::uint64_t{7}) == "a");
    CHECK_FALSE(p.pinned_to("7"));
    CHECK(*p.owner(ring<>{"c"}, "") == "c");
    CHECK_FALSE(p.owner(ring<>(), ""));
}
