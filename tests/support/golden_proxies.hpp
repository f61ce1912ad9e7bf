// SPDX-License-Identifier: MIT
#pragma once

#include "support/golden.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
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
