// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>

namespace tool {

/// How many keys are done and at what rate, on a terminal's standard error; silent in a pipe, and
/// where lines of output would run through it on the same terminal. The line goes with the object.
class progress {
public:
    /// With `output_follows` nothing is printed on standard output before the keys are done.
    explicit progress(bool output_follows);
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;
    ~progress() { finish(); }

    void step() {
        if (++keys_ % 65536 == 0 && visible_) {
            show();
        }
    }
    /// Wipes the line.
    void finish();

private:
    using clock = std::chrono::steady_clock;

    void show();

    bool visible_;
    bool shown_ = false;
    std::uint64_t keys_ = 0;
    clock::time_point start_ = clock::now();
    clock::time_point last_ = start_;
};

/// How many steps of a known number are done, as a bar on a terminal's standard error; silent in a
/// pipe. The bar goes with the object.
class progress_bar {
public:
    explicit progress_bar(std::uint64_t steps);
    progress_bar(const progress_bar&) = delete;
    progress_bar& operator=(const progress_bar&) = delete;
    ~progress_bar() { finish(); }

    void step();
    /// Wipes the bar.
    void finish();

private:
    void show();

    bool visible_;
    bool shown_ = false;
    std::uint64_t steps_;
    std::uint64_t done_ = 0;
};

} // namespace tool
