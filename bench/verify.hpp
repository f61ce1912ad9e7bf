// SPDX-License-Identifier: MIT
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>

/// \file
/// Checks before the clock starts: what answers wrongly gets no time.

namespace hashring::bench {

/// Whether any benchmark of the program has failed its check.
inline bool any_failed = false;

/// Whether `check` finds nothing wrong. It returns what is wrong in words, or no text, and runs
/// once for each `subject`, however often the benchmark is entered; if it fails, so does the
/// benchmark.
template <class Check>
bool verify(benchmark::State& state, const std::string& subject, Check check) {
    static std::map<std::string, std::string> complaints;
    auto known = complaints.find(subject);
    if (known == complaints.end()) {
        known = complaints.emplace(subject, check()).first;
    }
    if (known->second.empty()) {
        return true;
    }
    any_failed = true;
    state.SkipWithError(known->second.c_str());
    return false;
}

} // namespace hashring::bench
