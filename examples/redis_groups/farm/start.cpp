// SPDX-License-Identifier: MIT

#include "start.hpp"

#include "free_port.hpp"

#include <hashring/core/text.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <utility>

namespace redis_groups {

using hashring::concat;
using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

namespace {

constexpr milliseconds start_patience{5000};
constexpr int most_tries = 5; // somebody else may take the port

/// What it said last, in one line.
std::string end_of_log(const std::filesystem::path& folder) {
    std::ifstream file(folder / "log", std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    while (text.ends_with('\n')) {
        text.pop_back();
    }
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text.substr(text.size() - std::min<std::size_t>(text.size(), 500));
}

/// Waits until the process answers. False if it ends before, or takes too long.
bool comes_up(child& process, const address& where, const start_rules& rules) {
    const auto deadline = clock::now() + start_patience;
    while (process.is_running() && clock::now() < deadline) {
        if (rules.answers(where)) {
            return true;
        }
        std::this_thread::sleep_for(milliseconds(5));
    }
    return false;
}

} // namespace

started_server start_server(const std::filesystem::path& parent, const start_rules& rules) {
    for (int tries = 1;; ++tries) {
        const address where{"127.0.0.1", free_port()};
        const std::filesystem::path folder = parent / hashring::decimal(where.port);
        std::filesystem::create_directory(folder); // not its parent: that may have been removed
        const std::vector<std::string> words = rules.words(where, folder);
        child process(words, (folder / "log").string());
        if (comes_up(process, where, rules)) {
            return {std::move(process), where, folder};
        }
        if (tries == most_tries) {
            throw std::runtime_error(
                concat(words.front(), " does not start: ", end_of_log(folder)));
        }
    }
}

child start_again(const address& where, const std::filesystem::path& folder,
                  const start_rules& rules) {
    const std::vector<std::string> words = rules.words(where, folder);
    child process(words, (folder / "log").string());
    if (!comes_up(process, where, rules)) {
        throw std::runtime_error(
            concat(words.front(), " does not start again: ", end_of_log(folder)));
    }
    return process;
}

} // namespace redis_groups
