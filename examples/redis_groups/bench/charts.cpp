// SPDX-License-Identifier: MIT

#include "charts.hpp"

#include "../../tool/failure.hpp"
#include "../../tool/replacement.hpp"
#include "bar_chart.hpp"

#include <hashring/core/text.hpp>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <system_error>

namespace redis_groups::bench {

using hashring::concat;
using hashring::decimal;

chart_file distribution_chart(std::span<const group_share> shares) {
    bar_chart chart{"Keys by group",
                    "percent of all keys that a group's master holds",
                    "How keys fall on groups of a ketama ring.",
                    {},
                    {},
                    1};
    for (const group_share& each : shares) {
        if (chart.places.empty() ||
            chart.places.back() != concat(decimal(each.groups), " groups")) {
            chart.places.push_back(concat(decimal(each.groups), " groups"));
        }
    }
    const std::size_t most = shares.empty() ? 0 : shares.back().groups;
    for (std::size_t s = 0; s < most; ++s) {
        chart.series.push_back({shares[shares.size() - most + s].name, {}});
    }
    for (std::size_t first = 0; first < shares.size(); first += shares[first].groups) {
        const std::size_t groups = shares[first].groups;
        double all = 0.0;
        for (std::size_t g = 0; g < groups; ++g) {
            all += static_cast<double>(shares[first + g].held);
        }
        for (std::size_t s = 0; s < most; ++s) {
            const double part =
                s < groups ? 100.0 * static_cast<double>(shares[first + s].held) / all : -1.0;
            chart.series[s].bars.push_back({part, part, part});
        }
    }
    return {"distribution.svg", draw(chart)};
}

namespace {

chart_file chart_of(std::span<const throughput> all, measured throughput::* what, bar_chart chart,
                    std::string file) {
    chart.series = {{"set", {}}, {"get", {}}};
    for (const throughput& each : all) {
        const measured& m = each.*what;
        chart.series[each.is_read ? 1 : 0].bars.push_back({m.median, m.least, m.most});
        if (!each.is_read) {
            chart.places.push_back(
                concat(decimal(each.groups), each.groups == 1 ? " group" : " groups"));
        }
    }
    return {std::move(file), draw(chart)};
}

} // namespace

std::vector<chart_file> throughput_charts(std::span<const throughput> all,
                                          const std::string& servers) {
    return {chart_of(all, &throughput::per_second,
                     {"Requests a second by the number of groups",
                      concat("medians, and from the least to the most; ", servers),
                      "Throughput of groups of Redis servers.",
                      {},
                      {},
                      0},
                     "throughput.svg"),
            chart_of(all, &throughput::mean_ms,
                     {"Mean response time by the number of groups",
                      concat("milliseconds of requests that travel together; ", servers),
                      "Response times of groups of Redis servers.",
                      {},
                      {},
                      2},
                     "latency.svg")};
}

void prepare_charts(const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
        throw tool::write_failure(concat(folder, ": ", error.message()));
    }
    const tool::replacement attempt((std::filesystem::path(folder) / "throughput.svg").string());
}

void write_charts(const std::vector<chart_file>& charts, const std::string& folder) {
    for (const chart_file& each : charts) {
        tool::replacement((std::filesystem::path(folder) / each.name).string()).put(each.svg);
    }
}

} // namespace redis_groups::bench
