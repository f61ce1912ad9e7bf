// SPDX-License-Identifier: MIT
// The tests of the instrumented headers: HASHRING_MUTANT is the mutant of this run; with
// HASHRING_REACH that file gets a line for each test case: its seconds, the mutants that it
// reached, its name.
#define CATCH_CONFIG_RUNNER
#include "mutants.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace hashring_mutants {
int active = 0;
unsigned char reached[most] = {};
} // namespace hashring_mutants

namespace {

class reach : public Catch::TestEventListenerBase {
public:
    using TestEventListenerBase::TestEventListenerBase;

    void testCaseStarting(const Catch::TestCaseInfo&) override {
        std::fill(std::begin(hashring_mutants::reached), std::end(hashring_mutants::reached), 0);
        start_ = std::chrono::steady_clock::now();
    }
    void testCaseEnded(const Catch::TestCaseStats& stats) override {
        const char* const path = std::getenv("HASHRING_REACH");
        if (path == nullptr) {
            return;
        }
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start_;
        std::ofstream out(path, std::ios::app);
        out << took.count() << '\t';
        for (int id = 1; id < hashring_mutants::most; ++id) {
            if (hashring_mutants::reached[id] != 0) {
                out << id << ' ';
            }
        }
        out << '\t' << stats.testInfo.name << '\n';
    }

private:
    std::chrono::steady_clock::time_point start_;
};
CATCH_REGISTER_LISTENER(reach)

} // namespace

int main(int argc, char* argv[]) {
    if (const char* const mutant = std::getenv("HASHRING_MUTANT")) {
        hashring_mutants::active = std::atoi(mutant);
    }
    return Catch::Session().run(argc, argv);
}
