// SPDX-License-Identifier: MIT
#pragma once

#include "laws/hold.hpp"
#include "laws/operations.hpp"
#include "laws/shrink.hpp"
#include "support/sanitizers.hpp"

#include <hashring/core/text.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace laws {

// Contents and fingerprints that were seen together: equal ones with equal ones.
class seen_fingerprints {
public:
    void see(const std::string& content, std::uint64_t fingerprint) {
        const auto [known, is_new] = by_content_.emplace(content, fingerprint);
        hold(known->second == fingerprint, "what is placed alike has one fingerprint");
        const auto [same, is_first] = by_fingerprint_.emplace(fingerprint, content);
        hold(same->second == content, "what is placed otherwise has another fingerprint");
    }

private:
    std::map<std::string, std::uint64_t> by_content_;
    std::map<std::uint64_t, std::string> by_fingerprint_;
};

// What goes wrong in a history, or "".
using failure_of = std::function<std::string(const std::vector<operation>&)>;

// By a `run`, whose `step` throws where a law is broken.
template <class Run>
std::string first_failure(Run run, const std::vector<operation>& history) {
    for (const operation& op : history) {
        try {
            run.step(op);
        } catch (const std::exception& error) {
            return error.what();
        }
    }
    return {};
}

// Of a history that failed the seed, and the shortest one that still does, to be read.
inline std::string report(std::uint64_t seed, const std::vector<operation>& failing,
                          const failure_of& failure) {
    const shrinker<operation> shorter(
        [&](const auto& history) { return !failure(history).empty(); }, simpler_operations,
        renamed_histories);
    const std::vector<operation> shortest = shorter.shrunk(failing);
    std::string text =
        hashring::concat("seed ", hashring::decimal(seed), " breaks '", failure(failing),
                         "', and at its shortest '", failure(shortest), "':\n");
    for (const operation& op : shortest) {
        text += hashring::concat("  ", text_of(op), "\n");
    }
    return text;
}

// Fewer where they run ten times slower and are not to find wrong answers.
inline constexpr std::uint64_t all_histories = is_sanitized ? 12 : 60;

// Runs `histories` of `length` drawn operations, and returns the report of the first that breaks a
// law, or "".
inline std::string broken_history(const failure_of& failure, const std::vector<verb>& verbs,
                                  std::uint64_t histories, std::size_t length,
                                  unsigned odd_eighths = 8) {
    for (std::uint64_t seed = 1; seed <= histories; ++seed) {
        const std::vector<operation> history = draw_history(seed, length, verbs, odd_eighths);
        if (!failure(history).empty()) {
            return report(seed, history, failure);
        }
    }
    return {};
}

} // namespace laws
