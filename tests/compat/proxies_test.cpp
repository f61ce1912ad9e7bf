// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden_proxies.hpp"

#include <hashring/compat/envoy.hpp>
#include <hashring/compat/envoy_maglev.hpp>
#include <hashring/compat/grpc.hpp>
#include <hashring/compat/grpc_java.hpp>
#include <hashring/compat/haproxy.hpp>
#include <hashring/compat/haproxy_map_based.hpp>
#include <hashring/compat/nginx.hpp>
#include <hashring/compat/nginx_modulo.hpp>
#include <hashring/ring/attempt.hpp>
#include <hashring/ring/bounded.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/table/table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iostream>
#include <regex>
#include <set>
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

// A dump `point TAB node`; its nodes are `shown`, those of the ring in the same order.
template <class Placed>
void count_ring(tally& counted, const proxy_file& file, const std::vector<std::string>& shown,
                const Placed& placed) {
    INFO(file.name);
    REQUIRE(placed.point_count() == file.rows.size());
    for (std::size_t i = 0; i < file.rows.size(); ++i) {
        counted.add(file.rows[i] == placed.scheme().text(placed.point_position(i)) + '\t' +
                                        shown.at(placed.point_owner(i)),
                    file.name + " point " + std::to_string(i));
    }
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

// --- Envoy ------------------------------------------------------------------------------------

struct envoy_hosts {
    std::vector<node_spec> nodes; // known by the text that is hashed
    std::vector<std::string> addresses;
    std::vector<std::uint64_t> weights;
    std::string localities;
};

// `hosts (address hostname hash_key weight locality): ['127.0.0.1:1 - - 1 0', …]`.
envoy_hosts hosts_of(const proxy_file& file) {
    envoy_hosts hosts;
    const bool by_hostname = file.head.find("use_hostname 1") != std::string::npos;
    const std::string listed = between(file.head, "weight locality): [", "]");
    for (std::size_t at = listed.find('\''); at != listed.npos; at = listed.find('\'', at + 1)) {
        const std::size_t end = listed.find('\'', at + 1);
        const auto said = golden::words(listed.substr(at + 1, end - at - 1));
        const std::string& text = said.at(2) != "-" ? said[2] : by_hostname ? said[1] : said[0];
        hosts.nodes.emplace_back(text, weight::parse(said.at(3)), said.at(4));
        hosts.addresses.push_back(said[0]);
        hosts.weights.push_back(std::stoul(said[3]));
        at = end;
    }
    const std::string weights = between(file.head, "locality weights [", "]");
    for (std::size_t i = 0; i < golden::words(weights).size(); ++i) {
        hosts.localities += concat(i == 0 ? "" : ",", decimal(i), "=",
                                   decimal(std::stoul(golden::words(weights)[i])));
    }
    REQUIRE(!hosts.nodes.empty());
    return hosts;
}

compat::envoy envoy_by(const proxy_file& file, const envoy_hosts& hosts) {
    compat::envoy scheme;
    scheme.set("hash", file.is("-murmur2") ? "murmur2" : "xxh64");
    scheme.set("locality-weights", hosts.localities);
    const std::string sizes = between(file.head, "ring size (", ")"); // (10, '-')
    const std::string min = sizes.substr(0, sizes.find(','));
    const std::string max = between(sizes + ",", ", ", ",");
    const auto set = [&](std::string_view option, std::string value) {
        value.erase(std::remove(value.begin(), value.end(), '\''), value.end());
        if (value != "-" && !value.empty()) {
            scheme.set(option, value);
        }
    };
    set("min-ring-size", min);
    set("max-ring-size", max);
    return scheme;
}

compat::envoy_maglev maglev_by_head(const proxy_file& file, const envoy_hosts& hosts) {
    compat::envoy_maglev scheme;
    scheme.set("locality-weights", hosts.localities);
    const std::string size = between(file.head, "table size ", ",");
    if (size != "-" && !size.empty()) {
        scheme.set("table-size", size);
    }
    return scheme;
}

std::uint32_t attempt_of(const proxy_file& file) {
    return parse_decimal<std::uint32_t>(between(file.head, "attempt ", " ")).value();
}

// Hosts are numbered as in the list, also where a table has them in another order.
template <class Placed>
void count_bounded_envoy(tally& counted, const proxy_file& file, const envoy_hosts& hosts,
                         const Placed& placed) {
    const auto percent =
        parse_decimal<std::uint32_t>(between(file.head, "balance factor ", ",")).value();
    std::uint64_t total = 0;
    for (const std::uint64_t w : hosts.weights) {
        total += w;
    }
    count_events(counted, file, hosts.addresses, [&](const std::string& key, const auto& loads) {
        std::uint64_t in_flight = 0;
        for (const std::uint64_t load : loads) {
            in_flight += load;
        }
        std::vector<std::uint64_t> caps;
        for (const std::uint64_t w : hosts.weights) {
            caps.push_back(
                bounded_load::rounded_up_cap(bounded_load::slots_of_all(in_flight, percent),
                                             static_cast<double>(w) / static_cast<double>(total)));
        }
        const std::string owner(placed.owner(key)->name());
        const auto first = static_cast<std::uint32_t>(
            std::find(hosts.addresses.begin(), hosts.addresses.end(), owner) -
            hosts.addresses.begin());
        return bounded_load::owner_by_shuffle(first, caps, loads,
                                              static_cast<std::uint32_t>(placed.position(key)));
    });
}

// `[(b'127.0.0.1:90', 1), …]`, or with localities `[(1, [(b'127.0.0.1:90', 1)]), …]`.
envoy_hosts hosts_in_python(const std::string& text) {
    envoy_hosts hosts;
    const std::regex locality(R"(\((\d+), \[(.*?)\]\))");
    const std::regex host(R"(\(b'([^']*)', (\d+)\))");
    // Of one test the hosts stand in words: "locality weights 127 (host 127.0.0.1:0) and 1 (…)".
    if (text.starts_with("locality weights")) {
        hosts.localities = "l0=127,l1=1";
        for (int i = 0; i < 1024; ++i) {
            hosts.nodes.emplace_back("127.0.0.1:" + std::to_string(i), weight{1},
                                     i == 0 ? "l0" : "l1");
        }
        return hosts;
    }
    const auto add_hosts = [&](const std::string& list, const std::string& where) {
        for (std::sregex_iterator it(list.begin(), list.end(), host), end; it != end; ++it) {
            hosts.nodes.emplace_back((*it)[1].str(), weight::parse((*it)[2].str()), where);
        }
    };
    if (text.starts_with("[(b'")) {
        add_hosts(text, {});
        return hosts;
    }
    for (std::sregex_iterator it(text.begin(), text.end(), locality), end; it != end; ++it) {
        const std::string name =
            "l" + std::to_string(
                      std::distance(std::sregex_iterator(text.begin(), text.end(), locality), it));
        hosts.localities += concat(hosts.localities.empty() ? "" : ",", name, "=", (*it)[1].str());
        add_hosts((*it)[2].str(), name);
    }
    return hosts;
}

ring<compat::envoy> ring_in_python(const std::string& hosts, const std::string& min,
                                   const std::string& max, const std::string& hash) {
    const envoy_hosts parsed = hosts_in_python(hosts);
    compat::envoy scheme;
    scheme.set("hash", hash == "xx" ? "xxh64" : "murmur2");
    scheme.set("min-ring-size", min);
    scheme.set("max-ring-size", max);
    scheme.set("locality-weights", parsed.localities);
    return ring<compat::envoy>(parsed.nodes, scheme);
}

void count_envoy_facts(tally& counted, const proxy_file& file) {
    for (const std::string& line : file.rows) {
        const auto row = golden::fields(line);
        const std::string where = file.name + " " + row.at(0);
        if (file.is("_bounded_shuffle")) {
            std::string order;
            for (const std::uint32_t host :
                 bounded_load::shuffled_order(5, parse_decimal<std::uint32_t>(row[0]).value())) {
                order += concat(order.empty() ? "[" : ", ", decimal(host));
            }
            counted.add(order + "]" == row.at(1), where);
        } else if (file.is("_ring_points")) {
            const auto placed = ring_in_python(row.at(4), row.at(1), row.at(2), row.at(3));
            const auto position = parse_decimal<std::uint64_t>(row.at(5)).value();
            const std::size_t point = placed.point_index(position);
            counted.add(placed.point_position(point) == position &&
                            placed.node(placed.point_owner(point)).name() == row.at(6),
                        where);
        } else if (file.is("_maglev_tables")) {
            const envoy_hosts hosts = hosts_in_python(row.at(2));
            compat::envoy_maglev scheme;
            scheme.set("table-size", row.at(1));
            scheme.set("locality-weights", hosts.localities);
            const table<compat::envoy_maglev> placed(hosts.nodes, scheme);
            counted.add(placed.node(placed.slot_owner(std::stoul(row.at(3)))).name() == row.at(4),
                        where);
        } else {
            REQUIRE(file.is("_ring_histograms"));
            const auto placed = ring_in_python(row.at(3), row.at(1), row.at(2), "xx");
            const std::uint64_t samples = std::stoul(row.at(4));
            std::vector<std::uint64_t> counts;
            for (std::uint32_t i = 0; i < placed.size(); ++i) {
                if (placed.node(i).vnodes() > 0) {
                    counts.resize(i + std::size_t{1});
                }
            }
            for (std::uint64_t i = 0; i < samples; ++i) {
                ++counts.at(placed.owner_index_at(i * (~std::uint64_t{0} / samples)));
            }
            std::string text;
            for (const std::uint64_t n : counts) {
                text += concat(text.empty() ? "[" : ", ", decimal(n));
            }
            counted.add(text + "]" == row.at(5), where);
            std::uint32_t least = ~0U;
            std::uint32_t most = 0;
            for (std::uint32_t i = 0; i < counts.size(); ++i) {
                least = std::min(least, placed.node(i).vnodes());
                most = std::max(most, placed.node(i).vnodes());
            }
            counted.add(concat("(", decimal(placed.point_count()), ", ", decimal(least), ", ",
                               decimal(most), ")") == row.at(6),
                        where + " statistics");
        }
    }
}

// --- gRPC -------------------------------------------------------------------------------------

std::vector<node_spec> grpc_endpoints(const proxy_file& file) {
    std::vector<node_spec> endpoints;
    std::string weights = between(file.head, "weights [", "]");
    if (weights.empty()) {
        weights = between(file.head, "with weight", " min ring");
        weights.erase(0, weights.starts_with('s') ? 2 : 1);
        std::replace(weights.begin(), weights.end(), ',', ' ');
    }
    const auto each = golden::words(weights);
    for (std::size_t i = 0; i < file.nodes.size(); ++i) {
        endpoints.emplace_back(file.nodes[i], weight::parse(each.at(std::min(i, each.size() - 1))));
    }
    return endpoints;
}

template <class Scheme>
Scheme grpc_sized(const proxy_file& file) {
    Scheme scheme;
    const bool go = file.is("grpc-go");
    const std::string min = between(file.head, go ? "min " : "min ring size ", go ? " " : ",");
    const std::string max = between(file.head, " max ", go ? "," : ";");
    scheme.set("min-ring-size", min);
    scheme.set("max-ring-size", max);
    return scheme;
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
        const ring<Scheme> placed(grpc_endpoints(file), grpc_sized<Scheme>(file));
        golden::count_owners(owners, file, file.nodes, owner_by(placed));
    }
    for (proxy_file file : golden::proxy_files("rings", prefix)) {
        const std::vector<node_spec> endpoints = dumped_endpoints(file);
        const ring<Scheme> placed(endpoints, grpc_sized<Scheme>(file));
        if constexpr (list_scheme<Scheme>) { // the last point stands at the end of the circle
            auto& last = file.rows.back();
            last = "9223372036854775807" + last.substr(last.find('\t'));
        }
        count_ring(points, file, in_java(endpoints), placed);
    }
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

TEST_CASE("proxies: Envoy's placements are met", "[proxies][envoy][golden]") {
    tally rings;
    tally tables;
    tally bounded;
    for (const proxy_file& file : golden::proxy_files("owners", "envoy132_")) {
        const envoy_hosts hosts = hosts_of(file);
        const bool ring_hash = file.is("_ringhash-");
        REQUIRE((ring_hash || file.is("_maglev")));
        const ring<compat::envoy> on_ring(hosts.nodes, envoy_by(file, hosts));
        const table<compat::envoy_maglev> in_table(hosts.nodes, maglev_by_head(file, hosts));
        if (file.is("-bounded")) {
            if (ring_hash) {
                count_bounded_envoy(bounded, file, hosts, on_ring);
            } else {
                count_bounded_envoy(bounded, file, hosts, in_table);
            }
            continue;
        }
        const std::uint32_t attempt = attempt_of(file);
        const std::vector<std::string> names = names_of(hosts.nodes);
        golden::count_owners(ring_hash ? rings : tables, file, names, [&](const std::string& key) {
            if (ring_hash) {
                return std::string(
                    on_ring.node(owner_at_attempt(on_ring, on_ring.position(key), attempt)).name());
            }
            return std::string(
                in_table
                    .owner_at(compat::envoy_maglev::at_attempt(in_table.position(key), attempt))
                    ->name());
        });
    }
    report("Envoy ring_hash", rings, 24000);
    report("Envoy maglev", tables, 24000);
    report("Envoy with bounded loads", bounded, 4800);
    tally facts;
    for (const proxy_file& file : golden::proxy_files("owners", "envoy-unittest_")) {
        count_envoy_facts(facts, file);
    }
    report("Envoy's unit tests", facts, 149);
}

TEST_CASE("proxies: gRPC-Go's placements are met", "[proxies][grpc][golden]") {
    tally counted;
    for (const proxy_file& file : golden::proxy_files("owners", "grpc-go_")) {
        const ring<compat::grpc> placed(grpc_endpoints(file), grpc_sized<compat::grpc>(file));
        golden::count_owners(counted, file, file.nodes, owner_by(placed));
    }
    report("gRPC-Go", counted, 12000);
}

TEST_CASE("proxies: rings are those of the programs to the point", "[proxies][golden]") {
    tally counted;
    for (const proxy_file& file : golden::proxy_files("rings", "envoy132_")) {
        const envoy_hosts hosts = hosts_of(file);
        count_ring(counted, file, hosts.addresses,
                   ring<compat::envoy>(hosts.nodes, envoy_by(file, hosts)));
    }
    for (proxy_file file : golden::proxy_files("rings", "grpc-go_")) {
        file.nodes = golden::words(between(file.head, "endpoints [", "]"));
        count_ring(counted, file, file.nodes,
                   ring<compat::grpc>(grpc_endpoints(file), grpc_sized<compat::grpc>(file)));
    }
    report("rings", counted, 8000);
}

TEST_CASE("proxies: gRPC-Java's placements are met", "[proxies][grpc][golden]") {
    tally owners;
    tally points;
    count_java<compat::grpc_java_1_41>(owners, points, "grpc-java-1.41_");
    count_java<compat::grpc_java_1_49>(owners, points, "grpc-java-1.49_");
    count_java<compat::grpc_java_1_68>(owners, points, "grpc-java-1.68_");
    report("gRPC-Java", owners, 15000);
    report("gRPC-Java's rings", points, 6156);
}

// So that no file lies there unread.
TEST_CASE("proxies: every golden file belongs to a program that is checked", "[proxies][golden]") {
    const std::vector<std::string> here = {
        "nginx_chash-crc32_", "nginx_hash-modulo_", "haproxy-",
        "envoy132_",          "envoy-unittest_",    "grpc-go_",
        "grpc-java-1.41_",    "grpc-java-1.49_",    "grpc-java-1.68_"};
    const std::vector<std::string> families = {"nginx", "haproxy", "envoy", "grpc"};
    const auto starts_with_one_of = [](const std::string& name, const auto& prefixes) {
        return std::any_of(prefixes.begin(), prefixes.end(),
                           [&](const std::string& prefix) { return name.starts_with(prefix); });
    };
    for (const char* folder : {"owners", "rings"}) {
        for (const proxy_file& file : golden::proxy_files(folder, "")) {
            CAPTURE(folder, file.name);
            CHECK(
                (!starts_with_one_of(file.name, families) || starts_with_one_of(file.name, here)));
        }
    }
}
