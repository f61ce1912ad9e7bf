// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

/// \file
/// A temporary folder that is gone when we are.

namespace redis_groups {

/// A folder of its own under the system's folder for such things. It goes away with the object; one
/// that was left behind by a process that was killed is removed when the next one is made.
class scratch_folder {
public:
    /// Throws `std::system_error`.
    scratch_folder();
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;
    ~scratch_folder();

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    /// The path of something in it.
    [[nodiscard]] std::string path_of(const std::string& name) const {
        return (path_ / name).string();
    }

private:
    std::filesystem::path path_;
    int lock_ = -1; // held as long as we live: a folder that can be locked was left behind
};

/// Removes all folders that there are, for a process that is about to end at once. Whoever makes or
/// removes another one afterwards waits for ever.
void remove_all_scratch_folders() noexcept;

} // namespace redis_groups
