// SPDX-License-Identifier: MIT
#pragma once

#include "support/catch.hpp"
#include "support/golden_proxies.hpp"
#include "support/process.hpp"
#include "support/tool_calls.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iostream>
#include <string>
#include <vector>

// The golden files under proxy/ against the command line.
namespace golden {

// What a file's call is: the lines of its nodes, their names and the scheme with its options.
struct tool_call {
    std::string nodes;
    std::vector<std::string> names;
    support::arguments options;

    void add(const std::string& name, const std::string& more) {
        if (std::find(names.begin(), names.end(), name) == names.end()) { // a line that came before
            names.push_back(name);
            nodes += name + " " + more + "\n";
        }
    }
    void set(const std::string& option, const std::string& value) {
        if (!value.empty()) {
            options.insert(options.end(), {"--" + option, value});
        }
    }
    void set(const settings& given) {
        for (const auto& [option, value] : given) {
            set(option, value);
        }
    }
    void set_flag(const std::string& option) { options.push_back("--" + option); }
};

// The keys of a file in hexadecimal, a line each, but for those that its program cannot take.
inline std::string keys_of(const proxy_file& file) {
    const auto keys = lines("proxy/keys.hex");
    std::string text;
    for (std::size_t i = 0; i < file.rows.size(); ++i) {
        if (file.rows[i] != "-") {
            text += (file.table ? fields(file.rows[i]).at(0) : keys.at(i)) + "\n";
        }
    }
    return text;
}

// What stands behind each key that the program takes: `shown` is what its row's number says.
inline void count_answers(tally& counted, const proxy_file& file, const std::string& printed,
                          const std::function<std::string(const std::string& row)>& shown) {
    const auto answers = support::lines(printed);
    std::size_t next = 0;
    for (const std::string& row : file.rows) {
        if (row != "-") {
            const std::string wanted = file.table ? fields(row).at(1) : shown(row);
            const bool met = next < answers.size() &&
                             answers[next].substr(answers[next].find('\t') + 1) == wanted;
            counted.add(met, file.name + " answer " + std::to_string(next++));
        }
    }
    CHECK(answers.size() == next);
}

inline void count_call(tally& counted, const proxy_file& file, const tool_call& made) {
    const support::scratch folder;
    support::arguments options = made.options;
    options.insert(options.begin(), "place");
    options.insert(options.end(), {"--nodes", folder.write("nodes", made.nodes), "--keys",
                                   folder.write("keys", keys_of(file)), "--hex"});
    const support::outcome o = support::run_tool(options);
    CAPTURE(file.name, o.err);
    CHECK(o.code == 0);
    const auto& names =
        file.nodes.empty() || file.nodes.size() == made.names.size() ? made.names : file.nodes;
    count_answers(counted, file, o.out,
                  [&](const std::string& row) { return names.at(std::stoul(row)); });
}

// All files whose names start with `prefix`, but for those with one of `untold` in their name.
inline void check_program(const std::string& prefix,
                          const std::function<tool_call(const proxy_file&)>& call_for,
                          std::size_t at_least, const std::vector<std::string>& untold = {}) {
    tally counted;
    for (const proxy_file& file : proxy_files("owners", prefix)) {
        if (std::none_of(untold.begin(), untold.end(),
                         [&](const std::string& part) { return file.is(part); })) {
            count_call(counted, file, call_for(file));
        }
    }
    report(prefix + " by the tool", counted, at_least);
}

} // namespace golden
