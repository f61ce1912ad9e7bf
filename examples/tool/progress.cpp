// SPDX-License-Identifier: MIT
#include "progress.hpp"

#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <string>

namespace tool {

progress::progress(bool output_follows)
    : visible_(::isatty(STDERR_FILENO) != 0 && (output_follows || ::isatty(STDOUT_FILENO) == 0)) {}

void progress::show() {
    const clock::time_point now = clock::now();
    if (now - last_ < std::chrono::milliseconds(200)) {
        return;
    }
    last_ = now;
    shown_ = true;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    std::fprintf(stderr, "\r%.1f million keys, %.1f million a second ",
                 static_cast<double>(keys_) / 1e6, static_cast<double>(keys_) / 1e6 / seconds);
}

void progress::finish() {
    if (shown_) {
        std::fputs("\r\033[K", stderr);
        shown_ = false;
    }
}

progress_bar::progress_bar(std::uint64_t steps)
    : visible_(::isatty(STDERR_FILENO) != 0), steps_(steps) {}

void progress_bar::step() {
    ++done_;
    if (visible_) {
        show();
    }
}

void progress_bar::show() {
    constexpr std::uint64_t width = 40;
    const auto full = static_cast<std::size_t>(width * done_ / steps_);
    const std::string bar = std::string(full, '#') + std::string(width - full, '.');
    shown_ = true;
    std::fprintf(stderr, "\r[%s] %llu of %llu ", bar.c_str(),
                 static_cast<unsigned long long>(done_), static_cast<unsigned long long>(steps_));
}

void progress_bar::finish() {
    if (shown_) {
        std::fputs("\r\033[K", stderr);
        shown_ = false;
    }
}

} // namespace tool
