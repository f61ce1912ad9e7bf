// SPDX-License-Identifier: MIT

// A program of one's own that keeps a value in Redis groups.
//
//   redis_client group01=127.0.0.1:7000,127.0.0.1:7001 group02=127.0.0.1:7100,127.0.0.1:7101

#include "redis_groups/store/client.hpp"

#include <cstdio>
#include <exception>
#include <vector>

int main(int argc, char** argv) {
    try {
        std::vector<redis_groups::group_spec> groups;
        for (int i = 1; i < argc; ++i) {
            groups.push_back(redis_groups::parse_group(argv[i]));
        }
        redis_groups::settings chosen; // a majority acknowledges, and is read
        chosen.patience = std::chrono::seconds(5);
        redis_groups::client store(groups, chosen); // one for each thread

        const auto written = store.set("user:42", "any bytes", std::chrono::minutes(10));
        if (!written.is_done()) { // refused: certainly not applied; unknown: it may be
            std::printf("not written: %s\n", written.why.c_str());
            return 1;
        }
        const auto read = store.get("user:42");
        std::printf("%s\n", read.is_found() ? read.value.c_str() : read.why.c_str());
        return 0;
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "%s\n", problem.what());
        return 2;
    }
}
