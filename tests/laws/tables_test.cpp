// SPDX-License-Identifier: MIT
#include "laws/operations.hpp"
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
#include <hashring/table/rendezvous.hpp>
#include <hashring/table/table.hpp>

#include <string_view>

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

} // namespace

TEMPLATE_TEST_CASE("laws: a table is at any time what its list of nodes says", "[table][law]",
                   HASHRING_TABLES) {
    const laws::table_of empty(hashring::table<TestType>(small_table<TestType>()));
    CHECK(laws::broken_history(empty, moves<TestType>, 40, 12) == "");
}

TEST_CASE("laws: a table of buckets is at any time what its history says", "[table][law]") {
    const laws::table_of empty(hashring::anchor_table<>(small_table<hashring::schemes::anchor>()));
    CHECK(laws::broken_history(empty, laws::movement::own_keys, 100, 16) == "");
}
