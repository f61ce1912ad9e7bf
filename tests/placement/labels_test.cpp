// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include <hashring/placement/labels.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace hashring;
using namespace std::string_literals;

namespace {

template <class Label>
std::string text(std::string_view name, std::uint32_t j, std::uint32_t index = 0) {
    return label_text(Label{}, placed_node{.name = name, .index = index}, j);
}

/// All names of one to three characters that could be taken for a part of a label.
std::vector<std::string> awkward_names() {
    const std::string characters = "a01#-:";
    std::vector<std::string> names(1, "");
    for (std::size_t i = 0; names[i].size() < 3; ++i) {
        for (const char c : characters) {
            names.push_back(names[i] + c);
        }
    }
    names.erase(names.begin());
    for (const char* name : {"-NODE-", "-NODE-1", "a-NODE-1", "a-NODE-10", "SHARD-0-NODE-1"}) {
        names.emplace_back(name);
    }
    return names;
}

/// How many different texts `Label` makes of every awkward name with every one of `indices`.
template <class Label>
std::size_t different_labels(const std::vector<std::string>& names,
                             const std::vector<std::uint32_t>& indices) {
    std::set<std::string> seen;
    for (std::uint32_t i = 0; i < names.size(); ++i) {
        for (const std::uint32_t j : indices) {
            seen.insert(text<Label>(names[i], j, i));
        }
    }
    return seen.size();
}

const std::vector<std::uint32_t> some_indices = {
    0, 1, 2, 9, 10, 11, 12, 19, 20, 21, 99, 100, 101, 110, 111, 1000, 1010, 10000, 4294967295U};

/// How many texts two nodes share among their first `count` virtual nodes.
template <class Label>
std::size_t shared_labels(std::string_view a, std::string_view b, std::uint32_t count) {
    std::set<std::string> of_a;
    for (std::uint32_t j = 0; j < count; ++j) {
        of_a.insert(text<Label>(a, j));
    }
    std::size_t shared = 0;
    for (std::uint32_t j = 0; j < count; ++j) {
        shared += of_a.count(text<Label>(b, j));
    }
    return shared;
}

} // namespace

namespace near_miss {

struct without_name {
    static constexpr bool unambiguous = true;
    void operator()(std::string&, const placed_node&, std::uint32_t) const {}
    friend bool operator==(const without_name&, const without_name&) = default;
};
struct without_judgement {
    static constexpr std::string_view name = "x";
    void operator()(std::string&, const placed_node&, std::uint32_t) const {}
    friend bool operator==(const without_judgement&, const without_judgement&) = default;
};

} // namespace near_miss

TEST_CASE("labels: the texts of each rule", "[labels][golden][small]") {
    CHECK(text<labels::dashed>("cache-a", 17) == "cache-a-17");
    CHECK(text<labels::hashed>("cache-a", 17) == "cache-a#17");
    CHECK(text<labels::joined>("GroupA", 0) == "GroupA0");
    CHECK(text<labels::shard_index>("any", 7, 12) == "SHARD-12-NODE-7");
    CHECK(text<labels::shard_name>("any", 7, 12) == "SHARD-any-NODE-7");
    CHECK(text<labels::hashed>("a", 4294967295U) == "a#4294967295");
}

TEST_CASE("labels: the names of each rule", "[labels][golden][small]") {
    CHECK(labels::dashed::name == "name-j");
    CHECK(labels::hashed::name == "name#j");
    CHECK(labels::joined::name == "namej");
    CHECK(labels::shard_index::name == "SHARD-i-NODE-j");
    CHECK(labels::shard_name::name == "SHARD-name-NODE-j");
}

TEST_CASE("labels: a label is appended", "[labels]") {
    std::string out = "x";
    labels::dashed{}(out, placed_node{.name = "a"}, 1);
    labels::joined{}(out, placed_node{.name = "b"}, 2);
    CHECK(out == "xa-1b2");
}

TEMPLATE_TEST_CASE("labels: no two virtual nodes share a text where the rule says so",
                   "[labels][law]", labels::dashed, labels::hashed, labels::shard_index,
                   labels::shard_name) {
    const std::vector<std::string> names = awkward_names(); // [B11]
    REQUIRE(names.size() == 6 + 36 + 216 + 5);
    STATIC_REQUIRE(TestType::unambiguous);
    CHECK(different_labels<TestType>(names, some_indices) == names.size() * some_indices.size());
}

TEST_CASE("labels: joined names take points from each other", "[labels][law]") {
    STATIC_REQUIRE_FALSE(labels::joined::unambiguous);
    CHECK(text<labels::joined>("n1", 10) == text<labels::joined>("n11", 0));
    CHECK(shared_labels<labels::joined>("s1:1", "s1:11", 100) == 10); // [B11]: 's1:110' and on
    CHECK(shared_labels<labels::dashed>("s1:1", "s1:11", 100) == 0);
    CHECK(shared_labels<labels::hashed>("s1:1", "s1:11", 100) == 0);
}

TEST_CASE("labels: only the rules by index depend on the place in the list", "[labels][law]") {
    CHECK(text<labels::shard_index>("a", 5, 0) != text<labels::shard_index>("a", 5, 1));
    CHECK(text<labels::shard_index>("a", 5, 1) == text<labels::shard_index>("b", 5, 1));
    CHECK(text<labels::shard_name>("a", 5, 0) == text<labels::shard_name>("a", 5, 1));
    CHECK(text<labels::dashed>("a", 5, 0) == text<labels::dashed>("a", 5, 1));
}

TEST_CASE("labels: any byte may stand in a name", "[labels][edge][small]") {
    CHECK(text<labels::dashed>("a\0\xff"s, 3) == "a\0\xff-3"s);
    CHECK(text<labels::hashed>("", 3) == "#3");
}

TEST_CASE("labels: what lacks a part is no rule", "[labels][error]") {
    STATIC_REQUIRE(label_rule<labels::dashed>);
    STATIC_REQUIRE_FALSE(label_rule<near_miss::without_name>);
    STATIC_REQUIRE_FALSE(label_rule<near_miss::without_judgement>);
    STATIC_REQUIRE_FALSE(label_rule<std::string>);
}
