// SPDX-License-Identifier: MIT
#pragma once

#include "support/golden.hpp"
#include "support/golden_rings.hpp"
#include "support/memcached_files.hpp"
#include "support/mismatches.hpp"

#include <hashring/core/node.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/table/table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// Placements by the name of their scheme, and what of golden files they make the same.
namespace golden {

// Some scheme's ring or table.
struct any_placement {
    std::function<std::uint32_t(std::string_view key)> owner; // an index into the list
    std::function<std::vector<std::string>()> dump;           // empty for a table
};

template <class Scheme>
[[nodiscard]] any_placement placed_by(Scheme scheme, std::vector<node_spec> nodes) {
    if constexpr (requires { scheme.take(std::span<node_spec>(nodes)); }) {
        scheme.take(nodes);
    }
    constexpr bool is_ring = hashring::placement_scheme<Scheme>;
    const auto index_in = [nodes](std::string_view name) {
        std::uint32_t i = 0;
        while (nodes.at(i).name != name) {
            ++i;
        }
        return i;
    };
    if constexpr (is_ring) {
        const auto ring = std::make_shared<hashring::ring<Scheme>>(nodes, scheme);
        return {[=](std::string_view key) { return index_in(ring->owner(key)->name()); },
                [=] {
                    return dump(*ring);
                }};
    } else {
        const auto table = std::make_shared<hashring::table<Scheme>>(nodes, scheme);
        return {[=](std::string_view key) { return index_in(table->owner(key)->name()); }, {}};
    }
}

// The placement that a call makes, by one of `Schemes`.
template <class... Schemes>
[[nodiscard]] any_placement placed_by_call(const memcached_call& call,
                                           const std::vector<node_spec>& nodes) {
    any_placement result;
    const auto try_one = [&](auto scheme) {
        if (decltype(scheme)::name == call.scheme) {
            for (const auto& [option, value] : call.options) {
                scheme.set(option, value);
            }
            result = placed_by(scheme, nodes);
        }
    };
    (try_one(Schemes{}), ...);
    if (!result.owner) {
        throw std::logic_error("no scheme " + call.scheme);
    }
    return result;
}

// How many lines of files hold, by program.
class verified_lines {
public:
    // One owner of each key, or `-` for a key that the program cannot take.
    void check_owners(const any_placement& placed, const memcached_file& file) {
        const auto owners = lines(file.path);
        const auto keys = golden::keys(file.keys);
        REQUIRE(owners.size() == keys.size());
        for (std::size_t i = 0; i < keys.size(); ++i) {
            if (owners[i] != "-") {
                const std::uint32_t owner = placed.owner(keys[i]);
                expect(std::to_string(owner) == owners[i], file, i, owner, owners[i]);
            }
        }
    }

    // All points of a ring.
    void check_ring(const any_placement& placed, const memcached_file& file) {
        const auto wanted = lines(file.path);
        auto ours = placed.dump();
        ours.resize(std::max(ours.size(), wanted.size()));
        for (std::size_t i = 0; i < ours.size(); ++i) {
            const std::string want = i < wanted.size() ? wanted[i] : "nothing";
            expect(ours[i] == want, file, i, ours[i], want);
        }
    }

    template <class... Where>
    void expect(bool holds, const memcached_file& file, const Where&... where) {
        auto& [good, all] = totals_[file.program];
        good += holds ? 1 : 0;
        ++all;
        wrong_.expect(holds, file.path, where...);
    }

    // `twemproxy: 18,000 of 18,000`, a line a program.
    [[nodiscard]] std::string summary() const {
        std::string text;
        for (const auto& [program, lines] : totals_) {
            text += program + ": " + grouped(lines.good) + " of " + grouped(lines.all) + "\n";
        }
        return text;
    }
    [[nodiscard]] std::string report() const { return wrong_.report(); }
    [[nodiscard]] std::size_t programs() const { return totals_.size(); }

private:
    struct total {
        std::size_t good = 0;
        std::size_t all = 0;
    };

    [[nodiscard]] static std::string grouped(std::size_t number) {
        std::string digits = std::to_string(number);
        for (std::size_t at = digits.size(); at > 3; at -= 3) {
            digits.insert(at - 3, 1, ',');
        }
        return digits;
    }

    std::map<std::string, total> totals_;
    hashring::test::mismatches wrong_;
};

} // namespace golden
