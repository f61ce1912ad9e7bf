// SPDX-License-Identifier: MIT

#include "client.hpp"

#include "chunks.hpp"
#include "script_texts.hpp"

#include <hashring/core/text.hpp>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <unordered_set>
#include <utility>

namespace redis_groups {

namespace group = hashring::group;
using hashring::concat;
using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

std::uint64_t now_ms() {
    const auto since = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<milliseconds>(since).count());
}

client::client(const std::vector<group_spec>& groups, settings chosen)
    : client(std::make_shared<placement>(groups), std::move(chosen)) {}

client::client(std::shared_ptr<placement> ring, settings chosen)
    : settings_(std::move(chosen)),
      settling_(settings_),
      placement_(std::move(ring)),
      sentinels_(settings_.sentinels, settings_.sentinel_connections) {
    settling_.rules.write = group::write_strategy::master_first_sync;
    const placement::use at(*placement_);
    if (at.group_count() == 0) {
        throw std::invalid_argument("there is no group");
    }
    for (group_number i = 0; i < at.group_count(); ++i) {
        if (at.group(i).copies.empty() && sentinels_.empty()) {
            throw std::invalid_argument(concat("group '", at.group(i).name,
                                               "' has no copies, and there is no sentinel to ask"));
        }
    }
}

group_link& client::group(const placement::use& at, group_number number) {
    if (links_.size() < at.group_count()) {
        links_.resize(at.group_count());
    }
    std::unique_ptr<group_link>& link = links_[number];
    if (link == nullptr) {
        link = std::make_unique<group_link>(at.group(number), settings_);
    }
    link->look_if_due(sentinels_);
    return *link;
}

// --- writing -------------------------------------------------------------------------------------

namespace {

/// Which of the `open` writes go to which group; also says of each of them to which it goes.
std::vector<std::vector<std::size_t>> share_out(const placement::use& at,
                                                std::span<const std::string_view> keys,
                                                const std::vector<std::size_t>& open,
                                                std::vector<group_number>& owners) {
    const std::vector<route> routes = at.routes(keys);
    std::vector<std::vector<std::size_t>> by_group(at.group_count());
    for (const std::size_t i : open) {
        by_group[routes[i].owner].push_back(i);
        owners[i] = routes[i].owner;
    }
    return by_group;
}

/// A group's writes that are not tried before an earlier one has passed.
void put_off(std::span<const std::size_t> which, std::vector<write_result>& results) {
    for (const std::size_t i : which) {
        results[i].why = "a write before it has not been applied";
        results[i].may_pass = true;
    }
}

/// Takes over the results of a batch; returns whether all of it has been settled.
bool take(std::vector<write_result> some, std::span<const std::size_t> which,
          std::vector<write_result>& results) {
    bool is_over = true;
    for (std::size_t i = 0; i < which.size(); ++i) {
        is_over = is_over && !some[i].may_pass;
        results[which[i]] = std::move(some[i]);
    }
    return is_over;
}

/// Leaves in `share` the writes to try again. One that a later write of the same key has overtaken
/// is not: it would replace the later one's value.
void keep_open(std::vector<std::size_t>& share, std::span<const write_request> writes,
               std::vector<write_result>& results) {
    std::unordered_set<std::string_view> overtaken;
    for (std::size_t k = share.size(); k > 0; --k) {
        const std::size_t i = share[k - 1];
        if (!results[i].may_pass) {
            overtaken.insert(writes[i].key);
        } else if (overtaken.contains(writes[i].key)) {
            results[i].may_pass = false;
        }
    }
    std::erase_if(share, [&](std::size_t i) { return !results[i].may_pass; });
}

} // namespace

bool client::write_chunks(const placement::use& at, std::span<const write_request> writes,
                          const shares& by_group, std::vector<write_result>& results) {
    bool lacked_script = false;
    std::vector<bool> stopped(by_group.size(), false);
    for (std::size_t first = 0; first < largest(by_group); first += settings_.pipeline) {
        std::vector<std::unique_ptr<write_batch>> batches(by_group.size());
        for (group_number g = 0; g < by_group.size(); ++g) {
            const auto which = chunk_of(by_group[g], first, settings_.pipeline);
            if (which.empty()) {
                continue;
            }
            if (stopped[g]) {
                put_off(which, results);
                continue;
            }
            batches[g] = std::make_unique<write_batch>(group(at, g), settings_, at.least_epoch());
            for (const std::size_t i : which) {
                batches[g]->add(writes[i]);
            }
            batches[g]->send();
        }
        for (group_number g = 0; g < by_group.size(); ++g) {
            if (batches[g] != nullptr) {
                const auto which = chunk_of(by_group[g], first, settings_.pipeline);
                stopped[g] = !take(batches[g]->finish(), which, results);
                lacked_script = lacked_script || batches[g]->lacked_script();
            }
        }
    }
    return lacked_script;
}

std::vector<write_result> client::write_many(std::span<const write_request> writes) {
    std::vector<std::string_view> keys;
    keys.reserve(writes.size());
    for (const write_request& each : writes) {
        keys.push_back(each.key);
    }
    std::vector<write_result> results(writes.size());
    std::vector<std::size_t> open = all_of(writes.size());
    std::erase_if(open, [&](std::size_t i) {
        const bool is_ours = writes[i].key == version_key;
        results[i].why = is_ours ? own_key_text : "";
        return is_ours;
    });
    std::vector<group_number> owners(writes.size(), no_group);
    const auto attempt = [&] {
        const placement::use at(*placement_);
        bool is_first = true;
        for (bool again = true; again; is_first = false) {
            const shares by_group = share_out(at, keys, open, owners);
            again = write_chunks(at, writes, by_group, results) && is_first;
            keep_open(open, writes, results);
        }
    };
    try_until(settings_.patience, results, attempt);
    count(results, owners);
    return results;
}

write_result client::set(std::string_view key, std::string_view value,
                         std::optional<milliseconds> lives_for) {
    write_request one{key, value};
    if (lives_for) {
        one.expires_at = now_ms() + static_cast<std::uint64_t>(lives_for->count());
    }
    return write_many({&one, 1}).front();
}

write_request client::deletion_of(std::string_view key) const {
    const auto retention = static_cast<std::uint64_t>(settings_.retention.count());
    return {key, {}, group::record_kind::tombstone, now_ms() + retention, {}};
}

write_result client::erase(std::string_view key) {
    const write_request one = deletion_of(key);
    return write_many({&one, 1}).front();
}

void client::begin_anew() noexcept {
    for (const auto& link : links_) {
        if (link != nullptr) {
            link->begin_anew();
            link->drop_all();
        }
    }
}

} // namespace redis_groups
