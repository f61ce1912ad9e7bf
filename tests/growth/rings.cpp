// SPDX-License-Identifier: MIT

// Rings of every kind of scheme, their changes, and names and positions that somebody chose.

#include "growth/growth.hpp"
#include "growth/names.hpp"
#include "support/schemes.hpp"

#include <hashring/hashring.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace growth {

namespace {

using namespace hashring;

/// Counts what `work` does with a ring and a list of nodes of a size.
template <class Ring, class Work>
growing with_ring(std::string name, std::size_t size, double bound, Work work,
                  typename Ring::scheme_type scheme = {}) {
    return {std::move(name), size, bound, [work, scheme](std::size_t count) {
                auto list = std::make_shared<std::vector<node_spec>>(nodes(count));
                auto ring = std::make_shared<Ring>(*list, scheme);
                return [work, list, ring] {
                    work(*ring, *list);
                };
            }};
}

template <class Scheme>
void add_building(std::vector<growing>& all, std::size_t size = 250, double bound = linear) {
    const auto scheme = with_vnodes<Scheme>(8);
    all.push_back({concat("build/", Scheme::name), size, bound, [scheme](std::size_t count) {
                       auto list = std::make_shared<std::vector<node_spec>>(nodes(count));
                       return [scheme, list] {
                           const ring<Scheme> built(*list, scheme);
                       };
                   }});
}

/// A circle on which all points have one position.
struct one_position : schemes::xxh3 {
    static constexpr std::string_view name = "one-position";
    std::uint64_t position(std::string_view) const noexcept { return 7; }
    void points(const placed_node&, std::span<std::uint64_t> out) const noexcept {
        std::fill(out.begin(), out.end(), 7U);
    }
    friend bool operator==(const one_position&, const one_position&) = default;
};
/// All in one part of 2^-32 of the circle, but one point that is far away.
struct crowded : one_position {
    static constexpr std::string_view name = "crowded";
    void points(const placed_node& node, std::span<std::uint64_t> out) const noexcept {
        schemes::xxh3::points(node, out);
        for (std::uint64_t& p : out) {
            p = p % 5 == 0 ? ~std::uint64_t{0} : p >> 32U;
        }
    }
    friend bool operator==(const crowded&, const crowded&) = default;
};

void add_kinds(std::vector<growing>& all) {
    using namespace all_schemes;
    add_building<xxh3>(all);
    add_building<ketama_group>(all);
    add_building<murmur_shard>(all);
    add_building<bkdr_spaced>(all);
    add_building<md5_joined>(all);
    add_building<narrow_first>(all);
    add_building<schemes::corrected<xxh3>>(all, 30, square); // as it says
    add_building<libmemcached>(all, 60);
    add_building<libmemcached_weighted>(all, 60);
    add_building<nginx>(all, 60);
    add_building<haproxy>(all, 60);
    add_building<envoy>(all, 60);
    add_building<grpc_java_1_68>(all, 60);
    add_building<dalli>(all, 60);
    add_building<go_ketama>(all, 60);
    add_building<compat::twemproxy>(all, 60);
    add_building<compat::uhashring>(all, 60);
    add_building<compat::spymemcached>(all, 60);
    add_building<compat::jedis>(all, 60);
    add_building<compat::brpc>(all, 60);
    add_building<compat::libketama>(all, 60);
    add_building<compat::npm_hashring>(all, 60);
    add_building<compat::serialx>(all, 60);
    add_building<one_position>(all);
    add_building<crowded>(all);
}

void add_changes(std::vector<growing>& all) {
    const auto few = with_vnodes<schemes::xxh3>(8);
    const auto add = [&](const char* name, std::size_t size, double bound, auto work) {
        all.push_back(with_ring<ring<>>(name, size, bound, work, few));
    };
    add("ring/add a list", 250, linear,
        [](ring<>& r, const auto& list) { r.add(nodes(list.size(), "n.")); });
    add("ring/assign others", 250, linear,
        [](ring<>& r, const auto& list) { static_cast<void>(r.assign(nodes(list.size(), "n."))); });
    add("ring/remove all by one list", 500, linear,
        [](ring<>& r, const auto&) { static_cast<void>(r.assign(std::vector<node_spec>())); });
    add("ring/remove one by one", 60, square, [](ring<>& r, const auto& list) {
        for (const node_spec& node : list) {
            r.remove(node.name);
        }
    });
    add("ring/add one by one", 60, square, [](ring<>&, const auto& list) {
        ring<> fresh;
        for (const node_spec& node : list) {
            fresh.add(node);
        }
    });
    add("ring/apply a plan", 250, linear, [](ring<>& r, const auto& list) {
        std::vector<node_spec> plan;
        for (const node_spec& node : list) {
            plan.emplace_back(node.name, weight{1}, "", 3U);
        }
        static_cast<void>(r.apply(plan));
    });
    add("ring/difference", 250, linear, [](ring<>& r, const auto& list) {
        const ring<> other(nodes(list.size(), "n."), r.scheme());
        static_cast<void>(r.changes_to(other));
    });
    add("ring/save and load", 250, linear,
        [](ring<>& r, const auto&) { static_cast<void>(load<ring<>>(save(r))); });
    add("ring/copies on all nodes", 100, square,
        [](ring<>& r, const auto&) { static_cast<void>(r.replicas("key", r.size()).size()); });
    add("ring/shares and fingerprint", 500, linear, [](ring<>& r, const auto&) {
        static_cast<void>(r.shares());
        static_cast<void>(r.fingerprint());
    });
}

void add_chosen(std::vector<growing>& all) {
    all.push_back({"chosen/names with a long prefix", 100, linear, [](std::size_t count) {
                       auto list = std::make_shared<std::vector<node_spec>>(
                           nodes(count, std::string(500, 'x')));
                       return [list] {
                           ring<> r(*list, with_vnodes<schemes::xxh3>(2));
                           static_cast<void>(r.assign(*list));
                       };
                   }});
    all.push_back({"chosen/names that grow", 100, square, [](std::size_t count) { // as many bytes
                       auto list = std::make_shared<std::vector<node_spec>>();
                       for (std::size_t i = 1; i <= count; ++i) {
                           list->emplace_back(std::string(i, 'x'));
                       }
                       return [list] {
                           const ring<> r(*list, with_vnodes<schemes::xxh3>(2));
                       };
                   }});
    const auto look_up = [](const auto& r, const auto& list) {
        for (const node_spec& node : list) {
            static_cast<void>(r.owner(node.name));
        }
    };
    all.push_back(with_ring<ring<one_position>>("chosen/look-ups at one position", 500, linear,
                                                look_up, with_vnodes<one_position>(8)));
    all.push_back(with_ring<ring<crowded>>("chosen/look-ups in a crowd", 500, linear, look_up,
                                           with_vnodes<crowded>(8)));
    const auto change = [](auto& r, const auto& list) {
        static_cast<void>(r.assign(nodes(list.size(), "n.")));
    };
    all.push_back(with_ring<ring<one_position>>("chosen/changes at one position", 200, linear,
                                                change, with_vnodes<one_position>(8)));
    all.push_back(with_ring<ring<crowded>>("chosen/changes in a crowd", 200, linear, change,
                                           with_vnodes<crowded>(8)));
}

} // namespace

std::vector<growing> rings() {
    std::vector<growing> all;
    add_kinds(all);
    add_changes(all);
    add_chosen(all);
    return all;
}

} // namespace growth
