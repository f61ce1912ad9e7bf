// SPDX-License-Identifier: MIT

#include "scratch_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <set>
#include <string_view>
#include <system_error>

namespace redis_groups {

namespace {

constexpr std::string_view prefix = "redis_groups-";
constexpr std::string_view lock_name = "lock";

/// Those that there are: a signal to our process knows no object that it could ask.
struct registry {
    std::mutex mutex;
    std::set<std::filesystem::path> folders;
};

registry& all() {
    static registry& instance = *new registry; // for signals that come while the process ends
    return instance;
}

/// Whether a file that is open still has a name.
bool has_name(int file) {
    struct stat about{};
    return ::fstat(file, &about) == 0 && about.st_nlink > 0;
}

/// The lock of `folder`, or -1 if somebody holds it, or held it and has removed the folder.
int try_lock(const std::filesystem::path& folder, int flags) {
    const int file = ::open((folder / lock_name).c_str(), O_RDWR | O_CLOEXEC | flags, 0600);
    if (file >= 0 && (::flock(file, LOCK_EX | LOCK_NB) != 0 || !has_name(file))) {
        ::close(file);
        return -1;
    }
    return file;
}

/// By another name first: others may still be putting files there, and would never let it become
/// empty. That name, too, is one that the next start looks for.
void remove_whole(const std::filesystem::path& folder) noexcept {
    std::error_code error;
    std::filesystem::path away = folder;
    away += ".gone";
    std::filesystem::rename(folder, away, error);
    std::filesystem::remove_all(error ? folder : away, error);
}

void remove_left_behind(const std::filesystem::path& parent) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(parent, ignored)) {
        if (!entry.path().filename().string().starts_with(prefix)) {
            continue;
        }
        // Without a lock to open it is just being made, or not ours.
        if (const int lock = try_lock(entry.path(), 0); lock >= 0) {
            std::filesystem::remove_all(entry.path(), ignored);
            ::close(lock);
        }
    }
}

} // namespace

scratch_folder::scratch_folder() {
    const std::filesystem::path parent = std::filesystem::temp_directory_path();
    const std::lock_guard lock(all().mutex);
    remove_left_behind(parent);
    while (lock_ <
           0) { // another process may see it before it is locked, and take it for left behind
        std::string pattern = (parent / std::string(prefix).append("XXXXXX")).string();
        if (::mkdtemp(pattern.data()) == nullptr) {
            throw std::system_error(errno, std::generic_category(),
                                    "a folder in " + parent.string());
        }
        path_ = pattern;
        lock_ = try_lock(path_, O_CREAT);
    }
    all().folders.insert(path_);
}

scratch_folder::~scratch_folder() {
    const std::lock_guard lock(all().mutex);
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
    all().folders.erase(path_);
    if (lock_ >= 0) {
        ::close(lock_);
    }
}

void remove_all_scratch_folders() noexcept {
    all().mutex.lock(); // and never unlocked
    for (const auto& folder : all().folders) {
        remove_whole(folder);
    }
}

} // namespace redis_groups
