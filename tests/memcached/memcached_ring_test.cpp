// SPDX-License-Identifier: MIT

#include "redis_groups/farm/scratch_folder.hpp"
#include "support/catch.hpp"

#include <hashring/compat/libmemcached.hpp>
#include <hashring/hashring.hpp>

#include <sys/wait.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;
using scheme = hashring::compat::libmemcached;
using names = std::vector<std::string>;

struct result {
    int code = -1;
    std::string out{};
    std::string err{};
    std::size_t left_behind = 0; ///< files in the folder for temporary ones
};

std::string slurp(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Runs the example as a shell does; `path` comes before the other folders of programs if it is not
// empty, and is the only one if `alone`.
result run_example(const std::string& arguments, const std::string& path = "", bool alone = false) {
    const redis_groups::scratch_folder folder;
    const std::string temporary = folder.path_of("tmp");
    fs::create_directory(temporary);
    const std::string programs = path.empty() ? "\"$PATH\"" : alone ? path : path + ":\"$PATH\"";
    const std::string command = hashring::concat(
        "TMPDIR=", temporary, " PATH=", programs, " '", HASHRING_MEMCACHED_RING, "' ", arguments,
        " >", folder.path_of("out"), " 2>", folder.path_of("err"));
    const int status = std::system(command.c_str()); // NOLINT(cert-env33-c): a shell is wanted
    const fs::directory_iterator left(temporary);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, slurp(folder.path() / "out"),
            slurp(folder.path() / "err"),
            static_cast<std::size_t>(std::distance(begin(left), end(left)))};
}

// The servers that were printed, in the order of the list, the one that joins last.
struct printed_servers {
    names joined{};
    std::size_t leaving = 0;
};

printed_servers servers_in(const std::string& out) {
    printed_servers found;
    std::istringstream lines(out);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("  127.0.0.1:")) {
            const std::size_t end = std::min(line.find(' ', 2), line.size());
            if (line.ends_with("leaves")) {
                found.leaving = found.joined.size();
            }
            found.joined.push_back(line.substr(2, end - 2));
        }
    }
    return found;
}

// The numbers of keys in the line that begins so: after one joins, and after one leaves.
std::vector<std::size_t> counts_in(const std::string& out, std::string_view title) {
    std::istringstream lines(out);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(title)) {
            std::istringstream words(line.substr(title.size()));
            std::vector<std::size_t> counts(2);
            std::string percent;
            std::string sign;
            words >> counts[0] >> percent >> sign >> counts[1];
            return counts;
        }
    }
    return {};
}

// How many keys have the same owner before and after, by names.
template <class Before, class After>
std::size_t staying(std::string_view prefix, std::size_t keys, Before before, After after) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < keys; ++i) {
        const std::string key = hashring::concat(prefix, ":", hashring::decimal(i));
        count += before(key) == after(key) ? 1U : 0U;
    }
    return count;
}

hashring::ring<scheme> ring_of(const names& servers) {
    return hashring::ring<scheme>(servers);
}

auto on(const hashring::ring<scheme>& ring) {
    return [&ring](const std::string& key) {
        return std::string(ring.owner(key)->name());
    };
}

auto modulo(const names& servers) {
    return [&servers](const std::string& key) {
        return servers[hashring::compat::memcached_hash{}(key) % servers.size()];
    };
}

bool is_one_line(const std::string& text) {
    return text.find('\n') == text.size() - 1;
}

} // namespace

TEST_CASE("memcached: real servers are hit as often as the ring and the remainders foretell",
          "[memcached][law]") {
    const std::size_t keys = 20'000;
    const result done = run_example(hashring::decimal(keys));
    CAPTURE(done.out, done.err);
    REQUIRE(done.code == 0);
    CHECK(done.err.empty());
    CHECK(done.left_behind == 0);

    const printed_servers servers = servers_in(done.out);
    REQUIRE(servers.joined.size() == 5);
    CHECK(servers.leaving == 1);
    names before = servers.joined;
    before.pop_back();
    names left = before;
    left.erase(left.begin() + 1);
    const auto ring = ring_of(before);
    const auto joined = ring_of(servers.joined);
    const auto rest = ring_of(left);
    const std::vector<std::size_t> hits = {staying("ring", keys, on(ring), on(joined)),
                                           staying("ring", keys, on(ring), on(rest))};
    CHECK(counts_in(done.out, "ring ") == hits);
    CHECK(counts_in(done.out, "  foretold by its diff") == hits);
    // Four fifths and three quarters on an even ring, and a hundred points a server are not that
    // even.
    CHECK(hits[0] > keys / 2);
    CHECK(hits[1] > keys / 2);

    const std::vector<std::size_t> few = {
        staying("rest", keys, modulo(before), modulo(servers.joined)),
        staying("rest", keys, modulo(before), modulo(left))};
    CHECK(counts_in(done.out, "hash % n ") == few);
    CHECK(counts_in(done.out, "  foretold by remainders") == few);
    CHECK(few[0] < keys * 22 / 100); // a fifth
    CHECK(few[1] < keys * 27 / 100); // a quarter
}

TEST_CASE("memcached: a single key is enough, and what is no number of keys is refused",
          "[memcached][edges]") {
    CHECK(run_example("1").code == 0);
    for (const char* arguments : {"0", "-1", "many", "500001", "1 2", "''"}) {
        CAPTURE(arguments);
        const result refused = run_example(arguments);
        CHECK(refused.code == 2);
        CHECK(refused.out.empty());
        CHECK(is_one_line(refused.err));
    }
}

TEST_CASE("memcached: without servers there is one clear line, and nothing is left behind",
          "[memcached][errors]") {
    const redis_groups::scratch_folder programs;
    SECTION("memcached is not installed") {
        const result failed = run_example("", programs.path().string(), true);
        CHECK(failed.code == 1);
        CHECK(failed.out.empty());
        CHECK(failed.err == "memcached_ring: memcached: No such file or directory\n");
        CHECK(failed.left_behind == 0);
    }
    SECTION("it ends at once") {
        const fs::path fake = programs.path() / "memcached";
        std::ofstream(fake) << "#!/bin/sh\necho no memory\necho failed to listen >&2\nexit 71\n";
        fs::permissions(fake, fs::perms::owner_all);
        const result failed = run_example("", programs.path().string());
        CHECK(failed.code == 1);
        CHECK(failed.out.empty());
        CHECK(failed.err ==
              "memcached_ring: memcached does not start: no memory failed to listen\n");
        CHECK(failed.left_behind == 0);
    }
}
