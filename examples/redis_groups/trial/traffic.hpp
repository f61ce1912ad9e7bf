// SPDX-License-Identifier: MIT
#pragma once

#include "../store/client.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

/// \file
/// Writers and readers that never stop, and what they were told.

namespace redis_groups {

/// How the traffic is to be.
struct traffic_options {
    std::size_t writers = 2;
    std::size_t readers = 0;
    std::size_t batch = 20;          ///< keys that are written or read together
    std::size_t deletion_every = 0;  ///< of the writes to a key each so-many-th deletes it
    std::uint32_t first_write = 1;   ///< the keys hold the write before it already
    std::size_t writes_a_second = 0; ///< of each writer; 0 for as many as it can
};

/// What was told of the traffic so far.
struct traffic_counts {
    std::uint64_t done = 0; ///< writes
    std::uint64_t refused = 0;
    std::uint64_t unknown = 0;
    std::uint64_t reads = 0;
    std::uint64_t failed_reads = 0;
    std::uint64_t wrong_reads = 0; ///< that do not show the last acknowledged write, or a later one
};

/// Adds what clients counted, by the groups' numbers; of failovers, which all of them see, the
/// most.
void add_counts(const std::vector<hashring::group_counts>& more,
                std::vector<hashring::group_counts>& to);

/// Clients in threads of their own, each with keys of its own that it writes in turn: write number
/// n of a key puts `n`. So a value tells which writes it has seen, and what is acknowledged and not
/// seen is lost. Readers look at all keys meanwhile.
class traffic {
public:
    traffic(std::shared_ptr<placement> ring, settings chosen, std::vector<std::string> keys,
            const traffic_options& options);
    traffic(const traffic&) = delete;
    traffic& operator=(const traffic&) = delete;
    ~traffic() { stop(); }

    /// Ends it; what was counted stays.
    void stop();

    [[nodiscard]] traffic_counts counts() const;
    /// The longest time within which no writer was told of a done write.
    [[nodiscard]] std::chrono::milliseconds longest_pause() const;
    /// How many acknowledged writes `reader` does not find any more, if no later one of the same
    /// key hides that. Throws `std::runtime_error` if it cannot read. To be called after `stop`.
    [[nodiscard]] std::uint64_t lost(client& reader) const;
    /// What the clients counted, by the groups' numbers; after `stop`.
    [[nodiscard]] const std::vector<hashring::group_counts>& by_group() const { return by_group_; }
    /// What the first readers that were wrong saw; after `stop`.
    [[nodiscard]] std::vector<std::string> wrong() const;

private:
    using clock = std::chrono::steady_clock;

    struct key_state {
        std::string key;
        std::atomic<std::uint32_t> attempted;
        std::atomic<std::uint32_t> acknowledged;

        key_state(std::string k, std::uint32_t before)
            : key(std::move(k)), attempted(before), acknowledged(before) {}
    };
    struct counters {
        std::atomic<std::uint64_t> done{0}, refused{0}, unknown{0}, reads{0}, failed{0}, wrong{0};
    };

    void write(std::size_t writer);
    void read(std::size_t reader);
    /// Whether `value` is what a key holds after that write.
    [[nodiscard]] bool shows(const read_value& value, std::uint32_t write) const;
    [[nodiscard]] bool is_deletion(std::uint32_t write) const;
    void take(key_state& of, std::uint32_t number, const write_result& result);
    void check(const key_state& of, std::uint32_t acknowledged, const read_value& value);
    void note_done();
    void note_counts(const client& of);

    std::shared_ptr<placement> ring_;
    settings settings_;
    traffic_options options_;
    std::vector<std::unique_ptr<key_state>> keys_;
    counters counts_;
    std::atomic<clock::rep> last_done_;
    std::atomic<clock::rep> longest_{0};
    mutable std::mutex mutex_; // of what follows
    std::vector<std::string> wrong_;
    std::vector<hashring::group_counts> by_group_;
    std::atomic<bool> stop_{false};
    std::vector<std::thread> threads_;
};

} // namespace redis_groups
