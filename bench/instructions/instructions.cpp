// SPDX-License-Identifier: MIT

/// \file
/// What `bench/instructions/run` counts the instructions of: look-ups, hashes, building, changing.
///
/// Run by callgrind with `--instr-atstart=no`, the program has it dump each count under a name:
/// what was done, how many times, and after `less` the loop that was not meant. Run by itself it
/// does the work and tells nothing; with `--compiler` it says what compiled it.

#include <hashring/hash/bkdr.hpp>
#include <hashring/hash/md5.hpp>
#include <hashring/hash/mix.hpp>
#include <hashring/hash/murmur64a.hpp>
#include <hashring/hash/xxhash.hpp>
#include <hashring/placement/ketama_group.hpp>
#include <hashring/placement/xxh3.hpp>
#include <hashring/ring/ring.hpp>

#include <valgrind/callgrind.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace hashring;

/// The compiler has to have `value` in a register.
template <class Value>
void keep(const Value& value) {
    asm volatile("" : : "r"(value));
}

template <class Work>
void count(const std::string& name, std::size_t times, const std::string& less, Work work) {
    const std::string text = concat(name, " ", decimal(times), less.empty() ? "" : " less ", less);
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
    work();
    CALLGRIND_DUMP_STATS_AT(text.c_str());
    CALLGRIND_STOP_INSTRUMENTATION;
}

std::vector<std::string> node_names(std::size_t count) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) {
        names.push_back(concat("node-", decimal(100'000 + i)));
    }
    return names;
}

constexpr std::size_t look_ups = 16'384;

template <class Position>
std::vector<Position> random_positions() {
    std::vector<Position> positions;
    for (std::size_t i = 0; i < look_ups; ++i) {
        positions.push_back(
            static_cast<Position>(hash::mix(i) >> (64U - std::numeric_limits<Position>::digits)));
    }
    return positions;
}

template <class Values, class Use>
[[gnu::noinline]] void for_each(const Values& values, Use use) {
    for (const auto& value : values) {
        keep(use(value));
    }
}

template <class Scheme>
void count_look_ups() {
    using position = typename Scheme::position_type;
    const auto positions = random_positions<position>();
    const std::string loop = concat("loop/", decimal(8 * sizeof(position)), "-bit");
    count(loop, look_ups, "", [&] { for_each(positions, [](position p) { return p; }); });
    for (const std::size_t nodes : {3U, 10U, 100U, 1000U}) {
        const ring<Scheme> r(node_names(nodes));
        count(concat("owner_at/", Scheme::name, "/nodes:", decimal(nodes)), look_ups, loop,
              [&] { for_each(positions, [&](position p) { return r.owner_index_at(p); }); });
        std::vector<std::uint32_t> owners(look_ups);
        count(concat("owners_at/", Scheme::name, "/nodes:", decimal(nodes)), look_ups, "",
              [&] { keep(r.owners_at(positions, owners)); });
    }
}

template <class Scheme>
void count_changes() {
    constexpr std::size_t nodes = 1000;
    const auto names = node_names(nodes);
    const std::string end = concat("/", Scheme::name, "/nodes:", decimal(nodes));
    ring<Scheme> r;
    count("build" + end, 1, "", [&] { r = ring<Scheme>(names); });
    count("add" + end, 1, "", [&] { r.add("another"); });
    count("remove" + end, 1, "", [&] { r.remove("another"); });
}

std::vector<std::string> random_keys(std::size_t length) {
    constexpr std::size_t keys = 1024;
    std::vector<std::string> result;
    for (std::size_t i = 0; i < keys; ++i) {
        std::string key;
        for (std::size_t j = 0; key.size() < length; ++j) {
            with_key_bytes(hash::mix(i * length + j), [&](std::string_view b) { key += b; });
        }
        key.resize(length);
        result.push_back(std::move(key));
    }
    return result;
}

template <class Hash>
void count_hash(const std::vector<std::string>& keys, const std::string& loop) {
    count(concat("hash/", Hash::name, "/bytes:", decimal(keys.front().size())), keys.size(), loop,
          [&] { for_each(keys, [](const std::string& key) { return Hash{}(key); }); });
}

void count_hashes() {
    for (const std::size_t length : {16U, 100U}) {
        const auto keys = random_keys(length);
        const std::string loop = concat("loop/bytes:", decimal(length));
        count(loop, keys.size(), "",
              [&] { for_each(keys, [](const std::string& key) { return key.data(); }); });
        count_hash<hash::xxh3>(keys, loop);
        count_hash<hash::murmur64a>(keys, loop);
        count_hash<hash::bkdr<131>>(keys, loop);
        count_hash<hash::md5>(keys, loop);
    }
}

void print_compiler() {
#if defined(__clang__)
    std::printf("clang++-%d\n", __clang_major__);
#else
    std::printf("g++-%d\n", __GNUC__);
#endif
}

} // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::string_view(argv[1]) == "--compiler") {
        print_compiler();
        return 0;
    }
    count_look_ups<schemes::xxh3>();
    count_look_ups<schemes::ketama_group>();
    count_changes<schemes::xxh3>();
    count_changes<schemes::ketama_group>();
    count_hashes();
    return 0;
}
