// SPDX-License-Identifier: MIT

// The main job: places the keys of a file on a cluster of eight nodes with weights under every
// scheme side by side, then adds a node, removes one, and says how much moved against the least
// that had to.
//
//   cluster_report KEYS

#include <hashring/hashring.hpp>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using hashring::node_spec;
using hashring::weight;

/// The cluster; weights are relative.
std::vector<node_spec> cluster() {
    return {{"cache-a", weight{1}}, {"cache-b", weight{1}},  {"cache-c", weight{1}},
            {"cache-d", weight{1}}, {"cache-e", weight{2}},  {"cache-f", weight{2}},
            {"cache-g", weight{3}}, {"cache-h", weight{0.5}}};
}

/// What one scheme makes of it.
struct column {
    std::string scheme;
    std::vector<std::uint64_t> keys_of_node;
    hashring::load_measures by_share;
    hashring::load_measures by_keys;
    double expected_gap = 0.0;
    std::string added;
    std::string removed;
};

std::string percent(double fraction) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f %%", 100.0 * fraction);
    return text;
}

/// Moved share / least possible share, and the keys that moved.
template <class Diff>
std::string movement(const Diff& moved, const std::vector<std::string>& keys) {
    std::uint64_t count = 0;
    for (const std::string& key : keys) {
        count += moved.moves(key) ? 1U : 0U;
    }
    return hashring::concat(percent(static_cast<double>(count) / static_cast<double>(keys.size())),
                            " (", percent(moved.least_fraction()), ")");
}

/// Loads of all nodes relative to their wished share.
template <class Ring, class Amounts>
hashring::load_measures measure(const Ring& ring, const Amounts& amounts) {
    std::vector<double> loads;
    loads.reserve(ring.size());
    for (std::uint32_t i = 0; i < ring.size(); ++i) {
        loads.push_back(static_cast<double>(amounts[i]) / ring.node(i).weight().value());
    }
    return hashring::measure(loads);
}

template <class Scheme>
column place(const std::vector<std::string>& keys) {
    hashring::ring<Scheme> ring(cluster());
    column result;
    result.scheme = Scheme::name;
    result.keys_of_node.resize(ring.size());
    for (const std::string& key : keys) {
        ++result.keys_of_node[ring.owner_index_at(ring.position(key))];
    }
    result.by_share = measure(ring, ring.shares());
    result.by_keys = measure(ring, result.keys_of_node);
    std::vector<std::uint32_t> vnodes;
    vnodes.reserve(ring.size());
    for (std::uint32_t i = 0; i < ring.size(); ++i) {
        vnodes.push_back(Scheme::independent_points ? ring.node(i).vnodes() : 1);
    }
    result.expected_gap = hashring::expected_load_gap(vnodes);

    const auto before = ring;
    ring.add("cache-i", weight{1});
    result.added = movement(diff(before, ring), keys);
    ring = before;
    ring.remove("cache-c");
    result.removed = movement(diff(before, ring), keys);
    return result;
}

template <class Value>
void print_row(std::string_view title, const std::vector<column>& columns, Value value) {
    std::printf("%-28.*s", static_cast<int>(title.size()), title.data());
    for (const column& c : columns) {
        std::printf("  %18s", value(c).c_str());
    }
    std::printf("\n");
}

void print(const std::vector<column>& columns, std::size_t keys) {
    std::printf("%zu keys on 8 nodes\n\n", keys);
    print_row("keys of node (weight)", columns, [](const column& c) { return c.scheme; });
    const std::vector<node_spec> nodes = cluster();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        print_row(hashring::concat("  ", nodes[i].name, " (", nodes[i].weight.text(), ")"), columns,
                  [i](const column& c) { return std::to_string(c.keys_of_node[i]); });
    }
    print_row("load gap of the shares", columns,
              [](const column& c) { return percent(c.by_share.load_gap); });
    print_row("  expected for its vnodes", columns,
              [](const column& c) { return percent(c.expected_gap); });
    print_row("load gap of the keys", columns,
              [](const column& c) { return percent(c.by_keys.load_gap); });
    print_row("peak to mean of the keys", columns,
              [](const column& c) { return std::to_string(c.by_keys.peak_to_mean).substr(0, 5); });
    std::printf("\nkeys moved (the least that had to)\n");
    print_row("  one node joins", columns, [](const column& c) { return c.added; });
    print_row("  cache-c leaves", columns, [](const column& c) { return c.removed; });
}

} // namespace

int main(int argc, char** argv) {
    std::vector<std::string> keys;
    std::ifstream file(argc == 2 ? argv[1] : "");
    for (std::string key; std::getline(file, key);) {
        keys.push_back(key);
    }
    if (keys.empty()) {
        std::fprintf(stderr, "usage: cluster_report KEYS (a file with a key a line)\n");
        return 2;
    }
    namespace schemes = hashring::schemes;
    print({place<schemes::xxh3>(keys), place<schemes::ketama_group>(keys),
           place<schemes::murmur_shard>(keys), place<schemes::murmur_shard_named>(keys),
           place<schemes::bkdr_spaced>(keys)},
          keys.size());
    return 0;
}
