// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/memcached_files.hpp"
#include "support/placed_files.hpp"

#include <hashring/compat/libketama.hpp>
#include <hashring/compat/libmemcached.hpp>
#include <hashring/compat/libmemcached_modula.hpp>
#include <hashring/compat/spymemcached.hpp>
#include <hashring/compat/twemproxy.hpp>
#include <hashring/compat/uhashring.hpp>
#include <hashring/placement/ketama_group.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Every file under golden/memcached against the scheme of its program. A file that neither a call
// nor `special` knows fails.

using namespace hashring;
using golden::any_placement;
using golden::memcached_file;

namespace test_only {

/// Points by the hash that was set first and keys by the one set after the servers were added: the
/// program does not make its ring anew.
struct set_after_servers : compat::libmemcached {
    compat::memcached_hash late;
    std::uint32_t position(std::string_view key) const noexcept { return late(key); }
    friend bool operator==(const set_after_servers&, const set_after_servers&) = default;
};

} // namespace test_only

namespace {

using test_only::set_after_servers;

any_placement set_too_late(const memcached_file& file) {
    set_after_servers scheme;
    scheme.late.kind = compat::memcached_hash::parse(file.hash);
    return golden::placed_by(scheme, golden::nodes_of(file));
}

// Weights that were added before the distribution was chosen: the program ignores them.
any_placement added_before(const memcached_file& file) {
    auto nodes = golden::nodes_of(file);
    for (node_spec& node : nodes) {
        node.weight = weight{1};
    }
    compat::libmemcached scheme;
    scheme.set("hash", file.hash);
    return golden::placed_by(scheme, nodes);
}

any_placement prefixed(const memcached_file& file) {
    const auto nodes = golden::nodes_of(file);
    const auto placed = std::make_shared<ring<compat::libmemcached_weighted>>(nodes);
    return {[=](std::string_view key) {
                return placed->owner_index_at(
                    compat::position_with_prefix(placed->scheme(), "pfx:", key));
            },
            [=] {
                return golden::dump(*placed);
            }};
}

any_placement sorted_hosts(const memcached_file& file) {
    auto nodes = golden::nodes_of(file);
    const auto listed = nodes;
    compat::sort_hosts(nodes);
    const auto sorted = golden::placed_by(compat::libmemcached_modula{}, nodes);
    return {[=](std::string_view key) {
                std::uint32_t i = 0;
                while (listed.at(i) != nodes.at(sorted.owner(key))) {
                    ++i;
                }
                return i;
            },
            {}};
}

// The last server of the fail-over sequence; `spymemcached_test.cpp` has them all.
any_placement last_of_sequence(const memcached_file& file) {
    const auto placed = std::make_shared<ring<compat::spymemcached>>(golden::nodes_of(file));
    return {
        [=](std::string_view key) { return compat::spymemcached_sequence(*placed, key).back(); },
        {}};
}

// What takes more than a call.
std::optional<any_placement> special(const memcached_file& file) {
    using maker = any_placement (*)(const memcached_file&);
    static const std::map<std::string, maker> makers = {
        {"libmemcached.trap_hash_after_add", set_too_late},
        {"libmemcached.ketama_dist_after_add", added_before},
        {"libmemcached.prefix_hashed", prefixed},
        {"libmemcached.modula_sorted", sorted_hosts},
        {"spymemcached.sequence_spy", last_of_sequence},
    };
    const auto found = makers.find(file.program + "." + file.mode);
    return found == makers.end() ? std::nullopt : std::optional(found->second(file));
}

any_placement placement_of(const memcached_file& file) {
    INFO("golden file " << file.path << " of " << file.program << ", mode " << file.mode);
    if (const auto call = golden::call_of(file)) {
        return golden::placed_by_call<
            compat::libmemcached, compat::libmemcached_weighted, compat::libmemcached_spy,
            compat::libmemcached_modula, compat::twemproxy, compat::twemproxy_modula,
            compat::libketama, compat::uhashring_ketama, compat::uhashring, compat::spymemcached,
            compat::spymemcached_array_mod, schemes::ketama_group>(*call, golden::nodes_of(file));
    }
    const auto made = special(file);
    REQUIRE(made.has_value());
    return *made;
}

// The hash of a file `PROGRAM.HASH` under hashes.
std::function<std::uint32_t(std::string_view)> hash_of(const std::string& program,
                                                       const std::string& hash) {
    if (program == "spymemcached") {
        return compat::spymemcached_hash{compat::spymemcached_hash::parse(hash)};
    }
    INFO("hashes of " << program);
    REQUIRE((program == "libmemcached" || program == "libmemcached_unsigned_char"));
    return compat::memcached_hash{compat::memcached_hash::parse(hash), program != "libmemcached"};
}

} // namespace

TEST_CASE("memcached programs: every owner is the program's", "[memcached][golden]") {
    golden::verified_lines verified;
    for (const memcached_file& file : golden::memcached_files("memcached/owners")) {
        verified.check_owners(placement_of(file), file);
    }
    std::cout << verified.summary();
    CHECK(verified.report() == "");
    CHECK(verified.programs() == 6);
}

TEST_CASE("memcached programs: every ring is the program's to the point", "[memcached][golden]") {
    golden::verified_lines verified;
    for (const memcached_file& file : golden::memcached_files("memcached/rings")) {
        verified.check_ring(placement_of(file), file);
    }
    std::cout << "rings of " << verified.summary();
    CHECK(verified.report() == "");
    CHECK(verified.programs() == 5);
}

TEST_CASE("memcached programs: every hash is the program's", "[memcached][golden]") {
    golden::verified_lines verified;
    const auto keys = golden::keys("memcached/keys.hex");
    for (memcached_file& file : golden::memcached_files("memcached/hashes")) {
        file.hash = std::exchange(file.topology, ""); // PROGRAM.HASH
        if (file.path.ends_with("libmemcached_weight_points.tsv")) {
            continue; // `weighted_ketama_test.cpp` reads it
        }
        const auto hashes = golden::lines(file.path);
        const auto hash = hash_of(file.program, file.hash);
        REQUIRE(hashes.size() == keys.size());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (hashes[i] != "-") {
                const std::uint32_t got = hash(keys[i]);
                verified.expect(std::to_string(got) == hashes[i], file, i, got, hashes[i]);
            }
        }
    }
    std::cout << "hashes of " << verified.summary();
    CHECK(verified.report() == "");
    CHECK(verified.programs() == 2);
}
