// SPDX-License-Identifier: MIT
#pragma once

#include "raw_connection.hpp"
#include "redis_groups/farm/scratch_folder.hpp"
#include "redis_groups/farm/start.hpp"

#include <hashring/core/text.hpp>

#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// memcached servers of our own, and a client that is told where each key belongs.

namespace memcached {

using names = std::vector<std::string>;

/// Which server a client asks for a key.
using owner_of = std::function<std::string_view(std::string_view key)>;

/// memcached servers on loopback that do not outlive us, each known by its `host:port`.
class local_servers {
public:
    /// Starts one more, and returns its name. Throws as `redis_groups::start_server`.
    std::string start() {
        redis_groups::started_server started =
            redis_groups::start_server(folder_.path(), {words, answers});
        std::string name = describe(started.where);
        raw_connection link(started.where);
        running_.emplace(name, running{std::move(started.process), std::move(link)});
        return name;
    }
    void kill(const std::string& name) { running_.erase(name); }

    /// Stores a value under each key at its owner; throws `std::runtime_error` if that fails.
    void store(const names& keys, const owner_of& owner) {
        for (const std::string& key : keys) {
            at(owner(key)).link.set(key, "32 bytes, the value of every key");
        }
        for (auto& [name, server] : running_) {
            server.link.finish();
        }
    }
    /// How many of the keys their owners have.
    [[nodiscard]] std::size_t hits(const names& keys, const owner_of& owner) {
        std::map<std::string_view, names> asked;
        for (const std::string& key : keys) {
            asked[owner(key)].push_back(key);
        }
        std::size_t count = 0;
        for (const auto& [name, some] : asked) {
            count += at(name).link.count(some);
        }
        return count;
    }

private:
    struct running {
        redis_groups::child process;
        raw_connection link;
    };

    static names words(const redis_groups::address& where,
                       const std::filesystem::path& /*folder*/) {
        names result = {"memcached", "-l", where.host, "-p", hashring::decimal(where.port),
                        "-U",        "0",  "-m",       "64", "-t",
                        "1"};
        if (::geteuid() == 0) {
            // Without this it refuses to run. Another user's process would no longer end with us:
            // the system forgets the signal for that when a process changes its user.
            result.insert(result.end(), {"-u", "root"});
        }
        return result;
    }
    [[nodiscard]] running& at(std::string_view name) { return running_.find(name)->second; }

    redis_groups::scratch_folder folder_;
    std::map<std::string, running, std::less<>> running_;
};

} // namespace memcached
