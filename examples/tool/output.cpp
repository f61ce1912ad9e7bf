// SPDX-License-Identifier: MIT
#include "output.hpp"

#include "failure.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace tool {

void output::flush() {
    std::string pending = std::exchange(buffer_, {});
    std::size_t written = 0;
    while (written < pending.size()) {
        const ssize_t got =
            ::write(STDOUT_FILENO, pending.data() + written, pending.size() - written);
        if (got >= 0) {
            written += static_cast<std::size_t>(got);
        } else if (errno == EPIPE) {
            throw reader_gone{};
        } else if (errno != EINTR) {
            throw write_failure(concat(std::string("standard output: "), std::strerror(errno)));
        }
    }
    pending.clear(); // its memory serves again
    buffer_ = std::move(pending);
}

} // namespace tool
