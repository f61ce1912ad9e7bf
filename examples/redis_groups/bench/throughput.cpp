// SPDX-License-Identifier: MIT

#include "throughput.hpp"

#include "../../tool/progress.hpp"
#include "../farm/cluster.hpp"
#include "../store/client.hpp"
#include "../trial/numbered_keys.hpp"
#include "busy_servers.hpp"

#include <hashring/core/text.hpp>

#include <algorithm>
#include <exception>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

namespace redis_groups::bench {

using hashring::concat;
using clock = std::chrono::steady_clock;
using milliseconds = std::chrono::duration<double, std::milli>;

namespace {

/// One client's part of the keys.
class worker {
public:
    worker(const std::shared_ptr<placement>& ring, const options& chosen,
           std::span<const std::string> keys, bool is_read)
        : client_(ring, chosen.how),
          busy_(*ring, chosen.service_time),
          chosen_(chosen),
          keys_(keys),
          is_read_(is_read) {
        static_cast<void>(client_.get("before")); // connects
    }

    /// Never throws: what went wrong is for `finish`.
    void run() noexcept {
        try {
            for (std::size_t first = 0; first < keys_.size(); first += chosen_.pipeline) {
                request(keys_.subspan(first, std::min(chosen_.pipeline, keys_.size() - first)));
            }
        } catch (...) {
            failure_ = std::current_exception();
        }
    }

    const std::vector<double>& finish() const {
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        return times_ms_;
    }

private:
    void request(std::span<const std::string> keys) {
        const auto start = clock::now();
        const std::vector<std::string_view> views(keys.begin(), keys.end());
        busy_.begin(views);
        if (is_read_) {
            for (const read_value& each : client_.read_many(views)) {
                check(each.is_found(), each.why);
            }
        } else {
            std::vector<write_request> writes;
            for (const std::string_view key : views) {
                writes.push_back({key, value_});
            }
            for (const write_result& each : client_.write_many(writes)) {
                check(each.is_done(), each.why);
            }
        }
        times_ms_.push_back(milliseconds(clock::now() - start).count());
        busy_.end();
    }

    static void check(bool is_good, const std::string& why) {
        if (!is_good) {
            throw std::runtime_error(concat("a request failed: ", why));
        }
    }

    client client_;
    busy_servers busy_;
    const options& chosen_;
    std::span<const std::string> keys_;
    bool is_read_;
    std::string value_ = std::string(32, 'v');
    std::vector<double> times_ms_;
    std::exception_ptr failure_;
};

/// One pass over all keys.
struct pass {
    double per_second = 0.0;
    double mean_ms = 0.0;
    double p99_ms = 0.0;
};

pass run_pass(const std::shared_ptr<placement>& ring, const options& chosen,
              const std::vector<std::string>& keys, bool is_read) {
    std::vector<std::unique_ptr<worker>> workers;
    for (std::size_t c = 0; c < chosen.clients; ++c) {
        const std::size_t first = c * keys.size() / chosen.clients;
        const std::size_t last = (c + 1) * keys.size() / chosen.clients;
        workers.push_back(std::make_unique<worker>(
            ring, chosen, std::span(keys).subspan(first, last - first), is_read));
    }
    const auto start = clock::now();
    std::vector<std::thread> threads;
    for (const auto& each : workers) {
        threads.emplace_back([&each] { each->run(); });
    }
    for (std::thread& each : threads) {
        each.join();
    }
    const double seconds = std::chrono::duration<double>(clock::now() - start).count();
    std::vector<double> times;
    for (const auto& each : workers) {
        times.insert(times.end(), each->finish().begin(), each->finish().end());
    }
    std::sort(times.begin(), times.end());
    double sum = 0.0;
    for (const double time : times) {
        sum += time;
    }
    return {static_cast<double>(keys.size()) / seconds, sum / static_cast<double>(times.size()),
            times[(times.size() - 1) * 99 / 100]};
}

measured spread_of(const std::vector<pass>& passes, double pass::* what) {
    std::vector<double> values;
    for (const pass& each : passes) {
        values.push_back(each.*what);
    }
    std::sort(values.begin(), values.end());
    return {values[values.size() / 2], values.front(), values.back()};
}

} // namespace

std::vector<throughput> measure_throughput(const options& chosen) {
    const std::vector<std::string> keys = numbered_keys(chosen.keys);
    const cluster servers(chosen.groups, chosen.replicas);
    const std::vector<group_spec> all = servers.specs();
    std::vector<throughput> result;
    std::vector<std::vector<pass>> passes(2 * chosen.groups);
    tool::progress_bar bar(chosen.rounds * passes.size());
    for (std::size_t round = 0; round < chosen.rounds; ++round) {
        for (std::size_t i = 0; i < passes.size(); ++i) {
            const auto groups = static_cast<std::ptrdiff_t>(i / 2 + 1);
            const auto ring = std::make_shared<placement>(
                std::vector<group_spec>(all.begin(), all.begin() + groups));
            passes[i].push_back(run_pass(ring, chosen, keys, i % 2 == 1));
            bar.step();
        }
    }
    for (std::size_t i = 0; i < passes.size(); ++i) {
        result.push_back({i / 2 + 1, i % 2 == 1, spread_of(passes[i], &pass::per_second),
                          spread_of(passes[i], &pass::mean_ms),
                          spread_of(passes[i], &pass::p99_ms)});
    }
    return result;
}

} // namespace redis_groups::bench
