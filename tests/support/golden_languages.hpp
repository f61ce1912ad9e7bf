// SPDX-License-Identifier: MIT
#pragma once

#include "support/golden_proxies.hpp"

#include <hashring/core/node.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// The golden files of libraries of Ruby, Go and Node.js: what their headers say was run.
namespace golden {

struct language_call {
    std::string scheme;
    settings options;
    std::vector<hashring::node_spec> nodes;
    std::vector<std::string> down; // nodes that are configured and not usable

    void add(const std::string& name, const std::string& weighs = "1") {
        nodes.emplace_back(name, hashring::weight::parse(weighs));
    }
    void set(const std::string& option, const std::string& value) {
        if (!value.empty()) {
            options.emplace_back(option, value);
        }
    }
};

// `servers a:1 b:1:8 (the second one answers alive? = false); …`
inline language_call dalli_call(const proxy_file& file) {
    language_call call{"dalli", {}, {}, {}};
    const std::string listed = between(file.head, "servers ", ";");
    for (std::string name : words(listed.substr(0, listed.find('(')))) {
        std::string weighs = "1";
        if (std::count(name.begin(), name.end(), ':') == 2) {
            weighs = name.substr(name.rfind(':') + 1);
            name.erase(name.rfind(':'));
        }
        call.add(name, weighs);
    }
    if (file.head.find("the second one answers alive? = false") != std::string::npos) {
        call.down.push_back(call.nodes.at(1).name);
    }
    return call;
}

// `nodes [a b]`, and for some `weights [1 2]`.
inline language_call go_call(const proxy_file& file, const std::string& scheme) {
    language_call call{scheme, {}, {}, {}};
    auto weights = words(between(file.head, "weights [", "]"));
    for (const std::string& name : words(between(file.head, "nodes [", "]"))) {
        call.add(name, weights.empty() ? "1" : weights.at(call.nodes.size()));
    }
    return call;
}

// `-crc32-50_` of groupcache, `-crc32_` of stathat.
inline language_call numbered_call(const proxy_file& file, const std::string& scheme) {
    language_call call = go_call(file, scheme);
    call.set("hash", between(file.name, "go-" + scheme + "-", file.is("-50_") ? "-50_" : "_"));
    call.set("vnodes", words(file.head.substr(0, file.head.find(" replicas"))).back());
    return call;
}

// `buckets (label weight) [{a 1} {b 2}]`.
inline language_call go_ketama_call(const proxy_file& file) {
    language_call call{"go-ketama", {}, {}, {}};
    const auto listed = words(between(file.head, "(label weight) [", "]\n"));
    for (std::size_t i = 0; i + 1 < listed.size(); i += 2) {
        call.add(listed[i].substr(1), listed[i + 1].substr(0, listed[i + 1].find('}')));
    }
    call.set("func", between(file.head, "HashFunc", ","));
    return call;
}

inline language_call buraksezer_call(const proxy_file& file) {
    language_call call = go_call(file, "buraksezer");
    call.set("partitions", between(file.head, "PartitionCount ", " "));
    call.set("load", between(file.head, " Load ", ","));
    call.set("vnodes", between(file.head, "ReplicationFactor ", " "));
    return call;
}

// `options {"vnode count":100}, servers ["a:1"]` or `servers {"a:1":2}`.
inline language_call npm_call(const proxy_file& file) {
    language_call call{"npm-hashring", {}, {}, {}};
    const std::string options = between(file.head, "options {", "}");
    call.set("vnodes", between(options + ",", "\"vnode count\":", ","));
    call.set("default-port", between(options + ",", "\"default port\":", ","));
    call.set("compatibility", between(options, "\"compatibility\":\"", "\""));
    std::string servers = between(file.head, "servers ", "\n");
    servers.erase(std::min(servers.find("; keys"), servers.find(": point")));
    for (std::size_t at = servers.find('"'); at != servers.npos; at = servers.find('"', at)) {
        const std::size_t end = servers.find('"', at + 1);
        const bool weighs = servers.at(end + 1) == ':';
        const std::size_t behind = servers.find_first_of(",]}", end);
        call.add(servers.substr(at + 1, end - at - 1),
                 weighs ? servers.substr(end + 2, behind - end - 2) : "1");
        at = behind;
    }
    return call;
}

// What was run for `file`; a file of another family fails the test.
inline language_call language_call_of(const proxy_file& file) {
    INFO(file.name);
    const auto starts = [&](std::string_view prefix) {
        return file.name.starts_with(prefix);
    };
    language_call call = starts("dalli-3.0.6_")            ? dalli_call(file)
                         : starts("go-stathat-")           ? numbered_call(file, "stathat")
                         : starts("go-groupcache-")        ? numbered_call(file, "groupcache")
                         : starts("go-serialx-20190421_")  ? go_call(file, "serialx")
                         : starts("go-ketama-dgryski-")    ? go_ketama_call(file)
                         : starts("go-buraksezer-1.0.0-p") ? buraksezer_call(file)
                         : starts("npm-hashring-md5")      ? npm_call(file)
                                                           : language_call{};
    REQUIRE(!call.scheme.empty());
    REQUIRE(!call.nodes.empty());
    return call;
}

} // namespace golden
