// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden_proxies.hpp"

#include <hashring/compat/nginx.hpp>
#include <hashring/compat/nginx_modulo.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/table/table.hpp>

#include <iostream>
#include <string>
#include <vector>

// Every line of the golden files that load balancers and RPC clients made, whatever their
// topology: a file that lies there is read, and one that no rule reads is a failure.

using namespace hashring;
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
