// SPDX-License-Identifier: MIT
#include "progress.hpp"

#include <unistd.h>

#include <cstdio>

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

} // namespace tool
