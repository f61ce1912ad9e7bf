// SPDX-License-Identifier: MIT

// Tables, exact rings, copies over domains, loads and plans.

#include "growth/growth.hpp"
#include "growth/names.hpp"

#include <hashring/hashring.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace growth {

namespace {

using namespace hashring;
using node_list = std::vector<node_spec>;

template <class Work>
growing with_nodes(std::string name, std::size_t size, double bound, Work work) {
    return {std::move(name), size, bound, [work](std::size_t count) {
                auto list = std::make_shared<node_list>(nodes(count));
                return [work, list] {
                    work(*list);
                };
            }};
}
template <class Placed, class Work>
growing with_placed(std::string name, std::size_t size, double bound, Work work) {
    return {std::move(name), size, bound, [work](std::size_t count) {
                auto list = std::make_shared<node_list>(nodes(count));
                auto placed = std::make_shared<Placed>(*list);
                return [work, list, placed] {
                    work(*placed, *list);
                };
            }};
}

template <class Table>
void add_table(std::vector<growing>& all, std::size_t size) {
    const std::string name(Table::scheme_type::name);
    all.push_back(with_nodes(concat("table/build ", name), size, linear,
                             [](const node_list& list) { const Table built(list); }));
    all.push_back(with_placed<Table>(
        concat("table/save and load ", name), size, linear,
        [](const Table& table, const node_list&) { static_cast<void>(load<Table>(save(table))); }));
}

void add_tables(std::vector<growing>& all) {
    add_table<table<schemes::jump>>(all, 500);
    add_table<table<schemes::rendezvous>>(all, 500);
    add_table<table<schemes::multi_probe>>(all, 500);
    add_table<anchor_table<>>(all, 250);
    all.push_back(with_nodes("table/build maglev", 50, linear, [](const node_list& list) {
        const table<schemes::maglev> built(list, schemes::maglev(503));
    }));
    all.push_back({"table/slots of maglev", 1009, linear, [](std::size_t count) {
                       return [count] {
                           const table<schemes::maglev> built(
                               nodes(5), schemes::maglev(count > 1009 ? 2017 : 1009));
                       };
                   }});
    all.push_back(with_placed<anchor_table<>>(
        "table/anchor: all leave by one list", 250, linear,
        [](anchor_table<>& table, const node_list&) { table.assign(node_list()); }));
    all.push_back(with_placed<anchor_table<>>("table/anchor: half of them are others", 250, linear,
                                              [](anchor_table<>& table, node_list list) {
                                                  for (std::size_t i = 0; i < list.size(); i += 2) {
                                                      list[i].name += 'x';
                                                  }
                                                  table.assign(list);
                                              }));
}

void add_exact(std::vector<growing>& all) {
    all.push_back(with_nodes("exact/join one by one", 30, cube,
                             [](const node_list& list) { const exact_ring<> built(list); }));
    all.push_back(with_placed<exact_ring<>>(
        "exact/one more joins", 60, square,
        [](exact_ring<>& r, const node_list&) { r.join(std::string("one more")); }));
    all.push_back(with_placed<exact_ring<>>("exact/save and load", 60, square,
                                            [](const exact_ring<>& r, const node_list&) {
                                                static_cast<void>(exact_ring<>::load(r.save()));
                                            }));
    all.push_back(with_placed<ring<>>(
        "exact/taken over from a ring", 60, linear,
        [](const ring<>& r, const node_list&) { const exact_ring<> taken(r); }));
}

void add_copies(std::vector<growing>& all) {
    const auto spread = [](std::size_t copies, std::size_t zones) {
        return [copies, zones](const ring<>& r, const node_list&) {
            const auto zone = [&](const auto& node, std::size_t) {
                return decimal(hash::murmur64a{}(node.name()) % zones);
            };
            const domain_ladder ladder(r, 1, zone);
            std::vector<std::uint32_t> out(copies);
            replicas_over_domains(r, r.position("key"), ladder, domain_rule::best_effort, out);
        };
    };
    all.push_back(
        with_placed<ring<>>("copies/three over many domains", 100, linear, spread(3, 1000)));
    all.push_back(
        with_placed<ring<>>("copies/three where one domain is", 100, linear, spread(3, 1)));
}

void add_load(std::vector<growing>& all) {
    all.push_back(with_placed<ring<>>(
        "load/a request at each node", 30, square, [](const ring<>& r, const node_list& list) {
            live_load load(r);
            const node_marks marks(r.size());
            for (const node_spec& node : list) {
                static_cast<void>(load.acquire(r, r.position(node.name), marks));
            }
        }));
    all.push_back(
        with_placed<ring<>>("load/one hot key", 30, linear, [](const ring<>& r, const node_list&) {
            live_load load(r);
            const node_marks marks(r.size());
            for (int i = 0; i < 50; ++i) {
                static_cast<void>(load.acquire(r, 7, marks));
            }
        }));
}

template <class Work>
growing with_stats(std::string name, std::size_t size, double bound, Work work) {
    return {std::move(name), size, bound, [work](std::size_t count) {
                auto stats = std::make_shared<std::vector<node_stats>>();
                for (const node_spec& node : nodes(count)) {
                    node_stats& one = stats->emplace_back();
                    one.name = node.name;
                    one.total = 1'000'000;
                    one.used = hash::murmur64a{}(node.name) % 1'000'000;
                    one.vnodes = 160;
                }
                return [work, stats] {
                    work(*stats);
                };
            }};
}

void add_plans(std::vector<growing>& all) {
    using list = std::vector<node_stats>;
    all.push_back(with_stats("plan/weights", 250, linear, [](const list& stats) {
        const auto first = plan_weights(stats, {});
        static_cast<void>(plan_weights(stats, {}, first.state));
    }));
    all.push_back(with_stats("plan/transfers", 250, linear, [](const list& stats) {
        static_cast<void>(plan_transfers(stats, {}));
    }));
    all.push_back(with_stats("plan/literal", 250, linear, [](const list& stats) {
        const auto first = literal_hashed(stats, {});
        static_cast<void>(literal_hashed(stats, {}, first.state));
    }));
    all.push_back(with_stats("plan/water filling", 250, linear, [](const list& stats) {
        static_cast<void>(water_filling_weights(stats, 1'000'000));
    }));
    all.push_back(with_stats("plan/round robin", 250, linear, [](const list& stats) {
        static_cast<void>(round_robin_weights(stats));
    }));
    all.push_back(with_stats("plan/a budget of points", 250, linear, [](const list& stats) {
        const std::vector<weight> weights(stats.size(), weight{3});
        static_cast<void>(allocate_budget(weights, static_cast<std::uint32_t>(stats.size()) * 100));
    }));
}

} // namespace

std::vector<growing> placements() {
    std::vector<growing> all;
    add_tables(all);
    add_exact(all);
    add_copies(all);
    add_load(all);
    add_plans(all);
    return all;
}

} // namespace growth
