// SPDX-License-Identifier: MIT
#include "fuzz/memory_file.hpp"
#include "support/catch.hpp"
#include "tool/failure.hpp"
#include "tool/input.hpp"
#include "tool/keys.hpp"
#include "tool/nodes_file.hpp"
#include "tool/plan_state.hpp"

#include <cstddef>
#include <string>
#include <string_view>

using fuzz::memory_file;
using tool::concat;

namespace {

// Why `read` refuses a file of `text`, without the file's name; empty if it does not.
template <class Read>
std::string refusal(std::string_view text, Read read) {
    const memory_file file(text);
    try {
        read(file.name());
        return "";
    } catch (const tool::input_failure& reason) {
        const std::string_view what = reason.what();
        CHECK(what.substr(0, file.name().size()) == file.name());
        return std::string(what.substr(file.name().size()));
    }
}

std::string of_nodes(std::string_view text, const tool::nodes_file_limits& limits = {}) {
    return refusal(text, [&](const std::string& file) {
        static_cast<void>(tool::read_nodes_file(file, limits));
    });
}
std::string of_state(std::string_view text) {
    return refusal(text,
                   [](const std::string& file) { static_cast<void>(tool::load_state(file)); });
}
std::string of_whole(std::string_view text, std::size_t most) {
    std::string whole;
    std::string reason =
        refusal(text, [&](const std::string& file) { whole = tool::whole_text(file, most); });
    CHECK((whole == text) == reason.empty());
    return reason;
}
std::string of_keys(std::string_view text, bool hex) {
    return refusal(text, [&](const std::string& file) {
        tool::key_reader keys(file, hex, true);
        while (keys.next()) {
        }
    });
}

} // namespace

TEST_CASE("limits: a line of a nodes file is at most 64 KiB long", "[tool][limits]") {
    const auto line = [](std::size_t bytes) {
        return concat("a\n", std::string(bytes, 'b'), "\n");
    };
    CHECK(of_nodes(line(65535)) == "");
    CHECK(of_nodes(line(65536)) == "");
    CHECK(of_nodes(line(65537)) == ":2: the line is longer than 65536 bytes");
    CHECK(of_nodes(concat("a\n#", std::string(65536, ' '))) ==
          ":2: the line is longer than 65536 bytes"); // comments are read too
}

TEST_CASE("limits: a nodes file has at most 1048576 nodes", "[tool][limits]") {
    CHECK(tool::nodes_file_limits{}.nodes == 1048576);
    const tool::nodes_file_limits three{100, 3};
    CHECK(of_nodes("a\nb\n", three) == "");
    CHECK(of_nodes("a\nb\n# more\n\nc\n", three) == "");
    CHECK(of_nodes("a\nb\nc\n\nd\n", three) == ":5: more than 3 nodes");
}

TEST_CASE("limits: a text that is read whole is at most so long", "[tool][limits]") {
    CHECK(tool::longest_text == 268435456);
    CHECK(of_whole("ab\ncd", 6) == "");
    CHECK(of_whole("ab\ncd", 5) == "");
    CHECK(of_whole("ab\ncd\n", 6) == "");
    CHECK(of_whole("ab\ncd\n", 5) == ":2: the text is longer than 5 bytes");
    CHECK(of_whole("ab\ncd", 4) == ":2: the text is longer than 4 bytes");
    CHECK(of_whole("abcde", 4) == ":1: the line is longer than 4 bytes");
}

TEST_CASE("limits: a state has at most 32 lists and objects in each other", "[tool][limits]") {
    const auto nested = [](std::size_t depth) {
        return concat(std::string(depth, '['), std::string(depth, ']'));
    };
    const std::string deep =
        ": the state cannot be taken: more than 32 lists and objects stand in each other";
    CHECK(of_state(nested(31)) == ": the state cannot be taken: it is not a hashring plan state 1");
    CHECK(of_state(nested(32)) == ": the state cannot be taken: it is not a hashring plan state 1");
    CHECK(of_state(nested(33)) == deep);
    CHECK(of_state(std::string(1'000'000, '[')) == deep);
}

TEST_CASE("limits: a key has at most 16 MiB, however it is spelled", "[tool][limits]") {
    const std::size_t most = std::size_t{16} << 20U;
    CHECK(of_keys(std::string(most, 'k'), false) == "");
    CHECK(of_keys(std::string(most + 1, 'k'), false) ==
          ":1: the line is longer than 16777216 bytes");
    CHECK(of_keys(concat("00\n", std::string(2 * most, 'a')), true) == "");
    CHECK(of_keys(concat("00\n", std::string(2 * most + 2, 'a')), true) ==
          ":2: the line is longer than 33554432 bytes");
}
