// SPDX-License-Identifier: MIT

// Readers of what others wrote, and of what nobody should write.

#include "fuzz/memory_file.hpp"
#include "growth/growth.hpp"
#include "growth/names.hpp"
#include "hdfs/read.hpp"
#include "redis_groups/store/reply.hpp"
#include "redis_groups/store/reply_limits.hpp"
#include "tool/keys.hpp"
#include "tool/nodes_file.hpp"
#include "tool/plan_input.hpp"
#include "tool/plan_state.hpp"

#include <hashring/core/text.hpp>

#include <hiredis/hiredis.h>

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace growth {

namespace {

using hashring::concat;
using hashring::decimal;
using make_text = std::function<std::string(std::size_t)>;

/// `piece` so many times, with `@` replaced by a number that is another one each time.
std::string repeated(std::size_t count, std::string_view piece) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        for (const char c : piece) {
            text += c == '@' ? decimal(i + 100'000) : std::string(1, c);
        }
    }
    return text;
}
make_text lines(const std::string& piece, const std::string& before = "",
                const std::string& after = "") {
    return [=](std::size_t count) {
        return concat(before, repeated(count, piece), after);
    };
}

/// Reads a text; that it may be refused does not matter here.
template <class Read>
growing reading(std::string name, std::size_t size, make_text text, Read read,
                double bound = linear) {
    return {std::move(name), size, bound, [text, read](std::size_t count) {
                return [read, whole = text(count)] {
                    try {
                        read(whole);
                    } catch (const std::exception&) {
                    }
                };
            }};
}

void read_nodes(const std::string& text) {
    const fuzz::memory_file file(text);
    static_cast<void>(tool::read_nodes_file(file.name()));
}
void read_report(const std::string& text) {
    const hdfs::report r = hdfs::read_report(text);
    tool::check_report(r, "report");
    static_cast<void>(tool::make_input(r));
}
void read_state(const std::string& text) {
    const fuzz::memory_file file(text);
    static_cast<void>(tool::text_of(tool::load_state(file.name()), "state"));
}
void read_keys(const std::string& text, bool hex) {
    const fuzz::memory_file file(text);
    tool::key_reader keys(file.name(), hex, true);
    while (keys.next()) {
    }
}
/// As it comes in from a socket.
void read_replies(const std::string& text) {
    const std::unique_ptr<redisReader, void (*)(redisReader*)> reader(redisReaderCreate(),
                                                                      redisReaderFree);
    reader->fn = redis_groups::limited_functions(reader->fn);
    for (std::size_t at = 0; at < text.size(); at += 1024) {
        const std::string_view part = std::string_view(text).substr(at, 1024);
        static_cast<void>(redisReaderFeed(reader.get(), part.data(), part.size()));
        void* raw = nullptr;
        static_cast<void>(redisReaderGetReply(reader.get(), &raw));
        if (redis_groups::is_overlong(*reader)) {
            return;
        }
        if (raw != nullptr) {
            const std::unique_ptr<void, void (*)(void*)> freed(raw, freeReplyObject);
            const auto copy = redis_groups::copy_reply(*static_cast<const redisReply*>(raw));
            static_cast<void>(redis_groups::field(copy, "not there"));
        }
    }
}

void add_nodes_files(std::vector<growing>& all) {
    const auto add = [&](const char* name, std::size_t size, make_text text) {
        all.push_back(reading(concat("nodes file/", name), size, std::move(text), read_nodes));
    };
    // what it takes to set aside a buffer is a part of each
    add("lines", 4000, lines("10.0.@:11211 1.5 zone=z@ rack=r@\n"));
    add("comments", 20000, lines("# a comment with @ in it\n", "a\n"));
    add("a long line of words", 3000, lines("x@ ", "a 1 "));
    add("a long line of blanks", 30000, lines(" ", "a 1 "));
    add("a long name", 30000, lines("x"));
    add("a name that is always escaped", 10000, lines("%20"));
    add("a long line without an end", 200000, lines("abcdefgh"));
    add("other keys", 3000, lines(" k@=1", "a 1"));
}

std::string node_record(std::string_view more = "") {
    return concat("Name: 10.0.@:50010 (dn@)\nHostname: dn@\nDecommission Status : Normal\n"
                  "Configured Capacity: 53687091200 (50 GB)\nDFS Used: 21598293269 (20.11 GB)\n"
                  "DFS Remaining: 26843545600 (25 GB)\nLast contact: today\n",
                  more, "\n");
}

void add_reports(std::vector<growing>& all) {
    const auto add = [&](const char* name, std::size_t size, make_text text) {
        all.push_back(reading(concat("report/", name), size, std::move(text), read_report));
    };
    const std::string head = "Configured Capacity: 375809638400 (350 GB)\n-----------------\n";
    const std::string live = concat(head, "Live datanodes (1):\n\n");
    const auto whole = [=](std::size_t count) {
        return concat(head, "Live datanodes (", decimal(count), "):\n\n",
                      repeated(count, node_record()));
    };
    add("dfsadmin: nodes", 200, whole);
    add("dfsadmin: one node again and again", 200,
        lines("Name: 10.0.0.1:50010 (a)\nLast contact: x\n\n", live));
    add("dfsadmin: fields again and again", 500,
        lines("DFS Used: 1 (1 B)\n", live + "Name: a:1\n"));
    add("dfsadmin: sections", 500, lines("Live datanodes (@):\n", head));
    add("dfsadmin: sections that nobody knows", 500, lines("Odd datanodes (@):\n", head));
    add("dfsadmin: lines of a logger", 2000, lines("26/11/30 INFO x.y.Z: @ nothing\n", live));
    add("dfsadmin: empty lines", 10000, lines("\n", live));
    add("dfsadmin: a line of colons", 10000, lines(":", live));
    add("tsv: nodes", 500, lines("10.0.@:1\t100\t50\t160\n"));
    add("tsv: fields", 3000, lines("\tx", "name"));
    const std::string node =
        R"(\"h@:1\":{\"xferaddr\":\"10.@:1\",\"adminState\":\"In Service\",\"capacity\":9,)"
        R"(\"usedSpace\":4,\"remaining\":5},)";
    const std::string bean = R"({"beans":[{"LiveNodes":"{)";
    add("jmx: nodes", 100, lines(node, bean, R"(\"z:1\":{}}"}]})"));
    add("jmx: one node again and again", 200, lines(R"(\"h:1\":{},)", bean, R"(\"z:1\":{}}"}]})"));
    add("jmx: beans", 500, lines(R"({"name":"@"},)", R"({"beans":[)", R"({"LiveNodes":"{}"}]})"));
    add("jmx: members", 500, lines(R"("m@":1,)", R"({"beans":[],)", R"("z":1})"));
    add("jmx: lists in each other", 3000, [](std::size_t count) {
        return concat(R"({"beans":)", std::string(count, '['), std::string(count, ']'), "}");
    });
    add("jmx: objects in each other", 3000, lines(R"({"a":)"));
    add("jmx: a long number", 10000, lines("1", R"({"beans":[)"));
    add("jmx: escapes", 5000, lines(R"(\\\\)", R"({"beans":[{"LiveNodes":")", R"("}]})"));
}

void add_others(std::vector<growing>& all) {
    const std::string state_head =
        R"({"format":"hashring plan state 1","literal":{"alerts":[]},"weights":{"vnodes":1,"nodes":[)";
    const std::string node =
        R"({"name":"n@","load":"1","gain":"1","last":"none","cooldown":1,"active":true},)";
    const std::string state_end =
        R"({"name":"z","load":"1","gain":"1","last":"none","cooldown":1,"active":true}]},)"
        R"("transfers":{"cooldown":1}})";
    all.push_back(reading("plan state/nodes", 200, lines(node, state_head, state_end), read_state));
    all.push_back(reading("plan state/lists in each other", 50000, lines("["), read_state));
    all.push_back(reading("keys/lines", 20000, lines("user:@\n"),
                          [](const std::string& text) { read_keys(text, false); }));
    all.push_back(reading("keys/in hexadecimal", 5000, lines("00ff@\n"),
                          [](const std::string& text) { read_keys(text, true); }));
    all.push_back(reading("keys/a long one", 1'000'000, lines("ab"),
                          [](const std::string& text) { read_keys(text, false); }));
    all.push_back(reading(
        "redis/a list", 2000,
        [](std::size_t count) {
            return concat("*", decimal(count), "\r\n", repeated(count, "$6\r\n@\r\n"));
        },
        read_replies));
    all.push_back(reading(
        "redis/a long text", 200000,
        [](std::size_t count) {
            return concat("$", decimal(count), "\r\n", std::string(count, 'x'), "\r\n");
        },
        read_replies));
    all.push_back(reading("redis/a line without an end", 66000, lines("x", "+"), read_replies));
    all.push_back(reading("redis/INFO", 3000, lines("name@:1\r\n"), [](const std::string& text) {
        static_cast<void>(redis_groups::info_field(text, "role"));
    }));
}

} // namespace

std::vector<growing> readers() {
    std::vector<growing> all;
    add_nodes_files(all);
    add_reports(all);
    add_others(all);
    return all;
}

} // namespace growth
