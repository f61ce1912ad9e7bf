// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden_proxies.hpp"

#include <hashring/compat/haproxy.hpp>
#include <hashring/compat/haproxy_map_based.hpp>
#include <hashring/compat/nginx.hpp>
#include <hashring/compat/nginx_modulo.hpp>
#include <hashring/ring/bounded.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/table/table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

// Every line of the golden files that load balancers and RPC clients made, whatever their
// topology: a file that lies there is read, and one that no rule reads is a failure.

using namespace hashring;
using golden::between;
using golden::proxy_file;
using golden::tally;

namespace {

void report(const std::string& program, const tally& counted, std::size_t at_least) {
    std::cout << program << ": " << counted.met << " of " << counted.lines << '\n';
    CAPTURE(program, counted.first);
    CHECK(counted.met == counted.lines);
    CHECK(counted.lines >= at_least);
}

std::vector<std::string> names_of(const std::vector<node_spec>& nodes) {
    std::vector<std::string> names;
    for (const node_spec& node : nodes) {
        names.push_back(node.name);
    }
    return names;
}

template <class Placed>
auto owner_by(const Placed& placed) {
    return [&placed](const std::string& key) {
        return std::string(placed.owner(key)->name());
    };
}

// --- nginx ------------------------------------------------------------------------------------

std::vector<node_spec> nginx_servers(const proxy_file& file) {
    std::vector<node_spec> servers;
    for (const auto& line : golden::configured_servers(file)) {
        servers.emplace_back(line.at(0));
        if (line.size() > 1) {
            servers.back().weight = weight::parse(line[1].substr(line[1].find('=') + 1));
        }
    }
    return compat::merge_nginx_servers(servers);
}

// --- HAProxy ----------------------------------------------------------------------------------

// Disabled servers weigh nothing here, and backup servers too while another is left.
std::vector<node_spec> haproxy_servers(const proxy_file& file) {
    const auto lines = golden::configured_servers(file);
    const auto said = [](const std::vector<std::string>& line, std::string_view key) {
        const auto found = std::find(line.begin(), line.end(), key);
        return found == line.end() ? std::string() : found + 1 == line.end() ? *found : found[1];
    };
    const auto unused = [&](const std::vector<std::string>& line) {
        return !said(line, "disabled").empty() || !said(line, "backup").empty();
    };
    const auto first_backup = std::find_if(lines.begin(), lines.end(), [&](const auto& line) {
        return !said(line, "backup").empty();
    });
    const bool all_unused = std::all_of(lines.begin(), lines.end(), unused);
    std::vector<node_spec> servers;
    for (auto line = lines.begin(); line != lines.end(); ++line) {
        const std::string id = said(*line, "id");
        const std::string guid = said(*line, "guid");
        node_attributes attributes{line->at(1), {}, guid, {}};
        if (!id.empty()) {
            attributes.id = parse_decimal<std::uint32_t>(id);
        }
        const std::string weighs = said(*line, "weight");
        weight w = weighs.empty() ? weight{1} : weight::parse(weighs);
        if (unused(*line) && !(all_unused && line == first_backup)) {
            w = weight{0};
        }
        servers.emplace_back(line->at(0), w, compat::haproxy::address_of(attributes));
    }
    return servers;
}

// `consistent-crc32-avalanche`, `mapbased-wt6`, `consistent-crc32-hashkey-addr-port-v6`.
template <class Scheme>
Scheme haproxy_by(const proxy_file& file) {
    Scheme scheme;
    const std::string kind = file.kind();
    for (const std::string_view hash : compat::haproxy_hash_names) {
        if (kind.find(concat("-", hash)) != kind.npos) {
            scheme.set("hash", hash);
            break;
        }
    }
    if (file.is("-avalanche")) {
        scheme.set("avalanche", "1");
    }
    if (file.is("-hashkey-")) {
        const std::string key = between(kind + "/", "-hashkey-", "/");
        scheme.set("hash-key", key.ends_with("-v6") ? key.substr(0, key.size() - 3) : key);
    }
    return scheme;
}

// Requests that come and go, one a line: `start` takes who `choose(key, loads)` says.
template <class Choose>
void count_events(tally& counted, const proxy_file& file, const std::vector<std::string>& names,
                  Choose choose) {
    std::vector<std::uint64_t> loads(names.size());
    std::deque<std::size_t> in_flight;
    for (std::size_t i = 0; i < file.rows.size(); ++i) {
        const auto row = golden::fields(file.rows[i]);
        std::size_t node = 0;
        if (row.at(0) == "start") {
            node = choose(golden::unhex(row.at(1)), loads);
            in_flight.push_back(node);
            ++loads.at(node);
        } else {
            node = in_flight.front();
            in_flight.pop_front();
            --loads[node];
        }
        counted.add(names.at(node) == row.at(2), file.name + " line " + std::to_string(i));
    }
}

void count_bounded_haproxy(tally& counted, const proxy_file& file) {
    const auto percent = parse_decimal<std::uint32_t>(between(file.head, "factor ", ",")).value();
    std::vector<node_spec> servers;
    std::vector<std::uint64_t> weights;
    std::istringstream listed(between(file.head, "weights [", "]"));
    for (std::string w; std::getline(listed, w, ',');) {
        weights.push_back(std::stoul(w));
        servers.emplace_back("s" + std::to_string(weights.size()), weight{weights.back()});
    }
    compat::haproxy scheme;
    scheme.set("hash", "crc32");
    const ring<compat::haproxy> placed(servers, scheme);
    count_events(counted, file, names_of(servers), [&](const std::string& key, const auto& loads) {
        return bounded_load::owner_on_ring(placed, placed.position(key), weights, loads, percent);
    });
}

} // namespace

TEST_CASE("proxies: nginx's placements are met", "[proxies][nginx][golden]") {
    tally counted;
    for (const proxy_file& file : golden::proxy_files("owners", "nginx_")) {
        const std::vector<node_spec> servers = nginx_servers(file);
        if (file.is("_chash-crc32_")) {
            const ring<compat::nginx> placed(servers);
            golden::count_owners(counted, file, names_of(servers), owner_by(placed));
        } else {
            REQUIRE(file.is("_hash-modulo_"));
            const table<compat::nginx_modulo> placed(servers);
            golden::count_owners(counted, file, names_of(servers), owner_by(placed));
        }
    }
    report("nginx", counted, 16000);
}

TEST_CASE("proxies: HAProxy's placements are met", "[proxies][haproxy][golden]") {
    tally counted;
    tally bounded;
    for (const proxy_file& file : golden::proxy_files("owners", "haproxy-")) {
        if (file.is("_bounded-")) {
            count_bounded_haproxy(bounded, file);
            continue;
        }
        const std::vector<node_spec> servers = haproxy_servers(file);
        std::vector<std::string> names = names_of(servers);
        if (file.nodes.size() < names.size()) { // those that took something
            names = file.nodes;
        }
        if (file.is("_mapbased-")) {
            const table<compat::haproxy_map_based> placed(
                servers, haproxy_by<compat::haproxy_map_based>(file));
            golden::count_owners(counted, file, names, owner_by(placed));
        } else {
            REQUIRE((file.is("_consistent-") || file.is("_uri-consistent-")));
            const ring<compat::haproxy> placed(servers, haproxy_by<compat::haproxy>(file));
            golden::count_owners(counted, file, names, owner_by(placed));
        }
    }
    report("HAProxy", counted, 100000);
    report("HAProxy with bounded loads", bounded, 2000);
}
