// SPDX-License-Identifier: MIT
#include "failure.hpp"
#include "placement.hpp"
#include "ring_entry.hpp"
#include "table_placement.hpp"

#include <hashring/compat/buraksezer.hpp>
#include <hashring/compat/dalli.hpp>
#include <hashring/compat/envoy.hpp>
#include <hashring/compat/envoy_maglev.hpp>
#include <hashring/compat/go_ketama.hpp>
#include <hashring/compat/groupcache.hpp>
#include <hashring/compat/grpc.hpp>
#include <hashring/compat/grpc_java.hpp>
#include <hashring/compat/haproxy.hpp>
#include <hashring/compat/haproxy_map_based.hpp>
#include <hashring/compat/libketama.hpp>
#include <hashring/compat/libmemcached.hpp>
#include <hashring/compat/libmemcached_modula.hpp>
#include <hashring/compat/nginx.hpp>
#include <hashring/compat/nginx_modulo.hpp>
#include <hashring/compat/npm_hashring.hpp>
#include <hashring/compat/serialx.hpp>
#include <hashring/compat/spymemcached.hpp>
#include <hashring/compat/stathat.hpp>
#include <hashring/compat/twemproxy.hpp>
#include <hashring/compat/uhashring.hpp>
#include <hashring/placement/bkdr_spaced.hpp>
#include <hashring/placement/ketama_group.hpp>
#include <hashring/placement/murmur_shard.hpp>
#include <hashring/placement/xxh3.hpp>
#include <hashring/table/jump.hpp>
#include <hashring/table/maglev.hpp>

#include <string>

namespace tool {

namespace compat = hashring::compat;
namespace schemes = hashring::schemes;

const std::vector<scheme_entry>& all_schemes() {
    static const std::vector<scheme_entry> entries = {
        entry_of<schemes::xxh3>(),
        entry_of<schemes::ketama_group>(),
        entry_of<schemes::murmur_shard>(),
        entry_of<schemes::murmur_shard_named>(),
        entry_of<schemes::bkdr_spaced>(),
        entry_of<compat::libmemcached>(),
        entry_of<compat::libmemcached_weighted>(),
        entry_of<compat::libmemcached_spy>(),
        table_entry_of<compat::libmemcached_modula>(),
        entry_of<compat::twemproxy>(),
        table_entry_of<compat::twemproxy_modula>(),
        entry_of<compat::spymemcached>(),
        table_entry_of<compat::spymemcached_array_mod>(),
        entry_of<compat::libketama>(),
        entry_of<compat::uhashring_ketama>(),
        entry_of<compat::uhashring>(),
        entry_of<compat::nginx>(),
        table_entry_of<compat::nginx_modulo>(),
        entry_of<compat::haproxy>(),
        table_entry_of<compat::haproxy_map_based>(),
        entry_of<compat::envoy>(),
        table_entry_of<compat::envoy_maglev>(),
        table_entry_of<compat::envoy_maglev_1_26>(),
        entry_of<compat::grpc>(),
        entry_of<compat::grpc_core>(),
        entry_of<compat::grpc_java_1_41>(),
        entry_of<compat::grpc_java_1_49>(),
        entry_of<compat::grpc_java_1_68>(),
        entry_of<compat::dalli>(),
        entry_of<compat::stathat>(),
        entry_of<compat::groupcache>(),
        entry_of<compat::serialx>(),
        entry_of<compat::go_ketama>(),
        table_entry_of<compat::buraksezer>(),
        entry_of<compat::npm_hashring>(),
        table_entry_of<schemes::maglev>(),
        table_entry_of<schemes::jump>(),
    };
    return entries;
}

const scheme_entry& find_scheme(std::string_view name) {
    std::string names;
    for (const scheme_entry& entry : all_schemes()) {
        if (entry.name == name) {
            return entry;
        }
        names += names.empty() ? "" : ", ";
        names += entry.name;
    }
    throw usage_failure(concat("unknown scheme ", in_quotes(name), ": there are ", names));
}

} // namespace tool
