// SPDX-License-Identifier: MIT
#include "laws/schemes.hpp"
#include "support/catch.hpp"
#include "support/process.hpp"

#include <hashring/hashring.hpp>

#include <nlohmann/json.hpp>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

namespace {

template <class... Schemes>
void insert_names(std::multiset<std::string>& names, const std::tuple<Schemes...>*) {
    (names.emplace(std::string_view(Schemes::name)), ...);
}

} // namespace

TEST_CASE("laws: every scheme that the tool knows is in one list of the laws", "[tool][law]") {
    const support::outcome listed = support::run_tool({"schemes", "--format", "json"});
    REQUIRE(listed.code == 0);
    std::multiset<std::string> known;
    const auto whole = nlohmann::json::parse(listed.out);
    for (const auto& scheme : whole.at("schemes")) {
        known.insert(scheme.at("name").get<std::string>());
    }

    std::multiset<std::string> tested;
    insert_names(tested, static_cast<const std::tuple<HASHRING_OWN_RINGS>*>(nullptr));
    insert_names(tested, static_cast<const std::tuple<HASHRING_MEMCACHED_RINGS>*>(nullptr));
    insert_names(tested, static_cast<const std::tuple<HASHRING_PROXY_RINGS>*>(nullptr));
    insert_names(tested, static_cast<const std::tuple<HASHRING_CLIENT_RINGS>*>(nullptr));
    insert_names(tested, static_cast<const std::tuple<HASHRING_TABLES>*>(nullptr));
    CHECK(tested.size() == 45);
    CHECK(tested == known);
}
