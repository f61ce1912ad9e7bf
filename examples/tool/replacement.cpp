// SPDX-License-Identifier: MIT
#include "replacement.hpp"

#include "failure.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace tool {

namespace {

[[noreturn]] void unwritable(const std::string& file) {
    throw write_failure(concat(file, ": ", std::strerror(errno)));
}

void write_all(int descriptor, std::string_view text, const std::string& file) {
    while (!text.empty()) {
        const ssize_t written = ::write(descriptor, text.data(), text.size());
        if (written < 0 && errno != EINTR) {
            unwritable(file);
        }
        text.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
}

} // namespace

replacement::replacement(std::string file) : file_(std::move(file)), path_(file_ + ".XXXXXX") {
    struct stat found{};
    if (::stat(file_.c_str(), &found) == 0 && !S_ISREG(found.st_mode)) {
        throw write_failure(concat(file_, ": not a file that can be replaced"));
    }
    descriptor_ = ::mkstemp(path_.data());
    if (descriptor_ < 0) {
        unwritable(file_);
    }
}

replacement::~replacement() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
        ::unlink(path_.c_str());
    }
}

void replacement::put(std::string_view text) {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(descriptor_, 0666 & ~mask) != 0) {
        unwritable(file_);
    }
    write_all(descriptor_, text, file_);
    if (::fsync(descriptor_) != 0 || ::rename(path_.c_str(), file_.c_str()) != 0) {
        unwritable(file_);
    }
    ::close(std::exchange(descriptor_, -1));
}

} // namespace tool
