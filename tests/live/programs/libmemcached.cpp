// SPDX-License-Identifier: MIT
// Reads cases for libmemcached and answers each with a line of servers' numbers, one for each key:
//     set NAME VALUE | server HOST PORT WEIGHT | socket PATH WEIGHT | key HEX | end
// Lines are carried out in their order, on which libmemcached's placement depends.
#include <libmemcached/memcached.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

using number = std::uint64_t;

const std::map<std::string, memcached_behavior_t> behaviors = {
    {"hash", MEMCACHED_BEHAVIOR_HASH},
    {"distribution", MEMCACHED_BEHAVIOR_DISTRIBUTION},
    {"ketama", MEMCACHED_BEHAVIOR_KETAMA},
    {"ketama_weighted", MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED}};

const std::map<std::string, number> values = {
    {"0", 0},
    {"1", 1},
    {"default", MEMCACHED_HASH_DEFAULT},
    {"md5", MEMCACHED_HASH_MD5},
    {"crc", MEMCACHED_HASH_CRC},
    {"fnv1_64", MEMCACHED_HASH_FNV1_64},
    {"fnv1a_64", MEMCACHED_HASH_FNV1A_64},
    {"fnv1_32", MEMCACHED_HASH_FNV1_32},
    {"fnv1a_32", MEMCACHED_HASH_FNV1A_32},
    {"murmur", MEMCACHED_HASH_MURMUR},
    {"murmur3", MEMCACHED_HASH_MURMUR3},
    {"jenkins", MEMCACHED_HASH_JENKINS},
    {"modula", MEMCACHED_DISTRIBUTION_MODULA},
    {"consistent", MEMCACHED_DISTRIBUTION_CONSISTENT},
    {"consistent_ketama", MEMCACHED_DISTRIBUTION_CONSISTENT_KETAMA},
    {"consistent_weighted", MEMCACHED_DISTRIBUTION_CONSISTENT_WEIGHTED},
    {"consistent_ketama_spy", MEMCACHED_DISTRIBUTION_CONSISTENT_KETAMA_SPY}};

void check(memcached_st* client, memcached_return_t outcome, const std::string& line) {
    if (outcome != MEMCACHED_SUCCESS) {
        std::cerr << line << ": " << memcached_strerror(client, outcome) << '\n';
        std::exit(1);
    }
}

std::string decoded(const std::string& hex) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    return bytes;
}

memcached_return_t add_server(memcached_st* client, std::istream& words) {
    std::string host;
    in_port_t port = 0;
    std::uint32_t weight = 0;
    words >> host >> port >> weight;
    return memcached_server_add_with_weight(client, host.c_str(), port, weight);
}

memcached_return_t add_socket(memcached_st* client, std::istream& words) {
    std::string path;
    std::uint32_t weight = 0;
    words >> path >> weight;
    return memcached_server_add_unix_socket_with_weight(client, path.c_str(), weight);
}

memcached_return_t set(memcached_st* client, std::istream& words) {
    std::string name;
    std::string value;
    words >> name >> value;
    return memcached_behavior_set(client, behaviors.at(name), values.at(value));
}

void answer(memcached_st* client, const std::string& hex) {
    const std::string key = decoded(hex);
    std::cout << memcached_generate_hash(client, key.data(), key.size()) << ' ';
}

void carry_out(memcached_st* client, const std::string& line) {
    std::istringstream words(line);
    std::string verb;
    words >> verb;
    if (verb == "set") {
        check(client, set(client, words), line);
    } else if (verb == "server") {
        check(client, add_server(client, words), line);
    } else if (verb == "socket") {
        check(client, add_socket(client, words), line);
    } else {
        std::string hex;
        words >> hex;
        answer(client, hex);
    }
}

} // namespace

int main() {
    memcached_st* client = memcached_create(nullptr);
    for (std::string line; std::getline(std::cin, line);) {
        if (line != "end") {
            carry_out(client, line);
            continue;
        }
        std::cout << std::endl;
        memcached_free(client);
        client = memcached_create(nullptr);
    }
    memcached_free(client);
}
