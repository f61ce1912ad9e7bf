// SPDX-License-Identifier: MIT

#include "signal_watch.hpp"

#include "child.hpp"
#include "scratch_folder.hpp"

#include <pthread.h>

#include <csignal>
#include <mutex>
#include <thread>

namespace redis_groups {

namespace {

/// Outlives what ends with the process, as the watching thread does.
std::mutex& ending() {
    static std::mutex& instance = *new std::mutex;
    return instance;
}

sigset_t watched_signals() {
    sigset_t result;
    ::sigemptyset(&result);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction action{};
        ::sigaction(number, nullptr, &action);
        if (action.sa_handler != SIG_IGN) {
            ::sigaddset(&result, number);
        }
    }
    return result;
}

/// Waits for a signal, and ends the process by it.
void watch(sigset_t signals) {
    int number = 0;
    while (::sigwait(&signals, &number) != 0) {
    }
    ending().lock(); // and never unlocked
    kill_all_children();
    remove_all_scratch_folders();
    std::signal(number, SIG_DFL);
    ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    std::raise(number);
}

} // namespace

signal_watch::signal_watch() {
    std::signal(SIGPIPE, SIG_IGN);
    const sigset_t signals = watched_signals();
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr); // here, and so in all threads to come
    std::thread(watch, signals).detach();
}

signal_watch::~signal_watch() {
    ending().lock(); // and never unlocked: what comes now is too late
}

void signal_watch::wait_if_ending() {
    ending().lock();
    ending().unlock();
}

} // namespace redis_groups
