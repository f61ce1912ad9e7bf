// SPDX-License-Identifier: MIT
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace fuzz {

/// A file in memory, for readers that open what they read by name.
class memory_file {
public:
    explicit memory_file(std::string_view bytes)
        : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
        if (descriptor_ < 0 || ::write(descriptor_, bytes.data(), bytes.size()) !=
                                   static_cast<ssize_t>(bytes.size())) {
            throw std::system_error(errno, std::generic_category(), "a file in memory");
        }
    }
    memory_file(const memory_file&) = delete;
    memory_file& operator=(const memory_file&) = delete;
    ~memory_file() { ::close(descriptor_); }

    [[nodiscard]] std::string name() const {
        return "/proc/self/fd/" + std::to_string(descriptor_);
    }

private:
    int descriptor_;
};

} // namespace fuzz
