// SPDX-License-Identifier: MIT
#pragma once

/// \file
/// Being interrupted with nothing left behind.

namespace redis_groups {

/// While one of these lives, SIGINT, SIGTERM and SIGHUP end the process at once, whatever it is at:
/// its children are killed, its scratch folders removed, and then it dies of that signal, so that
/// who waits for it knows. One that was ignored when the process began stays so, as under `nohup`.
/// Writing to a closed pipe is an error and no signal.
///
/// To be made before any thread is started; once in a process.
class signal_watch {
public:
    signal_watch();
    signal_watch(const signal_watch&) = delete;
    signal_watch& operator=(const signal_watch&) = delete;
    ~signal_watch();

    /// To be called before anything is said of a failure: if a signal is ending the process, that
    /// is what the failure is about, and this does not return.
    static void wait_if_ending();
};

} // namespace redis_groups
