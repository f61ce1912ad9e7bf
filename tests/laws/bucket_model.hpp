// SPDX-License-Identifier: MIT
#pragma once

#include "laws/operations.hpp"

#include <hashring/core/text.hpp>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace laws {

// Nodes in buckets, of which the one that was left last is the first to be taken.
struct bucket_model {
    std::vector<std::string> at{};      // by bucket, "" where nobody is
    std::vector<std::size_t> to_take{}; // the last one first

    explicit bucket_model(std::size_t capacity) : at(capacity) {
        for (std::size_t i = capacity; i-- > 0;) {
            to_take.push_back(i);
        }
    }
    void leave(std::size_t bucket) {
        at[bucket].clear();
        to_take.push_back(bucket);
    }
    // Who is not in `list` leaves, the last bucket first, and then who is new joins, in its order.
    void become(const std::vector<node_spec>& list) {
        std::set<std::string> joining;
        for (const node_spec& node : list) {
            joining.insert(node.name);
        }
        for (std::size_t bucket = at.size(); bucket-- > 0;) {
            if (!at[bucket].empty() && !joining.contains(at[bucket])) {
                leave(bucket);
            }
            joining.erase(at[bucket]);
        }
        for (const node_spec& node : list) {
            if (joining.contains(node.name)) {
                at[to_take.back()] = node.name;
                to_take.pop_back();
            }
        }
    }
    void rename(const std::string& from, const std::string& to) {
        *std::ranges::find(at, from) = to;
    }
    std::vector<node_spec> nodes() const {
        std::vector<node_spec> result;
        for (const std::string& name : at) {
            if (!name.empty()) {
                result.emplace_back(name);
            }
        }
        return result;
    }
    std::string content() const {
        std::string text;
        for (const std::string& name : at) {
            text += name + ",";
        }
        for (const std::size_t bucket : to_take) {
            text += hashring::concat(hashring::decimal(bucket), " ");
        }
        return text;
    }
};

} // namespace laws
