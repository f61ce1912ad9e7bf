// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include <hashring/hashring.hpp>

#include <cstddef>
#include <string>
#include <string_view>

using namespace hashring;

namespace {

// Why `read` refuses; empty if it does not.
template <class Read>
std::string refusal(Read read) {
    try {
        read();
        return "";
    } catch (const invalid_state& error) {
        return error.what();
    }
}

std::string of_nodes(std::string_view text, std::size_t most) {
    return refusal([&] {
        detail::line_reader lines(text);
        static_cast<void>(detail::read_nodes(lines, most));
    });
}
std::string of_exact(std::string_view text, std::size_t most) {
    return refusal([&] {
        schemes::xxh3 scheme;
        static_cast<void>(detail::read_exact(text, scheme, most));
    });
}

std::string signed_text(std::string lines) {
    const std::uint64_t sum = detail::checksum(lines);
    return concat(lines, "end ", decimal(sum), "\n");
}

} // namespace

TEST_CASE("saved limits: more nodes than the limit are refused at their line", "[saved][limits]") {
    const std::string two = "node a 1\nnode b 1\nvnodes 3\n";
    CHECK(of_nodes(two, 3) == "");
    CHECK(of_nodes(two, 2) == "");
    CHECK(of_nodes(two, 1) == "line 2: more than 1 nodes");
    CHECK(of_nodes("node a 1\nvnodes 3\nnode b 1\n", 1) == "line 3: more than 1 nodes");
}

TEST_CASE("saved limits: an exact ring has no more nodes and points than the limit",
          "[saved][limits]") {
    const std::string head = "hashring exact ring 1\nscheme xxh3\ncuts 1\n";
    const std::string nodes = "node a 1\nnode b 1\n";
    const std::string points = "point 5 0\npoint 7 1\npoint 9 0\n";
    CHECK(of_exact(signed_text(concat(head, nodes, points)), 4) == "");
    CHECK(of_exact(signed_text(concat(head, nodes, points)), 3) == "");
    CHECK(of_exact(signed_text(concat(head, nodes, points)), 2) == "line 8: more than 2 points");
    CHECK(of_exact(signed_text(concat(head, nodes)), 2) == "");
    CHECK(of_exact(signed_text(concat(head, nodes)), 1) == "line 5: more than 1 nodes");
}

TEST_CASE("saved limits: an anchor table has no more nodes than its capacity", "[saved][limits]") {
    const auto of = [](std::string_view nodes) {
        const std::string text = signed_text(
            concat("hashring anchor table 1\nscheme anchor\noption capacity 2\n", nodes));
        return refusal([&] { static_cast<void>(load<anchor_table<>>(text)); });
    };
    CHECK(of("left 1 1\nnode a 1\n") == "");
    CHECK(of("node a 1\nnode b 1\n") == "");
    CHECK(of("node a 1\nnode b 1\nnode c 1\n") == "line 6: more than 2 nodes");
}

TEST_CASE("saved limits: counts, weights and options end where a ring's do", "[saved][limits]") {
    const auto of = [](std::string_view lines) {
        const std::string text = signed_text(
            concat("hashring placement 1\nscheme xxh3\n", lines, "fingerprint 0000000000000000\n"));
        return refusal([&] { static_cast<void>(load<ring<>>(text)); });
    };
    const std::string otherwise = "these nodes are placed otherwise here than where it was saved";
    CHECK(of("node a 0\nnode b 1\nvnodes 1000\n") == concat("line 6: ", otherwise));
    CHECK(of("node a 1\nvnodes 16777217\n").substr(0, 40) ==
          "line 5: the nodes ask for 16777217 point");
    CHECK(of("node a 1\nvnodes 8388609\nnode b 1\nvnodes 8388608\n").substr(0, 40) ==
          "line 7: the nodes ask for 16777217 point");
    CHECK(of("option vnodes 16777217\n") ==
          "line 3: vnodes '16777217' is not a whole number from 1 to 16777216");
    CHECK(of("node a 1000000.001\n") == "line 3: weight '1000000.001' is above 1000000");
}

TEST_CASE("saved limits: what an error quotes of a text is short", "[saved][limits]") {
    const std::string x(61, 'x');
    CHECK(detail::quoted(x.substr(0, 59)) == concat("'", x.substr(0, 59), "'"));
    CHECK(detail::quoted(x.substr(0, 60)) == concat("'", x.substr(0, 60), "'"));
    CHECK(detail::quoted(x) == concat("'", x.substr(0, 60), "...'"));
    CHECK(of_nodes(concat("node ", std::string(100'000, '%'), " 1\n"), 1).size() < 120);
}
