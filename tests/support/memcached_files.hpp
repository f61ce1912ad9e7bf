// SPDX-License-Identifier: MIT
#pragma once

#include "support/golden.hpp"

#include <hashring/core/node.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The files under tests/golden/memcached: who made each, and which scheme has to make the same.
namespace golden {

// One file of owners, a ring or hashes, known by its name: `PROGRAM.MODE.HASH.TOPOLOGY`, of which
// some programs have no mode or no hash.
struct memcached_file {
    std::string path; // under tests/golden
    std::string program;
    std::string mode; // "" if the program has one only
    std::string hash; // "" if the program has one only
    std::string topology;
    std::string keys; // the file that its lines stand for
};

// A call of `hashring place` that has to give the same, but for the files.
struct memcached_call {
    std::string scheme;
    std::vector<std::pair<std::string, std::string>> options; // a flag has the value "1"
};

inline std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, at);) {
        parts.push_back(part);
    }
    return parts;
}

// `folder` is the one above the file; the name says the rest.
inline memcached_file memcached_file_of(const std::filesystem::path& path) {
    const std::string folder = path.parent_path().filename().string();
    const bool many =
        folder == "edge" || folder == "weights" || folder == "rings" || folder == "hashes";
    std::string name = path.stem().string();
    for (const std::string joined : {"spymemcached_edge_", "spymemcached_"}) {
        if (name.starts_with(joined)) {
            name = "spymemcached." + name.substr(joined.size());
        }
    }
    auto parts = split(name, '.');
    if (!many && parts.at(0) != folder) {
        parts.insert(parts.begin(), folder);
    }
    if (parts.size() > 1 && parts[0] == parts[1]) { // rings/libketama.libketama.T1
        parts.erase(parts.begin());
    }
    memcached_file file;
    file.path = std::filesystem::relative(path, HASHRING_GOLDEN_DIR).generic_string();
    file.program = parts.front();
    file.topology = parts.back();
    file.mode = parts.size() > 2 ? parts[1] : "";
    file.hash = parts.size() > 3 ? parts[2] : "";
    file.keys = folder == "edge" ? "memcached/keys_edge.hex" : "memcached/keys.hex";
    return file;
}

// All files below a folder of tests/golden, in order.
inline std::vector<memcached_file> memcached_files(const std::string& folder) {
    std::vector<memcached_file> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(
             std::string(HASHRING_GOLDEN_DIR) + "/" + folder)) {
        if (entry.is_regular_file()) {
            files.push_back(memcached_file_of(entry.path()));
        }
    }
    std::sort(files.begin(), files.end(),
              [](const auto& a, const auto& b) { return a.path < b.path; });
    return files;
}

inline std::string header_of(const memcached_file& file) {
    std::ifstream in(std::string(HASHRING_GOLDEN_DIR) + "/" + file.path);
    std::string line;
    std::getline(in, line);
    return line;
}

// The nodes of a file's topology. spymemcached's files also say the texts that Java has for them,
// `name/ip:port`, of which `ip:port` is the address.
inline std::vector<hashring::node_spec> nodes_of(const memcached_file& file) {
    std::vector<hashring::node_spec> nodes;
    for (const std::string& line : lines("memcached/topo/" + file.topology + ".tsv")) {
        const auto row = fields(line);
        nodes.emplace_back(row.at(0) + ":" + row.at(1), hashring::weight::parse(row.at(2)));
    }
    const std::string header = header_of(file);
    const std::string java = "InetSocketAddress.toString: ";
    if (const std::size_t at = header.find(java); at != std::string::npos) {
        const std::string texts = header.substr(at + java.size());
        std::istringstream in(texts.substr(0, texts.find("; obtained")));
        for (hashring::node_spec& node : nodes) {
            std::string text;
            in >> text;
            const std::size_t slash = text.find('/');
            const bool last = text.back() != ';';
            node.address = slash == 0 ? "" : text.substr(slash + 1);
            node.address =
                node.address.substr(0, node.address.size() - (slash == 0 || last ? 0 : 1));
        }
    }
    return nodes;
}

namespace detail {

struct memcached_mode {
    std::string_view program;
    std::string_view mode;
    memcached_call call;
    bool by_hash = true; // whether the file's hash is an option
};

inline const std::vector<memcached_mode>& memcached_modes() {
    static const std::vector<memcached_mode> modes = {
        {"libmemcached", "ketama", {"libmemcached", {}}},
        {"libmemcached", "behavior_ketama", {"libmemcached", {}}},
        {"libmemcached", "consistent", {"libmemcached", {}}},
        {"libmemcached", "ketama_pushlist", {"libmemcached", {}}},
        {"libmemcached", "uchar_ketama", {"libmemcached", {{"unsigned-char", "1"}}}},
        {"libmemcached", "ketama_weighted", {"libmemcached-weighted", {}}},
        {"libmemcached", "ketama_weighted_single", {"libmemcached-weighted", {}}},
        {"libmemcached", "weighted_via_distribution", {"libmemcached-weighted", {}}},
        // the hash of its name is one that the program ignores
        {"libmemcached", "kethash_ignored", {"libmemcached", {}}, false},
        {"libmemcached", "prefix_not_hashed", {"libmemcached-weighted", {}}},
        {"libmemcached", "spy", {"libmemcached-spy", {}}},
        {"libmemcached", "spy_weighted", {"libmemcached-spy", {{"weighted", "1"}}}},
        {"libmemcached", "modula", {"libmemcached-modula", {}}},
        {"twemproxy", "ketama", {"twemproxy", {}}},
        {"twemproxy", "ketama_w1", {"twemproxy", {}}},
        {"twemproxy", "redis_ketama", {"twemproxy", {}}},
        {"twemproxy", "unnamed_ketama", {"twemproxy", {}}},
        {"twemproxy", "default_hash_default_dist", {"twemproxy", {}}, false},
        {"twemproxy", "ketama_tag_brace", {"twemproxy", {{"tag", "{}"}}}},
        {"twemproxy", "ketama_tag_bracket", {"twemproxy", {{"tag", "[]"}}}},
        {"twemproxy", "ketama_tag_colon", {"twemproxy", {{"tag", "::"}}}},
        {"twemproxy", "modula", {"twemproxy-modula", {}}},
        {"twemproxy", "unnamed_modula", {"twemproxy-modula", {}}},
        {"spymemcached", "spy", {"spymemcached", {{"label-format", "spymemcached"}}}},
        {"spymemcached", "spy_named_ip", {"spymemcached", {{"label-format", "spymemcached"}}}},
        {"spymemcached", "libm", {"spymemcached", {{"label-format", "libmemcached"}}}},
        {"spymemcached", "spy242", {"spymemcached", {{"label-format", "spymemcached-2.4"}}}},
        {"spymemcached",
         "spy_weighted",
         {"spymemcached", {{"label-format", "spymemcached"}, {"weighted", "1"}}}},
        {"spymemcached",
         "libm_weighted",
         {"spymemcached", {{"label-format", "libmemcached"}, {"weighted", "1"}}}},
        {"spymemcached", "arraymod", {"spymemcached-array-mod", {}}},
        {"libketama", "", {"libketama", {}}},
        {"uhashring", "default", {"uhashring", {}}},
        {"uhashring", "default_vnodes40", {"uhashring", {{"vnodes", "40"}}}},
        {"uhashring", "ketama", {"uhashring-ketama", {}}},
        {"uhashring", "ketama_incremental", {"uhashring-ketama", {}}},
        {"cn_treemap", "", {"ketama-group", {}}},
    };
    return modes;
}

} // namespace detail

// The call that has to give what the file holds; nothing for what takes more than a call.
inline std::optional<memcached_call> call_of(const memcached_file& file) {
    for (const auto& known : detail::memcached_modes()) {
        if (known.program == file.program && known.mode == file.mode) {
            memcached_call call = known.call;
            if (known.by_hash && !file.hash.empty()) {
                call.options.emplace_back("hash", file.hash);
            }
            return call;
        }
    }
    return std::nullopt;
}

} // namespace golden
