// SPDX-License-Identifier: MIT
#include "laws/hold.hpp"
#include "laws/operations.hpp"
#include "laws/report.hpp"
#include "laws/schemes.hpp"
#include "laws/table_laws.hpp"
#include "laws/table_subject.hpp"
#include "support/catch.hpp"

#include <hashring/compat/buraksezer.hpp>
#include <hashring/compat/envoy_maglev.hpp>
#include <hashring/compat/guava.hpp>
#include <hashring/compat/haproxy_map_based.hpp>
#include <hashring/compat/libmemcached_modula.hpp>
#include <hashring/compat/nginx_modulo.hpp>
#include <hashring/compat/spymemcached.hpp>
#include <hashring/compat/twemproxy.hpp>
#include <hashring/table/anchor.hpp>
#include <hashring/table/anchor_table.hpp>
#include <hashring/table/jump.hpp>
#include <hashring/table/maglev.hpp>
#include <hashring/table/multi_probe.hpp>
#include <hashring/table/pins.hpp>
#include <hashring/table/rendezvous.hpp>
#include <hashring/table/table.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

// With few slots or buckets, where there is an option.
template <class Scheme>
Scheme small_table() {
    Scheme scheme;
    for (const hashring::scheme_option& option : Scheme::options()) {
        if (option.name == "table-size") {
            scheme.set(option.name, "53");
        } else if (option.name == "capacity") {
            scheme.set(option.name, "5");
        } else if (option.name == "partitions") {
            scheme.set(option.name, "40");
        }
    }
    return scheme;
}

template <class Scheme>
constexpr laws::movement moves = laws::movement::by_place;
template <>
constexpr laws::movement moves<law_schemes::maglev> = laws::movement::any;
template <>
constexpr laws::movement moves<law_schemes::envoy_maglev> = laws::movement::any;
template <>
constexpr laws::movement moves<law_schemes::envoy_maglev_1_26> = laws::movement::any;
template <>
constexpr laws::movement moves<law_schemes::buraksezer> = laws::movement::any;
template <>
constexpr laws::movement moves<law_schemes::rendezvous> = laws::movement::own_keys;
template <>
constexpr laws::movement moves<law_schemes::multi_probe> = laws::movement::own_keys;
template <>
constexpr laws::movement moves<law_schemes::jump> = laws::movement::own_keys;
template <>
constexpr laws::movement moves<law_schemes::guava> = laws::movement::own_keys;
template <>
constexpr laws::movement moves<law_schemes::anchor> = laws::movement::own_keys;

// Pins beside a table, and a map beside them.
class pins_run {
public:
    // Pins the name of the first node as a key to the second, or lets it go.
    void step(const laws::operation& op) {
        if (op.what == laws::verb::replace) {
            pins_.pin(op.name(), op.nodes[1].name_text());
            map_[op.name()] = op.nodes[1].name_text();
        } else if (op.what == laws::verb::remove) {
            laws::hold(pins_.unpin(op.name()) == (map_.erase(op.name()) == 1), "unpinned");
        } else {
            pins_ = hashring::pins::load(pins_.save());
        }
        laws::hold(pins_.size() == map_.size(), "as many are pinned");
        std::string content;
        for (const auto& [key, node] : map_) {
            content += hashring::concat(key, "=", node, ",");
            laws::hold(pins_.pinned_to(key) == node, "a key is pinned to its node", key);
        }
        seen_.see(content, pins_.fingerprint());
        for (const std::string_view key : laws::names) {
            const auto pin = map_.find(std::string(key));
            const bool waits = pin == map_.end() || !table_.contains(pin->second);
            laws::hold(*pins_.owner(table_, key) ==
                           (waits ? std::string_view(*table_.owner(key)) : pin->second),
                       "the node that is pinned, or the owner", key);
        }
    }

private:
    hashring::table<hashring::schemes::rendezvous> table_{laws::names[0], laws::names[3]};
    hashring::pins pins_;
    std::map<std::string, std::string> map_;
    laws::seen_fingerprints seen_;
};

} // namespace

TEMPLATE_TEST_CASE("laws: a table is at any time what its list of nodes says", "[table][law]",
                   HASHRING_TABLES) {
    const laws::table_of empty(hashring::table<TestType>(small_table<TestType>()));
    CHECK(laws::broken_history(empty, moves<TestType>, 2 * laws::all_histories, 16) == "");
}

TEST_CASE("laws: a table of buckets is at any time what its history says", "[table][law]") {
    const laws::table_of empty(hashring::anchor_table<>(small_table<hashring::schemes::anchor>()));
    CHECK(laws::broken_history(empty, laws::movement::own_keys, 4 * laws::all_histories, 16) == "");
}

TEST_CASE("laws: pins are at any time those of a map", "[table][pins][law]") {
    using laws::verb;
    const laws::failure_of failure = [](const auto& history) {
        return laws::first_failure(pins_run(), history);
    };
    const std::vector<verb> verbs{verb::replace, verb::replace, verb::remove, verb::reload};
    CHECK(laws::broken_history(failure, verbs, laws::all_histories, 16) == "");
}
