// SPDX-License-Identifier: MIT

// Groups of Redis servers on a ketama ring: a demo, the Redis paper's experiments, and the same
// client against servers that are there already. README.md beside it says more.

#include "../tool/complain.hpp"
#include "../tool/failure.hpp"
#include "../tool/output.hpp"
#include "command_line.hpp"
#include "farm/signal_watch.hpp"

#include <exception>

namespace {

/// Says what went wrong, unless a signal did.
int failed(int code, const char* why) {
    redis_groups::signal_watch::wait_if_ending();
    tool::complain(why);
    return code;
}

int run(int argc, const char* const* argv) {
    try {
        tool::output out;
        const int code = redis_groups::run_command_line(argc, argv, out);
        out.flush();
        return code;
    } catch (const tool::reader_gone&) {
        return 0;
    } catch (const tool::usage_failure& problem) {
        return failed(2, problem.what());
    } catch (const std::invalid_argument& problem) {
        return failed(2, problem.what());
    } catch (const std::exception& problem) {
        return failed(1, problem.what());
    }
}

} // namespace

int main(int argc, char** argv) {
    const redis_groups::signal_watch watch;
    return run(argc, argv);
}
