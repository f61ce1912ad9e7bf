// SPDX-License-Identifier: MIT

#include "traffic.hpp"

#include <hashring/core/text.hpp>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace redis_groups {

using hashring::concat;
using hashring::decimal;
using hashring::group::outcome;

namespace {

constexpr std::size_t most_wrong_named = 10;
constexpr std::chrono::milliseconds pause_after_refusal{5};

/// The write that a value shows, 0 if there is none.
std::uint32_t number_of(const read_value& value) {
    return value.is_found() ? hashring::parse_decimal<std::uint32_t>(value.value).value_or(0) : 0;
}

} // namespace

traffic::traffic(std::shared_ptr<placement> ring, settings chosen, std::vector<std::string> keys,
                 const traffic_options& options)
    : ring_(std::move(ring)),
      settings_(std::move(chosen)),
      options_(options),
      last_done_(clock::now().time_since_epoch().count()) {
    keys_.reserve(keys.size());
    for (std::string& key : keys) {
        keys_.push_back(std::make_unique<key_state>(std::move(key), options.first_write - 1));
    }
    for (std::size_t w = 0; w < options.writers; ++w) {
        threads_.emplace_back([this, w] { write(w); });
    }
    for (std::size_t r = 0; r < options.readers; ++r) {
        threads_.emplace_back([this, r] { read(r); });
    }
}

void traffic::stop() {
    stop_ = true;
    for (std::thread& each : threads_) {
        each.join();
    }
    threads_.clear();
}

bool traffic::is_deletion(std::uint32_t write) const {
    return options_.deletion_every > 0 && write % options_.deletion_every == 0;
}

bool traffic::shows(const read_value& value, std::uint32_t write) const {
    return is_deletion(write) || write == 0 ? value.state == read_state::absent
                                            : value.is_found() && number_of(value) == write;
}

// --- writing -------------------------------------------------------------------------------------

void traffic::note_done() {
    const clock::rep now = clock::now().time_since_epoch().count();
    const clock::rep pause = now - last_done_.exchange(now);
    for (clock::rep longest = longest_; pause > longest;) {
        if (longest_.compare_exchange_weak(longest, pause)) {
            break;
        }
    }
}

void traffic::note_counts(const client& of) {
    const std::lock_guard lock(mutex_);
    add_counts(of.counts(), by_group_);
}

void traffic::take(key_state& of, std::uint32_t number, const write_result& result) {
    if (result.is_done()) {
        of.acknowledged = number;
        ++counts_.done;
    } else {
        ++(result.what == outcome::refused ? counts_.refused : counts_.unknown);
    }
}

void traffic::write(std::size_t writer) {
    client to(ring_, settings_);
    std::vector<key_state*> mine;
    for (std::size_t i = writer; i < keys_.size(); i += options_.writers) {
        mine.push_back(keys_[i].get());
    }
    const std::size_t batch = std::min(options_.batch, mine.size());
    const auto start = clock::now();
    std::size_t written = 0;
    for (std::size_t at = 0; !stop_ && batch > 0; at = (at + batch) % mine.size()) {
        std::vector<std::string> values(batch);
        std::vector<write_request> writes(batch);
        for (std::size_t k = 0; k < batch; ++k) {
            key_state& each = *mine[(at + k) % mine.size()];
            const std::uint32_t number = ++each.attempted;
            values[k] = decimal(number);
            writes[k] = {each.key, values[k]};
            if (is_deletion(number)) {
                writes[k] = to.deletion_of(each.key);
            }
        }
        const std::vector<write_result> results = to.write_many(writes);
        bool is_any_done = false;
        for (std::size_t k = 0; k < batch; ++k) {
            key_state& each = *mine[(at + k) % mine.size()];
            take(each, each.attempted, results[k]);
            is_any_done = is_any_done || results[k].is_done();
        }
        if (is_any_done) {
            note_done();
        } else {
            std::this_thread::sleep_for(pause_after_refusal);
        }
        written += batch;
        if (options_.writes_a_second > 0) {
            std::this_thread::sleep_until(
                start + std::chrono::microseconds(1'000'000 * written / options_.writes_a_second));
        }
    }
    note_counts(to);
}

// --- reading -------------------------------------------------------------------------------------

void traffic::check(const key_state& of, std::uint32_t acknowledged, const read_value& value) {
    const std::uint32_t attempted = of.attempted;
    for (std::uint32_t n = acknowledged; n <= attempted; ++n) {
        if (shows(value, n)) {
            return;
        }
    }
    ++counts_.wrong;
    const std::lock_guard lock(mutex_);
    if (wrong_.size() < most_wrong_named) {
        wrong_.push_back(concat(of.key, " is '", value.value, "' after write ",
                                decimal(acknowledged), " of ", decimal(attempted)));
    }
}

void traffic::read(std::size_t reader) {
    client from(ring_, settings_);
    const std::size_t batch = std::min(options_.batch, keys_.size());
    std::size_t at = reader * keys_.size() / options_.readers;
    std::vector<std::string_view> keys(batch);
    std::vector<std::uint32_t> acknowledged(batch);
    while (!stop_ && batch > 0) {
        for (std::size_t k = 0; k < batch; ++k) {
            const key_state& each = *keys_[(at + k) % keys_.size()];
            keys[k] = each.key;
            acknowledged[k] = each.acknowledged;
        }
        const std::vector<read_value> values = from.read_many(keys);
        for (std::size_t k = 0; k < batch; ++k) {
            ++counts_.reads;
            if (values[k].state == read_state::failed) {
                ++counts_.failed;
            } else {
                check(*keys_[(at + k) % keys_.size()], acknowledged[k], values[k]);
            }
        }
        at = (at + batch) % keys_.size();
    }
    note_counts(from);
}

// --- afterwards ----------------------------------------------------------------------------------

traffic_counts traffic::counts() const {
    return {counts_.done,  counts_.refused, counts_.unknown,
            counts_.reads, counts_.failed,  counts_.wrong};
}

std::chrono::milliseconds traffic::longest_pause() const {
    const clock::duration last(clock::now().time_since_epoch().count() - last_done_);
    const bool is_running = !threads_.empty();
    return std::chrono::duration_cast<std::chrono::milliseconds>(
        std::max(clock::duration(longest_), is_running ? last : clock::duration(0)));
}

std::uint64_t traffic::lost(client& reader) const {
    std::vector<const key_state*> written;
    std::vector<std::string_view> keys;
    for (const auto& each : keys_) {
        if (each->attempted > 0) {
            written.push_back(each.get());
            keys.push_back(each->key);
        }
    }
    const std::vector<read_value> values = reader.read_many(keys);
    std::uint64_t lost = 0;
    for (std::size_t i = 0; i < written.size(); ++i) {
        if (values[i].state == read_state::failed) {
            throw std::runtime_error(concat("a key cannot be read: ", values[i].why));
        }
        std::uint32_t last_seen = written[i]->attempted; // the last write that the value shows
        while (last_seen > 0 && !shows(values[i], last_seen)) {
            --last_seen;
        }
        const std::uint32_t acknowledged = written[i]->acknowledged;
        lost += acknowledged - std::min(last_seen, acknowledged);
    }
    return lost;
}

void add_counts(const std::vector<hashring::group_counts>& more,
                std::vector<hashring::group_counts>& to) {
    to.resize(std::max(to.size(), more.size()));
    for (std::size_t g = 0; g < more.size(); ++g) {
        to[g].done += more[g].done;
        to[g].refused += more[g].refused;
        to[g].unknown += more[g].unknown;
        to[g].repaired_keys += more[g].repaired_keys;
        to[g].failovers = std::max(to[g].failovers, more[g].failovers); // all see the same ones
    }
}

std::vector<std::string> traffic::wrong() const {
    const std::lock_guard lock(mutex_);
    return wrong_;
}

} // namespace redis_groups
