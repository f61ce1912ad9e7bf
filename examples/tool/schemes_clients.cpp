// SPDX-License-Identifier: MIT
#include "ring_entry.hpp"
#include "schemes.hpp"
#include "table_placement.hpp"

#include <hashring/compat/brpc.hpp>
#include <hashring/compat/buraksezer.hpp>
#include <hashring/compat/dalli.hpp>
#include <hashring/compat/dubbo.hpp>
#include <hashring/compat/go_ketama.hpp>
#include <hashring/compat/groupcache.hpp>
#include <hashring/compat/guava.hpp>
#include <hashring/compat/jedis.hpp>
#include <hashring/compat/npm_hashring.hpp>
#include <hashring/compat/serialx.hpp>
#include <hashring/compat/stathat.hpp>

namespace tool {

namespace compat = hashring::compat;

std::vector<scheme_entry> schemes_of_clients() {
    return {
        entry_of<compat::jedis>(),
        entry_of<compat::jedis_2_9>(),
        entry_of<compat::brpc>(),
        entry_of<compat::dubbo>(),
        table_entry_of<compat::guava>(),
        entry_of<compat::dalli>(),
        entry_of<compat::stathat>(),
        entry_of<compat::groupcache>(),
        entry_of<compat::serialx>(),
        entry_of<compat::go_ketama>(),
        table_entry_of<compat::buraksezer>(),
        entry_of<compat::npm_hashring>(),
    };
}

} // namespace tool
