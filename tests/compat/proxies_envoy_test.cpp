// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden_counts.hpp"
#include "support/golden_proxies.hpp"

#include <hashring/compat/envoy.hpp>
#include <hashring/compat/envoy_maglev.hpp>
#include <hashring/ring/attempt.hpp>
#include <hashring/ring/bounded.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/table/table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <regex>
#include <string>
#include <vector>

// Every line of the golden files that Envoy made; those of the others: proxies_test.cpp.

using namespace hashring;
using golden::between;
using golden::proxy_file;
using golden::tally;

namespace {

// --- Envoy ------------------------------------------------------------------------------------

// Known by the text that is hashed.
std::vector<node_spec> nodes_of(const std::vector<golden::envoy_host>& hosts) {
    std::vector<node_spec> nodes;
    for (const auto& host : hosts) {
        nodes.emplace_back(host.text, weight::parse(host.weight), host.locality);
    }
    return nodes;
}

std::vector<std::string> addresses_of(const std::vector<golden::envoy_host>& hosts) {
    std::vector<std::string> addresses;
    for (const auto& host : hosts) {
        addresses.push_back(host.address);
    }
    return addresses;
}

std::uint32_t attempt_of(const proxy_file& file) {
    return parse_decimal<std::uint32_t>(between(file.head, "attempt ", " ")).value();
}

// Hosts are numbered as in the list, also where a table has them in another order.
template <class Placed>
void count_bounded_envoy(tally& counted, const proxy_file& file, const Placed& placed) {
    const auto hosts = golden::envoy_hosts(file);
    const std::vector<std::string> addresses = addresses_of(hosts);
    const auto percent =
        parse_decimal<std::uint32_t>(between(file.head, "balance factor ", ",")).value();
    double total = 0.0;
    for (const auto& host : hosts) {
        total += std::stod(host.weight);
    }
    golden::count_events(counted, file, addresses, [&](const std::string& key, const auto& loads) {
        const auto in_flight = std::accumulate(loads.begin(), loads.end(), std::uint64_t{0});
        std::vector<std::uint64_t> caps;
        for (const auto& host : hosts) {
            caps.push_back(bounded_load::rounded_up_cap(
                bounded_load::slots_of_all(in_flight, percent), std::stod(host.weight) / total));
        }
        const std::string owner(placed.owner(key)->name());
        const auto first = std::find(addresses.begin(), addresses.end(), owner) - addresses.begin();
        return bounded_load::owner_by_shuffle(static_cast<std::uint32_t>(first), caps, loads,
                                              static_cast<std::uint32_t>(placed.position(key)));
    });
}

struct listed_hosts {
    std::vector<node_spec> nodes;
    std::string localities;
};

// `[(b'127.0.0.1:90', 1), …]`, or with localities `[(1, [(b'127.0.0.1:90', 1)]), …]`.
listed_hosts hosts_in_python(const std::string& text) {
    listed_hosts hosts;
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
    const listed_hosts parsed = hosts_in_python(hosts);
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
            const listed_hosts hosts = hosts_in_python(row.at(2));
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

} // namespace

TEST_CASE("proxies: Envoy's placements are met", "[proxies][envoy][golden]") {
    tally rings;
    tally tables;
    tally bounded;
    for (const proxy_file& file : golden::proxy_files("owners", "envoy132_")) {
        const std::vector<node_spec> hosts = nodes_of(golden::envoy_hosts(file));
        const std::vector<std::string> names = golden::names_of(hosts);
        const auto settings = golden::envoy_settings(file);
        if (file.is("_ringhash-")) {
            const ring<compat::envoy> placed(hosts, golden::with_settings<compat::envoy>(settings));
            if (file.is("-bounded")) {
                count_bounded_envoy(bounded, file, placed);
                continue;
            }
            golden::count_owners(rings, file, names, [&](const std::string& key) {
                return std::string(
                    placed.node(owner_at_attempt(placed, placed.position(key), attempt_of(file)))
                        .name());
            });
        } else {
            REQUIRE(file.is("_maglev"));
            using maglev = compat::envoy_maglev;
            const table<maglev> placed(hosts, golden::with_settings<maglev>(settings));
            if (file.is("-bounded")) {
                count_bounded_envoy(bounded, file, placed);
                continue;
            }
            golden::count_owners(tables, file, names, [&](const std::string& key) {
                return std::string(
                    placed.owner_at(maglev::at_attempt(placed.position(key), attempt_of(file)))
                        ->name());
            });
        }
    }
    golden::report("Envoy ring_hash", rings, 24000);
    golden::report("Envoy maglev", tables, 24000);
    golden::report("Envoy with bounded loads", bounded, 4800);
    tally facts;
    for (const proxy_file& file : golden::proxy_files("owners", "envoy-unittest_")) {
        count_envoy_facts(facts, file);
    }
    golden::report("Envoy's unit tests", facts, 149);
}

TEST_CASE("proxies: Envoy's rings are met to the point", "[proxies][envoy][golden]") {
    tally counted;
    for (const proxy_file& file : golden::proxy_files("rings", "envoy132_")) {
        const auto hosts = golden::envoy_hosts(file);
        golden::count_ring(counted, file, addresses_of(hosts),
                           ring<compat::envoy>(
                               nodes_of(hosts),
                               golden::with_settings<compat::envoy>(golden::envoy_settings(file))));
    }
    golden::report("Envoy's rings", counted, 6156);
}
