// SPDX-License-Identifier: MIT

#include "../store/copy_check.hpp"
#include "../store/repairer.hpp"
#include "acts.hpp"

#include <hashring/core/text.hpp>

#include <chrono>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace redis_groups::demo {

using hashring::concat;
using hashring::group::outcome;
using std::chrono::milliseconds;
using clock = std::chrono::steady_clock;

namespace {

constexpr milliseconds patience{15000};

/// Writes until what becomes of it is what is waited for.
write_result write_until(client& to, std::string_view key, outcome what) {
    const auto deadline = clock::now() + patience;
    for (;;) {
        write_result result = to.set(key, "v");
        if (result.what == what) {
            return result;
        }
        if (clock::now() > deadline) {
            throw std::runtime_error(concat("writes are not ", describe(what), ": ", result.why));
        }
        std::this_thread::sleep_for(milliseconds(20));
    }
}

} // namespace

void show_safe_mode(stage& on) {
    const auto last = static_cast<group_number>(on.servers.size() - 1);
    group_servers& servers = on.servers[last];
    on.title(concat("Two of the three copies of ", servers.name(), " are gone"));
    settings impatient = on.chosen;
    impatient.patience = {};
    client writer(on.ring, impatient);
    const std::string key = on.keys_in(last, "safe:", 1).front();
    write_until(writer, key, outcome::done);
    servers.copy(1).kill();
    servers.copy(2).kill();
    const auto start = clock::now();
    const write_result refused = write_until(writer, key, outcome::refused);
    const double seconds = std::chrono::duration<double>(clock::now() - start).count();
    on.say(concat("writes are refused after ", tool::fixed(seconds, 1), " s: ", refused.why));
    for (std::size_t copy = 1; copy < servers.size(); ++copy) {
        servers.copy(copy).restart(servers.copy(0).where());
    }
    repairer repair(servers.spec(), on.chosen);
    static_cast<void>(repair.run(patience, [&](std::string_view what) { on.say(what); }));
    write_until(writer, key, outcome::done);
    on.say("the copies are back and complete: writes are done again");
    on.take_in(writer.counts());
}

} // namespace redis_groups::demo
