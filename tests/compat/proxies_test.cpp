// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden_counts.hpp"
#include "support/golden_proxies.hpp"

#include <hashring/compat/grpc.hpp>
#include <hashring/compat/grpc_java.hpp>
#include <hashring/compat/haproxy.hpp>
#include <hashring/compat/haproxy_map_based.hpp>
#include <hashring/compat/nginx.hpp>
#include <hashring/compat/nginx_modulo.hpp>
#include <hashring/ring/bounded.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/table/table.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

// Every line of the golden files that load balancers and RPC clients made, whatever their
// topology: a file that lies there is read, and one that no rule reads is a failure. Envoy's:
// proxies_envoy_test.cpp.

using namespace hashring;
using golden::between;
using golden::proxy_file;
using golden::tally;
using golden::word_after;

namespace {

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
    const auto unused = [&](const std::vector<std::string>& line) {
        return !word_after(line, "disabled").empty() || !word_after(line, "backup").empty();
    };
    const auto first_backup = std::find_if(lines.begin(), lines.end(), [&](const auto& line) {
        return !word_after(line, "backup").empty();
    });
    const bool all_unused = std::all_of(lines.begin(), lines.end(), unused);
    std::vector<node_spec> servers;
    for (auto line = lines.begin(); line != lines.end(); ++line) {
        const std::string guid = word_after(*line, "guid");
        const node_attributes said{
            line->at(1), {}, guid, parse_decimal<std::uint32_t>(word_after(*line, "id"))};
        const std::string weighs = word_after(*line, "weight");
        weight w = weighs.empty() ? weight{1} : weight::parse(weighs);
        if (unused(*line) && !(all_unused && line == first_backup)) {
            w = weight{0};
        }
        servers.emplace_back(line->at(0), w, compat::haproxy::address_of(said));
    }
    return servers;
}

template <class Scheme>
Scheme haproxy_by(const proxy_file& file) {
    Scheme scheme;
    const auto set = [&](std::string_view option, const std::string& value) {
        if (!value.empty()) {
            scheme.set(option, value);
        }
    };
    set("hash", golden::haproxy_hash(file));
    set("avalanche", file.is("-avalanche") ? "1" : "");
    set("hash-key", golden::haproxy_hash_key(file));
    return scheme;
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
    const std::vector<std::uint64_t> sums = bounded_load::weight_sums(weights);
    compat::haproxy scheme;
    scheme.set("hash", "crc32");
    const ring<compat::haproxy> placed(servers, scheme);
    golden::count_events(
        counted, file, golden::names_of(servers), [&](const std::string& key, const auto& loads) {
            return bounded_load::owner_on_ring(placed, placed.position(key), sums, loads, percent);
        });
}

// --- gRPC -------------------------------------------------------------------------------------

std::vector<node_spec> grpc_endpoints(const proxy_file& file) {
    const std::vector<std::string> weights = golden::grpc_weights(file);
    std::vector<node_spec> endpoints;
    for (std::size_t i = 0; i < file.nodes.size(); ++i) {
        endpoints.emplace_back(file.nodes[i], weight::parse(weights[i]));
    }
    return endpoints;
}

// What its dumps call an address: `/127.0.0.1:80`.
std::vector<std::string> in_java(const std::vector<node_spec>& endpoints) {
    std::vector<std::string> shown;
    for (const node_spec& endpoint : endpoints) {
        shown.push_back("/" + endpoint.name);
    }
    return shown;
}

// A dump does not name its nodes apart.
std::vector<node_spec> dumped_endpoints(proxy_file file) {
    std::set<std::string> names;
    for (const std::string& row : file.rows) {
        names.insert(golden::fields(row).at(1).substr(1));
    }
    file.nodes.assign(names.begin(), names.end());
    return grpc_endpoints(file);
}

template <class Scheme>
void count_java(tally& owners, tally& points, const std::string& prefix) {
    for (const proxy_file& file : golden::proxy_files("owners", prefix)) {
        const ring<Scheme> placed(grpc_endpoints(file),
                                  golden::with_settings<Scheme>(golden::grpc_settings(file)));
        golden::count_owners(owners, file, file.nodes, golden::owner_by(placed));
    }
    for (proxy_file file : golden::proxy_files("rings", prefix)) {
        const std::vector<node_spec> endpoints = dumped_endpoints(file);
        const ring<Scheme> placed(endpoints,
                                  golden::with_settings<Scheme>(golden::grpc_settings(file)));
        if constexpr (list_scheme<Scheme>) { // the last point stands at the end of the circle
            auto& last = file.rows.back();
            last = "9223372036854775807" + last.substr(last.find('\t'));
        }
        golden::count_ring(points, file, in_java(endpoints), placed);
    }
}

} // namespace

TEST_CASE("proxies: nginx's placements are met", "[proxies][nginx][golden]") {
    tally counted;
    for (const proxy_file& file : golden::proxy_files("owners", "nginx_")) {
        const std::vector<node_spec> servers = nginx_servers(file);
        if (file.is("_chash-crc32_")) {
            const ring<compat::nginx> placed(servers);
            golden::count_owners(counted, file, golden::names_of(servers),
                                 golden::owner_by(placed));
        } else {
            REQUIRE(file.is("_hash-modulo_"));
            const table<compat::nginx_modulo> placed(servers);
            golden::count_owners(counted, file, golden::names_of(servers),
                                 golden::owner_by(placed));
        }
    }
    golden::report("nginx", counted, 16000);
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
        std::vector<std::string> names = golden::names_of(servers);
        if (file.nodes.size() < names.size()) { // those that took something
            names = file.nodes;
        }
        if (file.is("_mapbased-")) {
            const table<compat::haproxy_map_based> placed(
                servers, haproxy_by<compat::haproxy_map_based>(file));
            golden::count_owners(counted, file, names, golden::owner_by(placed));
        } else {
            REQUIRE((file.is("_consistent-") || file.is("_uri-consistent-")));
            const ring<compat::haproxy> placed(servers, haproxy_by<compat::haproxy>(file));
            golden::count_owners(counted, file, names, golden::owner_by(placed));
        }
    }
    golden::report("HAProxy", counted, 100000);
    golden::report("HAProxy with bounded loads", bounded, 2000);
}

TEST_CASE("proxies: gRPC-Go's placements are met", "[proxies][grpc][golden]") {
    tally counted;
    for (const proxy_file& file : golden::proxy_files("owners", "grpc-go_")) {
        const ring<compat::grpc> placed(
            grpc_endpoints(file), golden::with_settings<compat::grpc>(golden::grpc_settings(file)));
        golden::count_owners(counted, file, file.nodes, golden::owner_by(placed));
    }
    golden::report("gRPC-Go", counted, 12000);
}

TEST_CASE("proxies: gRPC-Go's rings are met to the point", "[proxies][golden]") {
    tally counted;
    for (proxy_file file : golden::proxy_files("rings", "grpc-go_")) {
        file.nodes = golden::words(between(file.head, "endpoints [", "]"));
        golden::count_ring(
            counted, file, file.nodes,
            ring<compat::grpc>(grpc_endpoints(file),
                               golden::with_settings<compat::grpc>(golden::grpc_settings(file))));
    }
    golden::report("gRPC-Go's rings", counted, 2270);
}

TEST_CASE("proxies: gRPC-Java's placements are met", "[proxies][grpc][golden]") {
    tally owners;
    tally points;
    count_java<compat::grpc_java_1_41>(owners, points, "grpc-java-1.41_");
    count_java<compat::grpc_java_1_49>(owners, points, "grpc-java-1.49_");
    count_java<compat::grpc_java_1_68>(owners, points, "grpc-java-1.68_");
    golden::report("gRPC-Java", owners, 15000);
    golden::report("gRPC-Java's rings", points, 6156);
}

// So that no file lies there unread.
TEST_CASE("proxies: every golden file belongs to a program that is checked", "[proxies][golden]") {
    golden::check_all_read({"nginx", "haproxy", "envoy", "grpc"},
                           {"nginx_chash-crc32_", "nginx_hash-modulo_", "haproxy-", "envoy132_",
                            "envoy-unittest_", "grpc-go_", "grpc-java-1.41_", "grpc-java-1.49_",
                            "grpc-java-1.68_"});
}
