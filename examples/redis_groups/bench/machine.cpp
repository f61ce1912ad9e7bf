// SPDX-License-Identifier: MIT

#include "machine.hpp"

#include <sched.h>
#include <sys/utsname.h>

#include <cstdlib>
#include <fstream>

namespace redis_groups::bench {

namespace {

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) {
            return line.substr(colon + 2);
        }
    }
    return {};
}

unsigned usable_cores() {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    return ::sched_getaffinity(0, sizeof cores, &cores) == 0
               ? static_cast<unsigned>(CPU_COUNT(&cores))
               : 1U;
}

} // namespace

machine this_machine() {
    machine result;
    utsname system{};
    if (::uname(&system) == 0) {
        result.system = std::string(system.sysname) + " " + system.release + " " + system.machine;
    }
    result.processor = processor_name();
    result.cores = usable_cores();
    if (::getloadavg(&result.load, 1) != 1) {
        result.load = -1.0;
    }
    return result;
}

} // namespace redis_groups::bench
