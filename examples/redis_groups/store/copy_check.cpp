// SPDX-License-Identifier: MIT

#include "copy_check.hpp"

#include "key_scan.hpp"
#include "reply_check.hpp"

#include <hashring/core/text.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

namespace redis_groups {

namespace {

constexpr std::size_t most_named = 10;

/// The whole value of a key, and when it expires, in a form that equal values share.
struct content {
    std::string type;
    std::int64_t expires_at = 0;
    std::vector<std::string> parts;

    friend bool operator==(const content&, const content&) = default;
};

/// How a value is read, by type; `width` parts belong together, and groups of them have no order
/// unless it is 0.
struct reading {
    std::string_view type;
    std::vector<std::string_view> before_key;
    std::vector<std::string_view> after_key;
    std::size_t width;
};

const reading& reading_of(std::string_view type) {
    static const std::array<reading, 6> readings{{
        {"string", {"GET"}, {}, 0},
        {"list", {"LRANGE"}, {"0", "-1"}, 0},
        {"hash", {"HGETALL"}, {}, 2},
        {"set", {"SMEMBERS"}, {}, 1},
        {"zset", {"ZRANGE"}, {"0", "-1", "WITHSCORES"}, 0},
        {"stream", {"XRANGE"}, {"-", "+"}, 0},
    }};
    static const reading other{"", {"DUMP"}, {}, 0}; // types of modules
    const auto found = std::find_if(readings.begin(), readings.end(),
                                    [&](const reading& each) { return each.type == type; });
    return found == readings.end() ? other : *found;
}

void add_parts(const reply& from, std::vector<std::string>& to) {
    if (from.items.empty()) {
        to.push_back(from.text);
    }
    for (const reply& each : from.items) {
        add_parts(each, to);
    }
}

void sort_groups(std::vector<std::string>& parts, std::size_t width) {
    std::vector<std::vector<std::string>> groups;
    for (std::size_t i = 0; i + width <= parts.size(); i += width) {
        groups.emplace_back(parts.begin() + static_cast<std::ptrdiff_t>(i),
                            parts.begin() + static_cast<std::ptrdiff_t>(i + width));
    }
    std::sort(groups.begin(), groups.end());
    parts.clear();
    for (const auto& each : groups) {
        parts.insert(parts.end(), each.begin(), each.end());
    }
}

void append_reading(connection& server, const std::string& key, const reading& how) {
    std::vector<std::string_view> words = how.before_key;
    words.push_back(key);
    words.insert(words.end(), how.after_key.begin(), how.after_key.end());
    server.append(words);
}

/// What a server holds under `keys`, in order; a type of `none` where it has none.
std::vector<content> read_all(connection& server, const std::vector<std::string>& keys) {
    std::vector<content> result(keys.size());
    for (const std::string& key : keys) {
        server.append({"TYPE", key});
        server.append({"PEXPIRETIME", key});
    }
    server.send();
    for (content& each : result) {
        reply type = server.receive();
        const reply expiry = server.receive();
        check(type); // errors, too, may be equal
        check(expiry);
        each.type = std::move(type.text);
        each.expires_at = expiry.number;
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
        append_reading(server, keys[i], reading_of(result[i].type));
    }
    server.send();
    for (content& each : result) {
        const reply answer = server.receive();
        if (each.type != "none") {
            check(answer);
            add_parts(answer, each.parts);
        }
        if (const std::size_t width = reading_of(each.type).width; width > 0) {
            sort_groups(each.parts, width);
        }
    }
    return result;
}

class comparison {
public:
    comparison(group_link& group, std::size_t page) : group_(group), page_(page) {}

    copy_comparison run() {
        const auto& copies = group_.view().copies();
        for (std::size_t i = 0; i < copies.size(); ++i) {
            if (!is_answering(copies[i].state)) {
                result_.silent.push_back(copies[i].name);
            } else if (i != copies.master()) {
                others_.push_back(i);
            }
        }
        result_.copies = others_.size();
        compare_values();
        for (const std::size_t copy : others_) {
            find_more(copy);
        }
        result_.different = different_.size();
        for (const std::string& key : different_) {
            if (result_.which.size() < most_named) {
                result_.which.push_back(key);
            }
        }
        return std::move(result_);
    }

private:
    /// Each key of the master on all copies.
    void compare_values() {
        connection& master = group_.to_master();
        key_scan scan(page_);
        for (auto keys = scan.next(master); !keys.empty(); keys = scan.next(master)) {
            result_.keys += keys.size();
            const std::vector<content> ours = read_all(master, keys);
            for (const std::size_t copy : others_) {
                const std::vector<content> theirs = read_all(group_.to(copy), keys);
                for (std::size_t i = 0; i < keys.size(); ++i) {
                    if (ours[i] != theirs[i]) {
                        different_.insert(keys[i]);
                    }
                }
            }
        }
    }

    /// Keys that a copy has and the master has not.
    void find_more(std::size_t copy) {
        connection& master = group_.to_master();
        connection& other = group_.to(copy);
        key_scan scan(page_);
        for (auto keys = scan.next(other); !keys.empty(); keys = scan.next(other)) {
            for (const std::string& key : keys) {
                master.append({"EXISTS", key});
            }
            master.send();
            for (std::string& key : keys) {
                const reply is_there = master.receive();
                check(is_there);
                if (is_there.number == 0) {
                    different_.insert(std::move(key));
                }
            }
        }
    }

    group_link& group_;
    std::size_t page_;
    std::vector<std::size_t> others_;
    std::set<std::string> different_;
    copy_comparison result_;
};

} // namespace

copy_comparison compare_copies(group_link& group, std::size_t page) {
    return comparison(group, page).run();
}

copy_comparison compare_copies(const group_spec& group, const settings& chosen) {
    sentinels from(chosen.sentinels, chosen.sentinel_connections);
    group_link link(group, chosen);
    link.look(from);
    return compare_copies(link, chosen.pipeline);
}

} // namespace redis_groups
