// SPDX-License-Identifier: MIT

// What decides beside the whole key: tags keep keys together, a pin puts one where the ring would
// not, and a batch goes out as one request to each node.

#include <hashring/hashring.hpp>

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct cache_key {
    std::string text;
};

/// Found beside the type: what stands in braces is hashed, as Redis Cluster does.
std::string_view hashring_key(const cache_key& k) noexcept {
    return hashring::hash::tag('{', '}')(k.text);
}

void send_requests(const hashring::ring<>& nodes, const std::vector<cache_key>& batch) {
    const hashring::owner_groups groups = group_by_owner(nodes, batch);
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        std::cout << nodes.node(i).name() << ':';
        for (const std::size_t place : groups.of(i)) {
            std::cout << ' ' << batch[place].text;
        }
        std::cout << '\n';
    }
}

/// Whether two keys stand together behind a twemproxy with `hash_tag: "{}"`, and in a Redis
/// Cluster.
bool together_elsewhere(const std::string& a, const std::string& b) {
    hashring::compat::twemproxy rules;
    rules.tag = {'{', '}'};
    const hashring::ring servers({"10.0.0.1:11211", "10.0.0.2:11211"}, rules);
    return servers.owner(a) == servers.owner(b) &&
           hashring::compat::redis_slot(a) == hashring::compat::redis_slot(b);
}

} // namespace

int main() {
    const hashring::ring<> nodes{"cache-a", "cache-b", "cache-c"};
    send_requests(nodes, {{"user:{42}:name"}, {"front-page"}, {"user:{42}:mail"}, {"user:{7}"}});

    hashring::pins pins; // every client must have the same ones
    pins.pin("front-page", "cache-c");
    const bool is_there = pins.owner(nodes, "front-page") == nodes.find("cache-c");
    std::cout << "front-page is " << (is_there ? "" : "not ") << "on cache-c\n";
    return is_there && together_elsewhere("user:{42}:name", "user:{42}:mail") ? 0 : 1;
}
