// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>

namespace tool {

/// How many keys are done and at what rate, on a terminal's standard error; silent in a pipe and
/// while the output goes to the same terminal.
class progress {
public:
    progress();

    void step() {
        if (++keys_ % 65536 == 0 && visible_) {
            show();
        }
    }
    /// Wipes the line.
    void finish() const;

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
