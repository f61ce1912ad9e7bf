// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

/// \file
/// A process of our own, which does not outlive us.

namespace redis_groups {

/// A running program. It is killed with this object, and by the system if our process dies first,
/// however that happens. It has a session of its own, so that Ctrl-C reaches us alone.
///
/// To be started from a thread that lives as long as the program: the system watches that thread.
class child {
public:
    /// Starts `words`, found in PATH, with `log` for its output. Throws `std::system_error` if it
    /// cannot be started.
    child(const std::vector<std::string>& words, const std::string& log);
    child(const child&) = delete;
    child& operator=(const child&) = delete;
    child(child&& other) noexcept;
    child& operator=(child&& other) noexcept;
    ~child() { kill(); }

    [[nodiscard]] bool is_running() noexcept;
    [[nodiscard]] pid_t id() const noexcept { return id_; }

    /// Sends a signal; nothing if it has ended.
    void signal(int number) noexcept;
    /// SIGKILL, and waits for the end.
    void kill() noexcept;
    /// SIGTERM, and SIGKILL if it has not ended in that time.
    void stop(std::chrono::milliseconds patience) noexcept;

private:
    void reap() noexcept;

    pid_t id_ = -1; // -1: it has ended and was waited for
};

/// Kills all children that run, for a process that is about to end at once. Whoever starts another
/// one afterwards waits for ever.
void kill_all_children() noexcept;

} // namespace redis_groups
