// SPDX-License-Identifier: MIT
#include "ring_entry.hpp"
#include "schemes.hpp"
#include "table_placement.hpp"

#include <hashring/compat/libketama.hpp>
#include <hashring/compat/libmemcached.hpp>
#include <hashring/compat/libmemcached_modula.hpp>
#include <hashring/compat/spymemcached.hpp>
#include <hashring/compat/twemproxy.hpp>
#include <hashring/compat/uhashring.hpp>

namespace tool {

namespace compat = hashring::compat;

std::vector<scheme_entry> schemes_of_memcached() {
    return {
        entry_of<compat::libmemcached>(),     entry_of<compat::libmemcached_weighted>(),
        entry_of<compat::libmemcached_spy>(), table_entry_of<compat::libmemcached_modula>(),
        entry_of<compat::twemproxy>(),        table_entry_of<compat::twemproxy_modula>(),
        entry_of<compat::spymemcached>(),     table_entry_of<compat::spymemcached_array_mod>(),
        entry_of<compat::libketama>(),        entry_of<compat::uhashring_ketama>(),
        entry_of<compat::uhashring>(),
    };
}

} // namespace tool
