// SPDX-License-Identifier: MIT
#pragma once

#include "support/golden_proxies.hpp"

#include <hashring/core/node.hpp>

#include <cstddef>
#include <string>
#include <vector>

// The golden files under proxy/ that client libraries made, and what has to make the same.
namespace golden {

// The scheme of a file, its options (a flag has the value "1") and its nodes, in the order in which
// the file counts them.
struct client_call {
    std::string scheme;
    settings options;
    std::vector<hashring::node_spec> nodes;
};

// `shards 3 with weight 1, no names`, `shards 5 with weights 1,2,3,5,8, names redis-a, redis-b, …`.
inline client_call jedis_call(const proxy_file& file) {
    client_call made{file.is("jedis-2.9.0_") ? "jedis-2.9" : "jedis", {}, {}};
    const bool named = file.is("-named_");
    if (named) {
        made.options.emplace_back("named", "1");
    }
    if (file.is("_md5_")) {
        made.options.emplace_back("hash", "md5");
    }
    if (file.is("-tag_")) {
        made.options.emplace_back("tag", "{}");
    }
    const std::size_t count = std::stoul(between(file.head, "shards ", " "));
    const auto weights = listed_weights(between(file.head, "with weight", ", n"), count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::string name =
            named ? std::string("redis-") + "abcdefgh"[i] : "shard" + std::to_string(i);
        made.nodes.emplace_back(name, hashring::weight::parse(weights[i]));
    }
    return made;
}

inline client_call brpc_call(const proxy_file& file) {
    client_call made{"brpc", {{"vnodes", between(file.head, "replicas ", " ")}}, {}};
    for (const std::string hash : {"murmurhash", "md5", "ketama"}) {
        if (file.is("_c_" + hash)) {
            made.options.emplace_back("hash", hash);
        }
    }
    const auto servers = words(between(file.head, "servers ", "\n"));
    made.nodes.assign(servers.begin(), servers.end());
    return made;
}

// `hash.nodes default 160, …`, `hash.nodes 10, …`
inline client_call dubbo_call(const proxy_file& file) {
    const auto nodes = words(between(file.head, "hash.nodes ", ","));
    client_call made{"dubbo", {{"vnodes", nodes.back()}}, {}};
    std::string addresses = between(file.head, "addresses [", "]");
    std::replace(addresses.begin(), addresses.end(), ',', ' ');
    const auto providers = words(addresses);
    made.nodes.assign(providers.begin(), providers.end());
    return made;
}

inline client_call guava_call(const proxy_file& file) {
    return {"guava", {{"hash", "md5"}}, {file.nodes.begin(), file.nodes.end()}};
}

inline client_call jump_call(const proxy_file& file) {
    return {"jump", {}, {file.nodes.begin(), file.nodes.end()}};
}

} // namespace golden
