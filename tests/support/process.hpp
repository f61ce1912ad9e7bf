// SPDX-License-Identifier: MIT
#pragma once

// Running the command-line tool as a user would: a process with files for its three streams.

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
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
};

namespace detail {

inline void redirect(const std::string& path, int flags, int descriptor) {
    const int opened = ::open(path.c_str(), flags, 0600);
    if (opened < 0 || ::dup2(opened, descriptor) < 0) {
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

    const pid_t child = ::fork();
    if (child == 0) {
        detail::redirect(in, O_RDONLY, STDIN_FILENO);
        detail::redirect(err, O_WRONLY | O_CREAT, STDERR_FILENO);
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
    result.err = slurp(err);
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
