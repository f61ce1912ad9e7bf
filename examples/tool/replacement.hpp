// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace tool {

/// New contents for a file, which replace it whole or not at all: they stand in a file beside it
/// until `put` renames that. All of it throws `write_failure`.
class replacement {
public:
    /// Makes the file beside. Refuses to replace anything but a file, such as a device.
    explicit replacement(std::string file);
    replacement(const replacement&) = delete;
    replacement& operator=(const replacement&) = delete;
    /// What was not put goes away.
    ~replacement();

    void put(std::string_view text);

private:
    std::string file_;
    std::string path_;
    int descriptor_ = -1;
};

} // namespace tool
