// SPDX-License-Identifier: MIT

#include "child.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

namespace redis_groups {

namespace {

/// Those that run: a signal to our process knows no object that it could ask.
struct registry {
    std::mutex mutex;
    std::set<pid_t> running;
};

registry& children() {
    static registry& all = *new registry; // for signals that come while the process ends
    return all;
}

void forget(pid_t id) noexcept {
    const std::lock_guard lock(children().mutex);
    children().running.erase(id);
}

/// The child's side until the program takes over; only calls that are safe after a fork. On failure
/// the error's number goes down the pipe.
[[noreturn]] void become(char* const* words, const char* log, pid_t parent, int report) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() == parent) { // it has not died before it was watched
        ::setsid();
        sigset_t none;
        ::sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        ::signal(SIGPIPE, SIG_DFL);
        const int out = ::open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
        const int in = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        if (out >= 0 && in >= 0 && ::dup2(in, 0) == 0 && ::dup2(out, 1) == 1 &&
            ::dup2(out, 2) == 2) {
            ::execvp(words[0], words);
        }
    }
    const int error = errno;
    [[maybe_unused]] const ssize_t ignored = ::write(report, &error, sizeof error);
    ::_exit(127);
}

/// Whether the program has taken over: then the pipe closes without a word. Else the error.
int error_of(int report) {
    int error = 0;
    ssize_t size = 0;
    do {
        size = ::read(report, &error, sizeof error);
    } while (size < 0 && errno == EINTR);
    return size == static_cast<ssize_t>(sizeof error) ? error : 0;
}

} // namespace

child::child(const std::vector<std::string>& words, const std::string& log) {
    std::vector<char*> pointers;
    std::vector<std::string> copies = words;
    for (std::string& word : copies) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    std::array<int, 2> report{};
    if (::pipe2(report.data(), O_CLOEXEC) != 0) {
        throw std::system_error(errno, std::generic_category(), "pipe");
    }
    const pid_t parent = ::getpid();
    int fork_error = 0;
    {
        const std::lock_guard lock(children().mutex);
        id_ = ::fork();
        if (id_ == 0) {
            become(pointers.data(), log.c_str(), parent, report[1]);
        }
        fork_error = errno;
        if (id_ > 0) {
            children().running.insert(id_);
        }
    }
    ::close(report[1]);
    const int error = id_ < 0 ? fork_error : error_of(report[0]);
    ::close(report[0]);
    if (error != 0) {
        kill();
        throw std::system_error(error, std::generic_category(), words.front());
    }
}

child::child(child&& other) noexcept : id_(std::exchange(other.id_, -1)) {}

child& child::operator=(child&& other) noexcept {
    if (this != &other) {
        kill();
        id_ = std::exchange(other.id_, -1);
    }
    return *this;
}

bool child::is_running() noexcept {
    if (id_ > 0 && ::waitpid(id_, nullptr, WNOHANG) == id_) {
        forget(std::exchange(id_, -1));
    }
    return id_ > 0;
}

void child::signal(int number) noexcept {
    if (is_running()) {
        ::kill(id_, number);
    }
}

void child::reap() noexcept {
    while (id_ > 0 && ::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
    }
    forget(std::exchange(id_, -1));
}

void child::kill() noexcept {
    if (id_ > 0) {
        ::kill(id_, SIGKILL);
        reap();
    }
}

void child::stop(std::chrono::milliseconds patience) noexcept {
    signal(SIGTERM);
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (is_running() && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    kill();
}

void kill_all_children() noexcept {
    children().mutex.lock(); // and never unlocked
    for (const pid_t id : children().running) {
        ::kill(id, SIGKILL);
    }
    for (const pid_t id : children().running) {
        while (::waitpid(id, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
}

} // namespace redis_groups
