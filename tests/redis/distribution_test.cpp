// SPDX-License-Identifier: MIT

#include "redis_groups/store/client.hpp"
#include "running_groups.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

using redis_groups::client;
using redis_groups::group_spec;
using redis_groups::placement;
using support::running_groups;

namespace {

// `group01`, `group02` and so on, where nobody is asked.
std::vector<group_spec> named_groups(std::size_t count) {
    std::vector<group_spec> specs;
    for (std::size_t i = 1; i <= count; ++i) {
        specs.push_back({"group0" + hashring::decimal(i), {{"127.0.0.1", 1}}, {}});
    }
    return specs;
}

// The shares of the groups in percent.
std::vector<double> shares_of(std::size_t count) {
    const placement ring(named_groups(count));
    std::vector<double> shares = placement::use(ring).ring().shares();
    for (double& share : shares) {
        share *= 100;
    }
    return shares;
}

// How many of the keys the ring itself gives each group.
std::vector<std::uint64_t> counted(const client& of, const std::vector<std::string>& keys) {
    const placement::use at(*of.ring());
    std::vector<std::uint32_t> owners(keys.size());
    at.ring().owners(keys, std::span(owners));
    std::vector<std::uint64_t> counts(at.on_ring().size());
    for (const std::uint32_t owner : owners) {
        ++counts[owner];
    }
    return counts;
}

// Masters alone, as many as there are groups, and the keys on them.
void check_real_servers(std::size_t count, std::size_t keys) {
    running_groups groups(count, 0);
    client writer(groups.specs(), {});
    const std::vector<std::string> names = support::numbered_keys(keys);
    const auto writes = support::writes_of(names, "32 bytes, as the paper's have it");
    CHECK(support::undone(writer.write_many(writes)) == 0);
    const std::vector<std::uint64_t> expected = counted(writer, names);
    CHECK(writer.key_counts() == expected);
    std::vector<std::uint64_t> held;
    for (std::size_t i = 0; i < count; ++i) { // by the servers themselves, with our version key
        const auto size = support::call(groups[i].copy(0).where(), {"DBSIZE"}).number;
        held.push_back(static_cast<std::uint64_t>(size) - 1);
    }
    CHECK(held == expected);
}

} // namespace

TEST_CASE("distribution: two groups have 50.6925 and 49.3075 %, three 32.1508, 35.6230, 32.2262 %",
          "[redis][golden]") {
    const std::vector<std::vector<double>> published = {{50.6925, 49.3075},
                                                        {32.1508, 35.6230, 32.2262}};
    for (const std::vector<double>& expected : published) {
        const std::vector<double> shares = shares_of(expected.size());
        REQUIRE(shares.size() == expected.size());
        for (std::size_t i = 0; i < shares.size(); ++i) {
            CAPTURE(shares.size(), i, shares[i]);
            CHECK(std::abs(shares[i] - expected[i]) < 0.0001);
        }
    }
    const placement three(named_groups(3));
    const placement::use at(three);
    for (std::uint32_t i = 0; i < 3; ++i) {
        CHECK(at.ring().node(i).vnodes() == 160);
    }
}

TEST_CASE("distribution: real servers hold as many keys as the ring counts", "[redis][law]") {
    const std::size_t groups = GENERATE(std::size_t{2}, std::size_t{3});
    check_real_servers(groups, 100'000);
}

TEST_CASE("distribution: nor does it differ for a million keys", "[redis][.long]") {
    const std::size_t groups = GENERATE(std::size_t{2}, std::size_t{3});
    check_real_servers(groups, 1'000'000);
}
