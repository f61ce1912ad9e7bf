// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/group/copy_list.hpp>
#include <hashring/group/record.hpp>
#include <hashring/group/version.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

// Servers that replicate as Redis does: a replica has a first part of its master's writes, or is
// copied whole.

namespace group_model {

using namespace hashring::group;

struct applied_write {
    int key = 0;
    std::string bytes; // a record

    friend bool operator==(const applied_write&, const applied_write&) = default;
};

using log_type = std::vector<applied_write>;

// The records that a log leaves.
inline std::map<int, std::string> data_of(const log_type& log) {
    std::map<int, std::string> result;
    for (const applied_write& w : log) {
        result[w.key] = w.bytes;
    }
    return result;
}

inline version version_in(const std::string& bytes) {
    return decode(bytes).record.version;
}

struct server {
    bool is_running = true;
    bool is_frozen = false;
    bool is_master = false; // says so itself, perhaps wrongly
    std::size_t follows = no_copy;
    std::uint64_t origin = 0;
    std::uint64_t epoch = 0; // of its reign, as a client knows it that knows this master
    log_type log;

    [[nodiscard]] bool answers() const { return is_running && !is_frozen; }
    [[nodiscard]] version last_version() const {
        version last;
        for (const applied_write& w : log) {
            last = std::max(last, version_in(w.bytes));
        }
        return last;
    }
    // What it holds under a key, or nothing.
    [[nodiscard]] std::string record_of(int key) const {
        const auto found = std::find_if(log.rbegin(), log.rend(),
                                        [&](const applied_write& w) { return w.key == key; });
        return found == log.rend() ? "" : found->bytes;
    }
    [[nodiscard]] bool has(const applied_write& w) const {
        return std::find(log.begin(), log.end(), w) != log.end();
    }
    [[nodiscard]] bool is_behind_of(const server& other) const {
        return log.size() <= other.log.size() &&
               std::equal(log.begin(), log.end(), other.log.begin());
    }
};

} // namespace group_model
