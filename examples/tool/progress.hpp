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

} // namespace tool
