// SPDX-License-Identifier: MIT
#include "nodes_file.hpp"

#include "failure.hpp"
#include "input.hpp"

#include <hashring/core/error.hpp>
#include <hashring/core/text.hpp>

#include <map>
#include <set>
#include <string_view>

namespace tool {

namespace {

/// A reason that a line is wrong, before the line is known.
class bad_line : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/// The words of a line up to a comment.
std::vector<std::string_view> split(std::string_view line) {
    if (line.ends_with('\r')) {
        line.remove_suffix(1);
    }
    std::vector<std::string_view> words;
    std::size_t at = 0;
    while (at < line.size()) {
        if (is_blank(line[at])) {
            ++at;
            continue;
        }
        if (line[at] == '#') {
            break;
        }
        std::size_t end = at;
        while (end < line.size() && !is_blank(line[end])) {
            ++end;
        }
        words.push_back(line.substr(at, end - at));
        at = end;
    }
    return words;
}

std::string unescape(std::string_view word) {
    std::string name;
    for (std::size_t i = 0; i < word.size(); ++i) {
        if (word[i] != '%') {
            name += word[i];
            continue;
        }
        const std::string_view code = word.substr(i + 1, 2);
        if (code != "20" && code != "25") {
            throw bad_line(concat("the name ", in_quotes(word),
                                  " has a bare percent sign: write %25, or %20 for a blank"));
        }
        name += code == "20" ? ' ' : '%';
        i += 2;
    }
    return name;
}

std::uint32_t parse_id(std::string_view value) {
    const auto id = hashring::parse_decimal<std::uint32_t>(value);
    if (!id) {
        throw bad_line(concat("id=", in_quotes(value), " is not a whole number below 2^32"));
    }
    return *id;
}

bool parse_down(std::string_view value) {
    if (value != "0" && value != "1") {
        throw bad_line(concat("down=", in_quotes(value), " is neither 0 nor 1"));
    }
    return value == "1";
}

void set_attribute(listed_node& node, std::string_view key, std::string_view value) {
    if (value.empty()) {
        throw bad_line(concat(std::string(key), "= has no value"));
    }
    if (key == "zone") {
        node.zone = value;
    } else if (key == "rack") {
        node.rack = value;
    } else if (key == "host") {
        node.host = value;
    } else if (key == "addr") {
        node.addr = value;
    } else if (key == "guid") {
        node.guid = value;
    } else if (key == "id") {
        node.id = parse_id(value);
    } else if (key == "down") {
        node.down = parse_down(value);
    } else {
        throw bad_line(concat("unknown key ", in_quotes(key),
                              ": zone, rack, host, addr, id, guid and down are known"));
    }
}

listed_node parse_words(const std::vector<std::string_view>& words) {
    listed_node node;
    node.name = unescape(words[0]);
    if (node.name == "-") {
        throw bad_line("the name '-' stands for no node");
    }
    std::set<std::string_view> keys;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::size_t equals = words[i].find('=');
        if (equals == std::string_view::npos) {
            if (i > 1) {
                throw bad_line(concat("unexpected ", in_quotes(words[i]),
                                      ": after the weight only key=value may come"));
            }
            node.weight = hashring::weight::parse(words[i]);
            continue;
        }
        const std::string_view key = words[i].substr(0, equals);
        if (!keys.insert(key).second) {
            throw bad_line(concat("the key ", in_quotes(key), " comes twice"));
        }
        set_attribute(node, key, words[i].substr(equals + 1));
    }
    return node;
}

} // namespace

std::vector<listed_node> read_nodes_file(const std::string& file, const nodes_file_limits& limits) {
    line_reader lines(file, limits.line_bytes);
    std::vector<listed_node> nodes;
    std::map<std::string, std::size_t> seen; // names may be chosen to collide in a hash
    std::string_view line;
    while (lines.next(line)) {
        if (lines.line_number() == 1 && line.starts_with("\xef\xbb\xbf")) {
            line.remove_prefix(3); // the byte order mark that some editors put before UTF-8
        }
        const std::vector<std::string_view> words = split(line);
        if (words.empty()) {
            continue;
        }
        try {
            if (line.find('\0') != std::string_view::npos) {
                throw bad_line("the line holds a NUL byte");
            }
            listed_node node = parse_words(words);
            node.line = lines.line_number();
            const auto [earlier, fresh] = seen.emplace(node.name, node.line);
            if (!fresh) {
                throw bad_line(concat("the name ", in_quotes(node.name), " stands on line ",
                                      decimal(earlier->second), " already"));
            }
            if (nodes.size() >= limits.nodes) {
                throw bad_line(concat("more than ", decimal(limits.nodes), " nodes"));
            }
            nodes.push_back(std::move(node));
        } catch (const bad_line& reason) {
            throw input_failure(file, lines.line_number(), reason.what());
        } catch (const hashring::invalid_weight& reason) {
            throw input_failure(file, lines.line_number(), reason.what());
        }
    }
    if (nodes.empty()) {
        throw input_failure(file, "no nodes");
    }
    return nodes;
}

} // namespace tool
