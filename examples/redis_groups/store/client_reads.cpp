// SPDX-License-Identifier: MIT

#include "chunks.hpp"
#include "client.hpp"
#include "script_texts.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace redis_groups {

namespace group = hashring::group;

namespace {

/// Asks and hears until each batch is decided.
void run_rounds(std::vector<std::unique_ptr<read_batch>>& batches) {
    for (bool is_decided = false; !is_decided;) {
        is_decided = true;
        for (auto& batch : batches) {
            if (batch != nullptr) {
                batch->ask();
            }
        }
        for (auto& batch : batches) {
            if (batch != nullptr) {
                batch->hear();
                is_decided = is_decided && batch->is_decided();
            }
        }
    }
}

/// Whether a group knows nothing of a key at all, not even that it was deleted.
bool knows_nothing(const read_value& value) {
    return value.state == read_state::absent && value.record.empty();
}

} // namespace

void client::read_chunks(const placement::use& at, std::span<const std::string_view> keys,
                         const shares& by_group, bool may_settle,
                         std::vector<read_value>& results) {
    for (std::size_t first = 0; first < largest(by_group); first += settings_.pipeline) {
        std::vector<std::unique_ptr<read_batch>> batches(by_group.size());
        for (group_number g = 0; g < by_group.size(); ++g) {
            const auto which = chunk_of(by_group[g], first, settings_.pipeline);
            if (!which.empty()) {
                batches[g] = std::make_unique<read_batch>(group(at, g), settings_, turn_++);
                for (const std::size_t i : which) {
                    batches[g]->add(keys[i]);
                }
                batches[g]->begin();
            }
        }
        run_rounds(batches);
        for (group_number g = 0; g < by_group.size(); ++g) {
            if (batches[g] != nullptr) {
                const auto which = chunk_of(by_group[g], first, settings_.pipeline);
                std::vector<read_value> some = batches[g]->finish(now_ms());
                for (std::size_t i = 0; i < which.size(); ++i) {
                    results[which[i]] = std::move(some[i]);
                }
                if (may_settle) {
                    settle(at, g, keys, which, results);
                }
            }
        }
    }
}

void client::read_routes(std::span<const std::string_view> keys,
                         const std::vector<std::size_t>& which, std::vector<read_value>& results) {
    const placement::use at(*placement_);
    const std::vector<route> routes = at.routes(keys);
    const auto read = [&](const std::vector<std::size_t>& some, group_number route::* where,
                          bool may_settle) {
        shares by_group(at.group_count());
        for (const std::size_t i : some) {
            by_group[routes[i].*where].push_back(i);
        }
        read_chunks(at, keys, by_group, may_settle, results);
    };
    const auto moving_and_unknown = [&](const std::vector<std::size_t>& some) {
        std::vector<std::size_t> result;
        std::copy_if(some.begin(), some.end(), std::back_inserter(result), [&](std::size_t i) {
            return routes[i].before != no_group && knows_nothing(results[i]);
        });
        return result;
    };
    read(which, &route::owner, true);
    // What is not there yet is still where it was: where nothing is passed on, as it may be moved
    // at this moment. If it is not there either it has just arrived.
    const std::vector<std::size_t> not_there = moving_and_unknown(which);
    read(not_there, &route::before, false);
    read(moving_and_unknown(not_there), &route::owner, true);
}

std::vector<read_value> client::read_many(std::span<const std::string_view> keys) {
    std::vector<read_value> results(keys.size());
    std::vector<std::size_t> open = all_of(keys.size());
    std::erase_if(open, [&](std::size_t i) {
        const bool is_ours = keys[i] == version_key;
        results[i].why = is_ours ? own_key_text : "";
        return is_ours;
    });
    const auto attempt = [&] {
        read_routes(keys, open, results);
        std::erase_if(open, [&](std::size_t i) { return !results[i].may_pass; });
    };
    try_until(settings_.patience, results, attempt);
    return results;
}

void client::settle(const placement::use& at, group_number number,
                    std::span<const std::string_view> keys, std::span<const std::size_t> which,
                    std::vector<read_value>& results) {
    if (settings_.rules.read != group::read_strategy::majority) {
        return;
    }
    std::vector<std::size_t> open;
    std::copy_if(which.begin(), which.end(), std::back_inserter(open), [&](std::size_t i) {
        return results[i].version != group::version{} && !results[i].is_settled;
    });
    if (open.empty()) {
        return;
    }
    write_batch batch(group(at, number), settling_, 0);
    for (const std::size_t i : open) {
        write_request again{keys[i]};
        again.record = results[i].record;
        batch.add(again);
    }
    batch.send();
    const std::vector<write_result> done = batch.finish();
    for (std::size_t k = 0; k < open.size(); ++k) {
        results[open[k]].is_settled = done[k].is_done();
        counts_of(number).repaired_keys += done[k].is_done() ? 1U : 0U;
    }
}

read_value client::get(std::string_view key) {
    return read_many({&key, 1}).front();
}

} // namespace redis_groups
