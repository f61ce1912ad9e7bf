// SPDX-License-Identifier: MIT

// What a change of the servers costs a cache: real memcached servers, a client that places keys as
// libmemcached's consistent distribution does, and beside it one that takes the hash modulo the
// number of servers, as libmemcached's default does. The servers are our own, on loopback.
//
//   memcached_ring [KEYS]   100000 if not given
//
// The order of the servers matters to libmemcached: where two servers have a point at the same
// position the first of the list owns it, and modulo the place in the list is all that there is. So
// every client must have the same list in the same order. Here a server that joins does so at the
// end, and the one that leaves is the second.

#include "memcached/local_servers.hpp"
#include "redis_groups/farm/signal_watch.hpp"

#include <hashring/compat/libmemcached.hpp>
#include <hashring/hashring.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using hashring::concat;
using hashring::decimal;
using scheme = hashring::compat::libmemcached;
using memcached::local_servers;
using memcached::names;
using memcached::owner_of;
using moves_at = std::function<bool(const std::string& key)>;

constexpr std::size_t most_keys = 500'000; // the servers keep so many without dropping any
constexpr std::size_t leaving = 1;

owner_of on_ring(const hashring::ring<scheme>& ring) {
    return [&ring](std::string_view key) {
        return ring.owner(key)->name();
    };
}

owner_of modulo(const names& servers) {
    return [&servers](std::string_view key) -> std::string_view {
        return servers[scheme().position(key) % servers.size()];
    };
}

/// A change of the list of servers: where keys are looked for then, and what becomes of them.
struct change {
    owner_of after{};
    moves_at moves{};
    std::size_t found = 0;
};

/// One way to place keys, which has keys of its own.
struct way {
    std::string title{};
    std::string foretold_by{};
    names keys{};
    owner_of before{};
    change joins{};
    change leaves{};
};

names keys_of(std::string_view prefix, std::size_t count) {
    names keys;
    for (std::size_t i = 0; i < count; ++i) {
        keys.push_back(concat(prefix, ":", decimal(i)));
    }
    return keys;
}

std::size_t foretold(const way& w, const change& c) {
    std::size_t count = 0;
    for (const std::string& key : w.keys) {
        count += c.moves(key) ? 0U : 1U;
    }
    return count;
}

void fill(local_servers& servers, const way& w) {
    servers.store(w.keys, w.before);
    const std::size_t stored = servers.hits(w.keys, w.before);
    if (stored != w.keys.size()) {
        throw std::runtime_error(
            concat("the servers keep ", decimal(stored), " of ", decimal(w.keys.size()), " keys"));
    }
}

/// The parts of the servers' list, and what a client makes of it before and after.
struct lists {
    names before{};
    names joined{};
    names left{};

    explicit lists(local_servers& servers) {
        while (before.size() < 4) {
            before.push_back(servers.start());
        }
        joined = left = before;
        joined.push_back(servers.start());
        left.erase(left.begin() + leaving);
    }
};

void print(std::string_view title, std::size_t joined, std::size_t left, std::size_t of) {
    const auto percent = [of](std::size_t part) {
        return 100 * static_cast<double>(part) / static_cast<double>(of);
    };
    std::printf("%-28.*s%10zu %7.1f %%%10zu %7.1f %%\n", static_cast<int>(title.size()),
                title.data(), joined, percent(joined), left, percent(left));
}

/// Prints the table; returns whether each key is where it was foretold to be.
bool print(const lists& servers, const std::vector<way>& ways) {
    std::printf("%zu keys on memcached servers, in the order of the client's list:\n",
                ways.front().keys.size());
    for (std::size_t i = 0; i < servers.joined.size(); ++i) {
        const char* const what = i == leaving                 ? "  leaves"
                                 : i == servers.before.size() ? "  joins"
                                                              : "";
        std::printf("  %s%s\n", servers.joined[i].c_str(), what);
    }
    std::printf("\n%-28s%20s%20s\n", "keys found after", "one joins", "one leaves");
    bool is_as_foretold = true;
    for (const way& w : ways) {
        const std::size_t joins = foretold(w, w.joins);
        const std::size_t leaves = foretold(w, w.leaves);
        print(w.title, w.joins.found, w.leaves.found, w.keys.size());
        print(concat("  foretold by ", w.foretold_by), joins, leaves, w.keys.size());
        is_as_foretold = is_as_foretold && joins == w.joins.found && leaves == w.leaves.found;
    }
    return is_as_foretold;
}

bool run(std::size_t keys) {
    local_servers servers;
    const lists list(servers);
    const hashring::ring<scheme> ring(list.before);
    const hashring::ring<scheme> joined(list.joined);
    const hashring::ring<scheme> left(list.left);
    const auto joining = diff(ring, joined);
    const auto leaving_ones = diff(ring, left);
    const auto differs = [](const owner_of& a, const owner_of& b) {
        return [=](const std::string& key) {
            return a(key) != b(key);
        };
    };
    const owner_of rest = modulo(list.before);

    std::vector<way> ways;
    ways.push_back({"ring",
                    "its diff",
                    keys_of("ring", keys),
                    on_ring(ring),
                    {on_ring(joined),
                     [&](const auto& key) {
                         return joining.moves(key);
                     }},
                    {on_ring(left), [&](const auto& key) {
                         return leaving_ones.moves(key);
                     }}});
    ways.push_back({"hash % n",
                    "remainders",
                    keys_of("rest", keys),
                    rest,
                    {modulo(list.joined), differs(rest, modulo(list.joined))},
                    {modulo(list.left), differs(rest, modulo(list.left))}});
    for (way& w : ways) {
        fill(servers, w);
        w.joins.found = servers.hits(w.keys, w.joins.after);
    }
    servers.kill(list.before[leaving]);
    for (way& w : ways) {
        w.leaves.found = servers.hits(w.keys, w.leaves.after);
    }
    const bool is_as_foretold = print(list, ways);
    std::printf("\nof the circle stay %26.1f %%%18.1f %%\n", 100 * (1 - joining.moved_fraction()),
                100 * (1 - leaving_ones.moved_fraction()));
    return is_as_foretold;
}

} // namespace

int main(int argc, char** argv) {
    const redis_groups::signal_watch watch; // a signal leaves nothing behind
    const auto keys =
        hashring::parse_decimal<std::size_t>(argc == 2 ? std::string_view(argv[1]) : "100000");
    if (argc > 2 || !keys || *keys == 0 || *keys > most_keys) {
        std::fprintf(stderr, "usage: memcached_ring [KEYS] (1 to %zu)\n", most_keys);
        return 2;
    }
    try {
        if (run(*keys)) {
            return 0;
        }
        std::fprintf(stderr, "memcached_ring: keys are not where they were foretold to be\n");
    } catch (const std::exception& problem) {
        redis_groups::signal_watch::wait_if_ending();
        std::fprintf(stderr, "memcached_ring: %s\n", problem.what());
    }
    return 1;
}
