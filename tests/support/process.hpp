// SPDX-License-Identifier: MIT
#pragma once

// Running the command-line tool as a user would: a process with files for its three streams.

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace support {

/// A folder of its own that goes away with the object.
class scratch {
public:
    scratch() {
        std::string pattern = (std::filesystem::temp_directory_path() / "hashring-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) {
            throw std::runtime_error("no scratch folder");
        }
        folder_ = pattern;
    }
    scratch(const scratch&) = delete;
    scratch& operator=(const scratch&) = delete;
    ~scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

    /// The path of a file in the folder.
    [[nodiscard]] std::string path(std::string_view name) const {
        return (folder_ / name).string();
    }

    /// Writes a file and returns its path.
    std::string write(std::string_view name, std::string_view text) const {
        std::ofstream(path(name), std::ios::binary) << text;
        return path(name);
    }

private:
    std::filesystem::path folder_;
};

inline std::string slurp(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// How many files and folders are in a folder.
inline std::size_t files_in(const std::string& folder) {
    const std::filesystem::directory_iterator all(folder);
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

/// What became of a process.
struct outcome {
    int code = -1; ///< the exit code, or 128 + the signal that ended it
    std::string out;
    std::string err;
    long peak_kilobytes = 0;
};

/// Where a process reads and writes.
struct streams {
    std::string in;            ///< the text on standard input
    std::string out_path = {}; ///< a file to write to; it is not read back
    bool closed_pipe = false;  ///< standard output is a pipe that nobody reads
    bool terminal = false;     ///< standard error is a terminal, which takes up to 4 KiB
    rlim_t most_bytes = 0;     ///< if above 0, no file that it writes may be larger
};

namespace detail {

inline void redirect(const std::string& path, int flags, int descriptor) {
    const int opened = ::open(path.c_str(), flags, 0600);
    if (opened < 0 || ::dup2(opened, descriptor) < 0) {
        std::_Exit(126);
    }
}

/// A terminal that nobody sits at.
class pseudo_terminal {
public:
    pseudo_terminal() : master_(::posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)) {
        if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0) {
            throw std::runtime_error("no terminal");
        }
        name_ = ::ptsname(master_);
    }
    pseudo_terminal(const pseudo_terminal&) = delete;
    pseudo_terminal& operator=(const pseudo_terminal&) = delete;
    ~pseudo_terminal() { ::close(master_); }

    [[nodiscard]] const std::string& name() const { return name_; }
    /// What was written to it, once whoever wrote has ended.
    [[nodiscard]] std::string text() const {
        std::string result;
        std::array<char, 4096> bytes{};
        for (ssize_t got = 0; (got = ::read(master_, bytes.data(), bytes.size())) > 0;) {
            result.append(bytes.data(), static_cast<std::size_t>(got));
        }
        return result;
    }

private:
    int master_;
    std::string name_;
};

/// As when a disk is full: what is written beyond `most` is an error and no signal.
inline void limit_files(rlim_t most) {
    const rlimit limit{most, most};
    if (::signal(SIGXFSZ, SIG_IGN) == SIG_ERR || ::setrlimit(RLIMIT_FSIZE, &limit) != 0) {
        std::_Exit(126);
    }
}

inline void redirect_to_closed_pipe() {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0 || ::close(ends[0]) != 0 || ::dup2(ends[1], STDOUT_FILENO) < 0) {
        std::_Exit(126);
    }
}

} // namespace detail

/// Runs the tool with `arguments` and waits for its end.
inline outcome run_tool(const std::vector<std::string>& arguments, const streams& through = {}) {
    const scratch folder;
    const std::string in = folder.write("in", through.in);
    const std::string out = through.out_path.empty() ? folder.path("out") : through.out_path;
    const std::string err = folder.path("err");
    std::vector<char*> argv{const_cast<char*>(HASHRING_TOOL)};
    for (const std::string& argument : arguments) {
        argv.push_back(const_cast<char*>(argument.c_str()));
    }
    argv.push_back(nullptr);
    std::optional<detail::pseudo_terminal> terminal;
    if (through.terminal) {
        terminal.emplace();
    }

    const pid_t child = ::fork();
    if (child == 0) {
        detail::redirect(in, O_RDONLY, STDIN_FILENO);
        detail::redirect(err, O_WRONLY | O_CREAT, STDERR_FILENO);
        if (terminal) {
            detail::redirect(terminal->name(), O_WRONLY | O_NOCTTY, STDERR_FILENO);
        }
        if (through.most_bytes > 0) {
            detail::limit_files(through.most_bytes);
        }
        if (through.closed_pipe) {
            detail::redirect_to_closed_pipe();
        } else {
            detail::redirect(out, O_WRONLY | O_CREAT, STDOUT_FILENO);
        }
        ::execv(HASHRING_TOOL, argv.data());
        std::_Exit(127);
    }
    int status = 0;
    rusage used{};
    if (child < 0 || ::wait4(child, &status, 0, &used) != child) {
        throw std::runtime_error("the tool could not be run");
    }
    outcome result;
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    result.err = terminal ? terminal->text() : slurp(err);
    result.peak_kilobytes = used.ru_maxrss;
    if (through.out_path.empty() && !through.closed_pipe) {
        result.out = slurp(out);
    }
    return result;
}

/// The lines of `text`, without their LFs.
inline std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> result;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        result.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return result;
}

} // namespace support
