// SPDX-License-Identifier: MIT
#include "schemes.hpp"

#include "failure.hpp"
#include "placement.hpp"
#include "ring_entry.hpp"
#include "table_placement.hpp"

#include <hashring/placement/bkdr_spaced.hpp>
#include <hashring/placement/ketama_group.hpp>
#include <hashring/placement/murmur_shard.hpp>
#include <hashring/placement/xxh3.hpp>
#include <hashring/table/anchor.hpp>
#include <hashring/table/jump.hpp>
#include <hashring/table/maglev.hpp>
#include <hashring/table/multi_probe.hpp>
#include <hashring/table/rendezvous.hpp>

#include <iterator>
#include <string>
#include <utility>

namespace tool {

namespace schemes = hashring::schemes;

namespace {

std::vector<scheme_entry> listed_schemes() {
    std::vector<scheme_entry> entries = {
        entry_of<schemes::xxh3>(),         entry_of<schemes::ketama_group>(),
        entry_of<schemes::murmur_shard>(), entry_of<schemes::murmur_shard_named>(),
        entry_of<schemes::bkdr_spaced>(),
    };
    const auto add = [&](std::vector<scheme_entry> more) {
        entries.insert(entries.end(), std::make_move_iterator(more.begin()),
                       std::make_move_iterator(more.end()));
    };
    add(schemes_of_memcached());
    add(schemes_of_proxies());
    add(schemes_of_clients());
    add({table_entry_of<schemes::maglev>(), table_entry_of<schemes::jump>(),
         table_entry_of<schemes::rendezvous>(), table_entry_of<schemes::multi_probe>(),
         table_entry_of<schemes::anchor>()});
    return entries;
}

} // namespace

const std::vector<scheme_entry>& all_schemes() {
    static const std::vector<scheme_entry> entries = listed_schemes();
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
