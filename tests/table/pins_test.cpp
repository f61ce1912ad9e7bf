// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/mismatches.hpp"

#include <hashring/hashring.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace hashring;

namespace {

std::string signed_text(std::string lines) {
    const std::uint64_t sum = detail::checksum(lines);
    return concat(lines, "end ", decimal(sum), "\n");
}

// What loading `text` complains about; empty if it does not.
std::string complaint(std::string_view text) {
    try {
        static_cast<void>(pins::load(text));
        return "";
    } catch (const invalid_state& error) {
        return error.what();
    }
}

// Up to three bytes, each of any value or of those that saved lines are made of.
std::string drawn_bytes(dice& random) {
    static constexpr std::string_view special("\0 \n%2", 5);
    std::string bytes;
    for (std::uint64_t more = random.below(4); more > 0; --more) {
        bytes += random.below(2) == 0
                     ? special[random.below(special.size())]
                     : static_cast<char>(static_cast<unsigned char>(random.below(256)));
    }
    return bytes;
}

} // namespace

TEST_CASE("pins: the saved form is text that can be read", "[table][pins][state][golden]") {
    pins p;
    p.pin("user 42", "cache-a");
    p.pin("front-page", "cache%c");
    p.pin("\xff", "cache-b");
    p.pin("", "");
    CHECK(p.save() == "hashring pins 1\n"
                      "pin  \n"
                      "pin front-page cache%25c\n"
                      "pin user%2042 cache-a\n"
                      "pin \xff cache-b\n"
                      "end 14650407295430325676\n");
    CHECK(p.fingerprint() == 0x83f674caf141420dU);
    CHECK(pins().save() == "hashring pins 1\nend 10980700226888007277\n");
    CHECK(pins().fingerprint() == 0xe220a8397b1dcdafU);
}

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

TEST_CASE("pins: what was saved is loaded equal, whatever the bytes", "[table][pins][state][law]") {
    const std::uint64_t seed = GENERATE(1U, 2U, 3U);
    CAPTURE(seed);
    dice random(seed);
    test::mismatches found;
    pins p;
    for (int step = 0; step < 200; ++step) {
        p.pin(drawn_bytes(random), drawn_bytes(random));
        const pins loaded = pins::load(p.save());
        found.expect(loaded == p && loaded.save() == p.save(), step);
        found.compare(loaded.fingerprint(), p.fingerprint(), step);
    }
    for (int byte = 0; byte < 256; ++byte) {
        const std::string one(1, static_cast<char>(static_cast<unsigned char>(byte)));
        p.pin(one, one);
        found.expect(pins::load(p.save()) == p, "byte", byte);
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(p.size() > 256);
    CHECK(pins::load(pins().save()) == pins());
}

TEST_CASE("pins: they are listed in the order of the keys' bytes", "[table][pins][law]") {
    using listed = std::vector<std::pair<std::string, std::string>>;
    pins p;
    p.pin("b", "1");
    p.pin("\x80", "2");
    p.pin("a", "3");
    p.pin("", "4");
    p.pin("b", "5");
    listed all;
    for (const auto& [bytes, node] : p) {
        all.emplace_back(bytes, node);
    }
    CHECK(all == listed{{"", "4"}, {"a", "3"}, {"b", "5"}, {"\x80", "2"}});
}

TEST_CASE("pins: fingerprints differ where pins do, and not by the order of pinning",
          "[table][pins][law]") {
    const auto of = [](const std::vector<std::pair<std::string, std::string>>& all) {
        pins p;
        for (const auto& [bytes, node] : all) {
            p.pin(bytes, node);
        }
        return p;
    };
    const pins p = of({{"k", "a"}, {"l", "b"}});
    CHECK(of({{"l", "b"}, {"k", "a"}}) == p);
    CHECK(of({{"l", "b"}, {"k", "a"}}).fingerprint() == p.fingerprint());
    for (const pins& other :
         {of({{"k", "b"}, {"l", "a"}}), of({{"k", "a"}}), of({{"k", "a"}, {"l", "bb"}}),
          of({{"k", "a"}, {"la", "b"}}), of({{"k", "a"}, {"l", "b"}, {"", ""}}), pins()}) {
        CAPTURE(other.save());
        CHECK_FALSE(other == p);
        CHECK(other.fingerprint() != p.fingerprint());
    }
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

TEST_CASE("pins: any damage to a text is an error", "[table][pins][state][error][law]") {
    pins p;
    p.pin("user 42", "cache-a");
    p.pin("front-page", "cache-c");
    const std::string text = p.save();
    test::mismatches found;
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string damaged = text;
        damaged[i] = static_cast<char>(damaged[i] ^ 1);
        found.expect(!complaint(damaged).empty(), "bit", i);
        found.expect(!complaint(text.substr(0, i)).empty(), "cut", i);
        damaged = text;
        damaged.erase(i, 1);
        found.expect(!complaint(damaged).empty(), "lost", i);
    }
    CHECK_NO_MISMATCHES(found);
    CHECK(complaint(text).empty());
    CHECK(complaint(text + "\n") == "line 5: something follows the last line");
}

TEST_CASE("pins: a foreign text is an error that names the line", "[table][pins][state][error]") {
    const auto of = [](std::string_view lines) {
        return complaint(signed_text(concat("hashring pins 1\n", lines)));
    };
    CHECK(of("pin a x\npin b y\n").empty());
    CHECK(complaint("") == "line 1: the text ends early");
    CHECK(complaint(save(ring<>{"a"})) ==
          "line 1: a line that begins with 'hashring pins' is missing");
    CHECK(complaint(signed_text("hashring pins 2\n")) == "line 1: another version's form");
    CHECK(complaint(signed_text("hashring pins 1 1\n")) ==
          "line 1: something follows what the line should say");
    CHECK(of("pin a\n") == "line 2: a word is missing");
    CHECK(of("pin a x y\n") == "line 2: something follows what the line should say");
    CHECK(of("pin a% x\n") == "line 2: 'a%' is not a text as it is saved");
    CHECK(of("pin a %41\n") == "line 2: '%41' is not a text as it is saved");
    CHECK(of("pin a x\npin a x\n") == "line 3: its key does not come after the one before");
    CHECK(of("pin b x\npin a x\n") == "line 3: its key does not come after the one before");
    CHECK(of("node a 1\n") == "line 2: a line that begins with 'end' is missing");
    CHECK(complaint("hashring pins 1\npin a x\nend 5\n") ==
          "line 3: the checksum is not that of the lines before it");
}
