// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/golden_counts.hpp"
#include "support/golden_languages.hpp"
#include "support/golden_proxies.hpp"

#include <hashring/compat/buraksezer.hpp>
#include <hashring/compat/dalli.hpp>
#include <hashring/compat/go_ketama.hpp>
#include <hashring/compat/groupcache.hpp>
#include <hashring/compat/npm_hashring.hpp>
#include <hashring/compat/serialx.hpp>
#include <hashring/compat/stathat.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/table/table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Every line of the golden files that libraries of Ruby, Go and Node.js made, whatever their
// topology: a file that lies there is read, and one that no rule reads is a failure.

using namespace hashring;
using golden::proxy_file;
using golden::tally;

namespace {

// The node that the program's own tries come to, as the program calls it; `-` if they end.
std::string dalli_owner(const ring<compat::dalli>& placed, const std::vector<std::string>& down,
                        const std::string& key) {
    for (std::uint32_t t = 0; t < compat::dalli::tries; ++t) {
        const std::string name(placed.owner_at(placed.scheme().position(key, t))->name());
        if (std::find(down.begin(), down.end(), name) == down.end()) {
            return compat::dalli_server_name(name);
        }
    }
    return "-";
}

// The program's dump goes up where the ring goes down.
void count_mirrored_ring(tally& counted, proxy_file file, const std::vector<std::string>& shown,
                         const ring<compat::dalli>& placed) {
    std::reverse(file.rows.begin(), file.rows.end());
    golden::count_ring(counted, file, shown, placed);
}

template <class Scheme>
void count_rings(tally& counted, const std::string& prefix) {
    for (const proxy_file& file : golden::proxy_files("owners", prefix)) {
        const auto call = golden::language_call_of(file);
        REQUIRE(call.scheme == std::string(Scheme::name));
        const ring<Scheme> placed(call.nodes, golden::with_settings<Scheme>(call.options));
        golden::count_owners(counted, file, file.nodes, golden::owner_by(placed));
    }
}

// `a,b`, as the files name the members closest to a key.
std::string closest_two(const table<compat::buraksezer>& placed, const std::string& key) {
    std::string text;
    for (const std::uint32_t i : compat::buraksezer_closest(placed, key, 2)) {
        text += (text.empty() ? "" : ",") + std::string(placed.node(i).name());
    }
    return text;
}

} // namespace

TEST_CASE("languages: Dalli's placements and rings are met", "[languages][dalli][golden]") {
    tally owners;
    for (const proxy_file& file : golden::proxy_files("owners", "dalli-")) {
        const auto call = golden::language_call_of(file);
        const ring<compat::dalli> placed(call.nodes);
        golden::count_owners(owners, file, file.nodes, [&](const std::string& key) {
            return dalli_owner(placed, call.down, key);
        });
    }
    tally points;
    for (const proxy_file& file : golden::proxy_files("rings", "dalli-")) {
        const auto call = golden::language_call_of(file);
        count_mirrored_ring(points, file, golden::names_of(call.nodes),
                            ring<compat::dalli>(call.nodes));
    }
    golden::report("Dalli", owners, 8000);
    golden::report("Dalli's rings", points, 1278);
}

TEST_CASE("languages: stathat's and groupcache's placements are met",
          "[languages][stathat][golden]") {
    tally stathat;
    tally groupcache;
    count_rings<compat::stathat>(stathat, "go-stathat");
    count_rings<compat::groupcache>(groupcache, "go-groupcache");
    golden::report("stathat", stathat, 8000);
    golden::report("groupcache", groupcache, 8000);
}

TEST_CASE("languages: serialx's and go-ketama's placements are met",
          "[languages][serialx][golden]") {
    tally serialx;
    tally go_ketama;
    count_rings<compat::serialx>(serialx, "go-serialx");
    count_rings<compat::go_ketama>(go_ketama, "go-ketama");
    golden::report("serialx", serialx, 4000);
    golden::report("go-ketama", go_ketama, 8000);
}

TEST_CASE("languages: buraksezer's placements and closest members are met",
          "[languages][buraksezer][golden]") {
    tally owners;
    tally closest;
    for (const proxy_file& file : golden::proxy_files("owners", "go-buraksezer")) {
        const auto call = golden::language_call_of(file);
        const table<compat::buraksezer> placed(
            call.nodes, golden::with_settings<compat::buraksezer>(call.options));
        if (file.is("-closest2_")) {
            golden::count_owners(closest, file, file.nodes,
                                 [&](const std::string& key) { return closest_two(placed, key); });
        } else {
            golden::count_owners(owners, file, file.nodes, golden::owner_by(placed));
        }
    }
    golden::report("buraksezer", owners, 8000);
    golden::report("buraksezer's closest members", closest, 8000);
}

TEST_CASE("languages: npm hashring's placements and rings are met", "[languages][npm][golden]") {
    tally owners;
    tally points;
    count_rings<compat::npm_hashring>(owners, "npm-hashring");
    for (const proxy_file& file : golden::proxy_files("rings", "npm-hashring")) {
        const auto call = golden::language_call_of(file);
        golden::count_ring(
            points, file, golden::names_of(call.nodes),
            ring<compat::npm_hashring>(call.nodes,
                                       golden::with_settings<compat::npm_hashring>(call.options)));
    }
    golden::report("npm hashring", owners, 15032);
    golden::report("npm hashring's rings", points, 6000);
}

// So that no file lies there unread.
TEST_CASE("languages: every golden file of these libraries is read", "[languages][golden]") {
    std::size_t read = 0;
    for (const char* folder : {"owners", "rings"}) {
        for (const proxy_file& file : golden::proxy_files(folder, "")) {
            const bool ours = file.name.starts_with("dalli") || file.name.starts_with("npm-") ||
                              (file.name.starts_with("go-") && !file.name.starts_with("go-jump"));
            CAPTURE(folder, file.name);
            if (ours) {
                ++read;
                CHECK_FALSE(golden::language_call_of(file).scheme.empty());
            }
        }
    }
    CHECK(read >= 44);
}
