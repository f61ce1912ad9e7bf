// SPDX-License-Identifier: MIT
#include "command_output.hpp"

#include "failure.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

extern char** environ; // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace tool {

namespace {

using clock = std::chrono::steady_clock;

constexpr std::size_t most_output = std::size_t{256} << 20U;
constexpr std::size_t most_errors = std::size_t{64} << 10U;

/// The two ends of a pipe, closed with the object.
class pipe_ends {
public:
    pipe_ends() {
        if (::pipe2(ends_.data(), O_CLOEXEC) != 0) {
            throw input_failure("<command>", std::strerror(errno));
        }
    }
    pipe_ends(const pipe_ends&) = delete;
    pipe_ends& operator=(const pipe_ends&) = delete;
    ~pipe_ends() {
        close_end(ends_[0]);
        close_end(ends_[1]);
    }

    [[nodiscard]] int reader() const noexcept { return ends_[0]; }
    [[nodiscard]] int writer() const noexcept { return ends_[1]; }
    void close_reader() noexcept { close_end(ends_[0]); }
    void close_writer() noexcept { close_end(ends_[1]); }

private:
    static void close_end(int& end) noexcept {
        if (end >= 0) {
            ::close(end);
            end = -1;
        }
    }

    std::array<int, 2> ends_{-1, -1};
};

/// A shell that runs a command in a group of its own.
class shell {
public:
    explicit shell(const std::string& command) {
        posix_spawn_file_actions_t files;
        posix_spawnattr_t attributes;
        ::posix_spawn_file_actions_init(&files);
        ::posix_spawnattr_init(&attributes);
        ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        ::posix_spawn_file_actions_adddup2(&files, out_.writer(), STDOUT_FILENO);
        ::posix_spawn_file_actions_adddup2(&files, err_.writer(), STDERR_FILENO);
        sigset_t broken_pipe; // which we ignore, and the command may not
        ::sigemptyset(&broken_pipe);
        ::sigaddset(&broken_pipe, SIGPIPE);
        ::posix_spawnattr_setsigdefault(&attributes, &broken_pipe);
        ::posix_spawnattr_setpgroup(&attributes, 0);
        ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
        std::string name = "sh";
        std::string option = "-c";
        std::string text = command;
        std::array<char*, 4> argv{name.data(), option.data(), text.data(), nullptr};
        const int error =
            ::posix_spawn(&child_, "/bin/sh", &files, &attributes, argv.data(), environ);
        ::posix_spawn_file_actions_destroy(&files);
        ::posix_spawnattr_destroy(&attributes);
        if (error != 0) {
            child_ = -1;
            throw input_failure("<command>", std::strerror(error));
        }
        out_.close_writer();
        err_.close_writer();
    }
    shell(const shell&) = delete;
    shell& operator=(const shell&) = delete;
    ~shell() {
        if (child_ > 0) {
            end_group();
            (void)wait();
        }
    }

    /// Reads until the command closes both streams; false if that is not before `deadline`.
    bool read_all(clock::time_point deadline) {
        while (out_.reader() >= 0 || err_.reader() >= 0) {
            const auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(deadline - clock::now());
            std::array<pollfd, 2> streams{{{out_.reader(), POLLIN, 0}, {err_.reader(), POLLIN, 0}}};
            const int ready = left.count() <= 0 ? 0
                                                : ::poll(streams.data(), streams.size(),
                                                         static_cast<int>(std::min<long long>(
                                                             left.count() + 1, 1'000'000'000)));
            if (ready < 0 && errno == EINTR) {
                continue;
            }
            if (ready <= 0) {
                return false;
            }
            if (streams[0].revents != 0) {
                take(out_, output);
            }
            if (streams[1].revents != 0) {
                take(err_, errors);
                errors.erase(0, errors.size() - std::min(errors.size(), most_errors));
            }
            if (output.size() > most_output) {
                throw input_failure("<command>", "it prints more than 256 MiB");
            }
        }
        return true;
    }

    /// Whether it ended before `deadline`; it may go on after it closed its streams.
    bool ended(clock::time_point deadline) {
        while (::waitpid(child_, &status_, WNOHANG) == 0) {
            if (clock::now() >= deadline) {
                return false;
            }
            ::usleep(1000);
        }
        child_ = -1;
        return true;
    }

    [[nodiscard]] int status() const noexcept { return status_; }

    std::string output;
    std::string errors; ///< its end

private:
    static void take(pipe_ends& from, std::string& text) {
        std::array<char, 65536> bytes;
        const ssize_t got = ::read(from.reader(), bytes.data(), bytes.size());
        if (got > 0) {
            text.append(bytes.data(), static_cast<std::size_t>(got));
        } else if (got == 0 || errno != EINTR) {
            from.close_reader();
        }
    }

    void end_group() const noexcept { ::kill(-child_, SIGKILL); }
    int wait() noexcept {
        while (::waitpid(child_, &status_, 0) < 0 && errno == EINTR) {
        }
        return status_;
    }

    pipe_ends out_;
    pipe_ends err_;
    pid_t child_ = -1;
    int status_ = 0;
};

/// The last line of `text` that says something, behind a colon; nothing if there is none.
std::string last_words(std::string_view text) {
    const std::size_t end = text.find_last_not_of(" \t\r\n");
    if (end == std::string_view::npos) {
        return {};
    }
    text = text.substr(0, end + 1);
    const std::size_t start = text.rfind('\n');
    return concat(": ", start == std::string_view::npos ? text : text.substr(start + 1));
}

} // namespace

std::string command_output(const std::string& command, std::chrono::milliseconds limit) {
    const clock::time_point deadline = clock::now() + limit;
    shell child(command);
    if (!child.read_all(deadline) || !child.ended(deadline)) {
        throw input_failure("<command>", concat(in_quotes(command), " is not done within ",
                                                decimal(limit.count()), " ms and was ended"));
    }
    const int status = child.status();
    if (WIFSIGNALED(status)) {
        throw input_failure("<command>",
                            concat(in_quotes(command), " was ended by signal ",
                                   decimal(WTERMSIG(status)), last_words(child.errors)));
    }
    if (WEXITSTATUS(status) != 0) {
        throw input_failure("<command>",
                            concat(in_quotes(command), " exited with ",
                                   decimal(WEXITSTATUS(status)), last_words(child.errors)));
    }
    return std::move(child.output);
}

} // namespace tool
