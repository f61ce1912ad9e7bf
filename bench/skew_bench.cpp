// SPDX-License-Identifier: MIT

/// \file
/// Looking up among points that crowd (160 a node), positions near the points:
/// `build/bench/hashring_bench --benchmark_filter='/owner_at_skewed/'`.
///
/// The baseline is `std::upper_bound` on the same points.

#include "benches.hpp"
#include "lookups.hpp"
#include "skews.hpp"
#include "subjects.hpp"
#include "verify.hpp"

#include <hashring/core/text.hpp>
#include <hashring/hash/mix.hpp>
#include <hashring/ring/ring.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hashring::bench {

namespace {

/// The points of a ring in a sorted vector.
class searched_points {
public:
    static constexpr std::string_view family = "baseline/upper_bound/owner_at_skewed/";

    explicit searched_points(const ring<crowded>& r) {
        points_.reserve(r.point_count());
        for (std::size_t i = 0; i < r.point_count(); ++i) {
            points_.emplace_back(r.point_position(i), r.point_owner(i));
        }
    }
    [[nodiscard]] std::uint64_t answer_at(std::uint64_t p) const noexcept {
        const auto at_or_after = [](std::uint64_t key, const point& x) {
            return key <= x.first;
        };
        const auto at = std::upper_bound(points_.begin(), points_.end(), p, at_or_after);
        return at == points_.end() ? points_.front().second : at->second;
    }

private:
    using point = std::pair<std::uint64_t, std::uint32_t>;
    std::vector<point> points_;
};

class indexed_points {
public:
    static constexpr std::string_view family = "ring/owner_at_skewed/";

    explicit indexed_points(const ring<crowded>& r) : ring_(&r) {}
    [[nodiscard]] std::uint64_t answer_at(std::uint64_t p) const noexcept {
        return ring_->owner_index_at(p);
    }

private:
    const ring<crowded>* ring_;
};

crowded scheme_of(std::size_t kind) {
    crowded result;
    result.kind = kind;
    return result;
}

/// A ring whose points crowd, and positions on its points and up to eight beside them.
struct crowd {
    ring<crowded> points;
    std::vector<std::uint64_t> positions;

    crowd(std::size_t kind, std::size_t nodes) : points(node_names(0, nodes), scheme_of(kind)) {
        positions.reserve(ready_made);
        for (std::uint64_t i = 0; i < ready_made; ++i) {
            const std::uint64_t random = hash::mix(i);
            const auto point = static_cast<std::size_t>((random >> 8U) % points.point_count());
            positions.push_back(points.point_position(point) + random % 17 - 8);
        }
    }
};

const crowd& shared_crowd(std::size_t kind, std::size_t nodes) {
    static std::map<std::pair<std::size_t, std::size_t>, crowd> known;
    return known.try_emplace({kind, nodes}, kind, nodes).first->second;
}

std::string check(const crowd& c) {
    const searched_points expected(c.points);
    for (const std::uint64_t p : c.positions) {
        if (c.points.owner_index_at(p) != expected.answer_at(p)) {
            return "another owner than the search's at position " + decimal(p);
        }
    }
    return {};
}

template <class Subject>
void run(benchmark::State& state, std::size_t kind) {
    const auto nodes = static_cast<std::size_t>(state.range(0));
    const crowd& c = shared_crowd(kind, nodes);
    if (!verify(state, concat("crowd ", skews[kind].name, " ", decimal(nodes)),
                [&] { return check(c); })) {
        return;
    }
    const Subject subject(c.points);
    time_throughput(state, [&, next = listed_positions(c.positions)]() mutable {
        return subject.answer_at(next());
    });
}

template <class Subject>
void add_all() {
    for (std::size_t kind = 0; kind < skews.size(); ++kind) {
        auto* registered = benchmark::RegisterBenchmark(
            concat(Subject::family, skews[kind].name).c_str(),
            [kind](benchmark::State& state) { run<Subject>(state, kind); });
        registered->ArgName("nodes")->Arg(100)->Arg(1000);
    }
}

} // namespace

void register_skew_benches() {
    add_all<indexed_points>();
    add_all<searched_points>();
}

} // namespace hashring::bench
