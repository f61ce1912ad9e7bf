// SPDX-License-Identifier: MIT
#pragma once

#include "support/golden.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The golden files under proxy/: a header of `#` lines that say what was run on which nodes, then
// a line a key, the number of its node, or `key TAB node`.
namespace golden {

inline std::vector<std::string> words(std::string_view text) {
    std::istringstream in{std::string(text)};
    std::vector<std::string> result;
    for (std::string word; in >> word;) {
        result.push_back(word);
    }
    return result;
}

// What stands in `text` between `from` and the next `to`; nothing if `from` does not.
inline std::string between(const std::string& text, std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    if (at == text.npos) {
        return {};
    }
    const std::size_t begin = at + from.size();
    return text.substr(begin, text.find(to, begin) - begin);
}

struct proxy_file {
    std::string name;               // without folder and end: `nginx_chash-crc32_T1`
    std::string head;               // its header lines, one behind the other
    std::vector<std::string> nodes; // the `# node k = …` lines
    std::vector<std::string> rows;
    bool table = false; // `key TAB node` a line

    explicit proxy_file(const std::filesystem::path& path)
        : name(path.stem().string()), table(path.extension() == ".tsv") {
        std::ifstream in(path, std::ios::binary);
        for (std::string line; std::getline(in, line);) {
            if (!line.starts_with('#')) {
                rows.push_back(line);
            } else if (line.starts_with("# node ")) {
                nodes.push_back(line.substr(line.find(" = ") + 3));
            } else {
                head += line + "\n";
            }
        }
    }

    [[nodiscard]] bool is(std::string_view text) const { return name.find(text) != name.npos; }
    // `kind` of `program_kind_topology`.
    [[nodiscard]] std::string kind() const { return between(name, "_", "_"); }
    [[nodiscard]] std::string topology() const { return name.substr(name.rfind('_') + 1); }
};

// The files of a folder under tests/golden/proxy whose names start with `prefix`, in order.
inline std::vector<proxy_file> proxy_files(const std::string& folder, std::string_view prefix) {
    std::vector<std::filesystem::path> paths;
    const std::filesystem::path root(HASHRING_GOLDEN_DIR);
    for (const auto& entry : std::filesystem::directory_iterator(root / "proxy" / folder)) {
        if (entry.path().filename().string().starts_with(prefix)) {
            paths.push_back(entry.path());
        }
    }
    std::sort(paths.begin(), paths.end());
    REQUIRE(!paths.empty());
    std::vector<proxy_file> files;
    for (const auto& path : paths) {
        files.emplace_back(path);
    }
    return files;
}

inline const std::vector<std::string>& proxy_keys() {
    static const std::vector<std::string> all = keys("proxy/keys.hex");
    return all;
}

// The words of each server in a header of nginx or HAProxy: `… servers: a weight=2 ; b ; key …`.
inline std::vector<std::vector<std::string>> configured_servers(const proxy_file& file) {
    std::string list = between(file.head, "servers: ", "\n");
    list = list.substr(0, std::min(list.find(" }; key"), list.find(" ; key ")));
    std::vector<std::vector<std::string>> servers;
    for (std::size_t at = 0; at < list.size();) {
        const std::size_t end = std::min(list.find(" ; ", at), list.size());
        servers.push_back(words(list.substr(at, end - at)));
        at = end + 3;
    }
    REQUIRE(!servers.empty());
    return servers;
}

// The word behind `key` in a server's line, the key itself if it comes last, or nothing.
inline std::string word_after(const std::vector<std::string>& line, std::string_view key) {
    const auto found = std::find(line.begin(), line.end(), key);
    return found == line.end() ? std::string() : found + 1 == line.end() ? *found : found[1];
}

// The hash of a HAProxy file's kind, if it names one: `consistent-crc32-avalanche`, `mapbased-wt6`.
inline std::string haproxy_hash(const proxy_file& file) {
    for (const char* hash : {"sdbm", "djb2", "wt6", "crc32", "none"}) {
        if (file.kind().find(std::string("-") + hash) != std::string::npos) {
            return hash;
        }
    }
    return {};
}

// And its hash-key: `addr-port` of `consistent-crc32-hashkey-addr-port-v6`.
inline std::string haproxy_hash_key(const proxy_file& file) {
    const std::string key = between(file.kind() + "/", "-hashkey-", "/");
    return key.ends_with("-v6") ? key.substr(0, key.size() - 3) : key;
}

struct envoy_host {
    std::string address;
    std::string text; // that is hashed
    std::string weight;
    std::string locality;
};

// `hosts (address hostname hash_key weight locality): ['127.0.0.1:1 - - 1 0', …]`.
inline std::vector<envoy_host> envoy_hosts(const proxy_file& file) {
    std::vector<envoy_host> hosts;
    const bool by_hostname = file.head.find("use_hostname 1") != std::string::npos;
    const std::string listed = between(file.head, "weight locality): [", "]");
    for (std::size_t at = listed.find('\''); at != listed.npos; at = listed.find('\'', at + 1)) {
        const std::size_t end = listed.find('\'', at + 1);
        const auto said = words(listed.substr(at + 1, end - at - 1));
        const std::string& text = said.at(2) != "-" ? said[2] : by_hostname ? said[1] : said[0];
        hosts.push_back({said[0], text, said.at(3), said.at(4)});
        at = end;
    }
    REQUIRE(!hosts.empty());
    return hosts;
}

// Option and value of all that a header of Envoy or gRPC sets.
using settings = std::vector<std::pair<std::string, std::string>>;

inline settings envoy_settings(const proxy_file& file) {
    settings result;
    const auto set = [&](const std::string& option, std::string value) {
        value.erase(std::remove(value.begin(), value.end(), '\''), value.end());
        if (value != "-" && !value.empty()) {
            result.emplace_back(option, value);
        }
    };
    if (file.is("_maglev")) {
        set("table-size", between(file.head, "table size ", ","));
    } else {
        set("hash", file.is("-murmur2") ? "murmur2" : "-");
        const std::string sizes = between(file.head, "ring size (", ")"); // (10, '-')
        set("min-ring-size", sizes.substr(0, sizes.find(',')));
        set("max-ring-size", between(sizes + ",", ", ", ","));
    }
    std::string localities; // "1, 2"
    for (std::string word : words(between(file.head, "locality weights [", "]"))) {
        word.erase(std::remove(word.begin(), word.end(), ','), word.end());
        const auto place = std::count(localities.begin(), localities.end(), '=');
        localities += (localities.empty() ? "" : ",") + std::to_string(place) + "=" + word;
    }
    set("locality-weights", localities);
    return result;
}

// `s 1,2,3` behind `with weight`, or ` 1` for all: one for each of `count` nodes.
inline std::vector<std::string> listed_weights(std::string text, std::size_t count) {
    text.erase(0, text.find(' '));
    std::replace(text.begin(), text.end(), ',', ' ');
    std::vector<std::string> weights = words(text);
    weights.resize(std::max(weights.size(), count), weights.at(0));
    return weights;
}

// `weights [1 2]` of Go, `with weights 1,2,` or `with weight 1,` of Java: one for each node.
inline std::vector<std::string> grpc_weights(const proxy_file& file) {
    const std::string of_go = between(file.head, "weights [", "]");
    return listed_weights(of_go.empty() ? between(file.head, "with weight", " min ring")
                                        : " " + of_go,
                          file.nodes.size());
}

inline settings grpc_settings(const proxy_file& file) {
    const bool go = file.is("grpc-go");
    return {{"min-ring-size", between(file.head, go ? "min " : "min ring size ", go ? " " : ",")},
            {"max-ring-size", between(file.head, " max ", go ? "," : ";")}};
}

// How many lines of a program's files were checked, and how many of them are met.
struct tally {
    std::size_t met = 0;
    std::size_t lines = 0;
    std::string first; // that is not met

    void add(bool holds, const std::string& where) {
        ++lines;
        met += holds ? 1 : 0;
        if (!holds && first.empty()) {
            first = where;
        }
    }
};

// Prints how many of a program's lines are met, which all of them have to be.
inline void report(const std::string& program, const tally& counted, std::size_t at_least) {
    std::cout << program << ": " << counted.met << " of " << counted.lines << '\n';
    CAPTURE(program, counted.first);
    CHECK(counted.met == counted.lines);
    CHECK(counted.lines >= at_least);
}

// Every line of an owners file: `owner_of(key)` is the name of the node that answers, and `names`
// are those by which the file counts its nodes.
template <class OwnerOf>
void count_owners(tally& counted, const proxy_file& file, const std::vector<std::string>& names,
                  OwnerOf owner_of) {
    INFO(file.name);
    REQUIRE((file.table || file.rows.size() == proxy_keys().size()));
    for (std::size_t i = 0; i < file.rows.size(); ++i) {
        if (file.table) {
            const auto row = fields(file.rows[i]);
            counted.add(owner_of(unhex(row.at(0))) == row.at(1), file.name + " " + row.at(0));
        } else if (file.rows[i] != "-") {
            counted.add(owner_of(proxy_keys()[i]) == names.at(std::stoul(file.rows[i])),
                        file.name + " key " + std::to_string(i));
        }
    }
}

} // namespace golden
