// SPDX-License-Identifier: MIT

#include "stage.hpp"

#include "../store/group_metrics.hpp"

#include <hashring/core/text.hpp>

namespace redis_groups::demo {

using hashring::concat;
using std::chrono::milliseconds;

namespace {

constexpr std::size_t replicas_of_a_group = 2;
constexpr milliseconds patience{8000}; // a failover takes 3 to 4 s
/// On a busy machine a copy that is slow for a moment is not lost, which with a dead master would
/// be safe mode until that is back.
constexpr milliseconds look_timeout{2000};

settings watched_by(cluster& servers) {
    // What is shorter takes a link that was dropped for a master that died.
    servers.start_sentinels({});
    settings chosen;
    chosen.sentinels = servers.sentinels();
    chosen.patience = patience;
    chosen.look_timeout = look_timeout;
    return chosen;
}

} // namespace

stage::stage(std::size_t groups, tool::output& out)
    : servers(groups, replicas_of_a_group),
      chosen(watched_by(servers)),
      ring(std::make_shared<placement>(servers.specs())),
      own(ring, chosen),
      out_(out) {}

void stage::title(std::string_view text) {
    out_ << "\n== " << text << '\n';
    out_.flush();
}

void stage::say(std::string_view text) {
    const double seconds = std::chrono::duration<double>(clock::now() - start_).count();
    const std::string time = tool::fixed(seconds, 1);
    out_ << std::string(time.size() < 5 ? 5 - time.size() : 0, ' ') << time << " s  " << text
         << '\n';
    out_.flush();
}

void stage::show(const tool::grid& table) {
    out_ << '\n';
    print_table(table, out_);
    out_ << '\n';
    out_.flush();
}

std::vector<std::string> stage::keys_in(std::uint32_t group, std::string_view prefix,
                                        std::size_t count) const {
    const placement::use at(*ring);
    std::vector<std::string> keys;
    for (std::size_t i = 0; keys.size() < count; ++i) {
        std::string key = concat(prefix, hashring::decimal(i));
        if (at.ring().owner_index_at(at.ring().position(key)) == group) {
            keys.push_back(std::move(key));
        }
    }
    return keys;
}

std::string stage::metrics() {
    hashring::metrics_text text;
    std::vector<hashring::group_counts> counts = counted_;
    add_counts(own.counts(), counts);
    add_metrics(text, own, counts);
    hashring::add_moved_keys(text, "redis_groups", moved_keys);
    return text.text();
}

std::string percent_of(double part, double all) {
    return tool::fixed(100.0 * part / all, 2);
}

} // namespace redis_groups::demo
