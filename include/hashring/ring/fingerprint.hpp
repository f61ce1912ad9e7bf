// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/node.hpp>
#include <hashring/hash/mix.hpp>
#include <hashring/hash/murmur64a.hpp>
#include <hashring/placement/scheme.hpp>
#include <hashring/ring/build.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// \file
/// One number that says whether two processes place alike.

namespace hashring::detail {

/// Absorbs texts and numbers, each in its place: another order gives another number.
class digester {
public:
    template <std::unsigned_integral Number>
    void add(Number number) noexcept {
        state_ = hash::mix(state_ ^ number) + golden;
    }
    void add(std::string_view text) noexcept { add(hash::murmur64a{text.size()}(text)); }
    void add(const uint128& number) noexcept {
        add(number.high);
        add(number.low);
    }
    [[nodiscard]] std::uint64_t value() const noexcept { return hash::mix(state_); }

private:
    static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
    std::uint64_t state_ = golden;
};

template <placement_scheme Scheme>
[[nodiscard]] std::uint64_t fingerprint(const Scheme& scheme, std::span<const placed_node> nodes,
                                        const points_of<Scheme>& points) {
    digester digest;
    digest.add(std::string_view(Scheme::name));
    for (const scheme_option& option : Scheme::options()) {
        digest.add(option.name);
        digest.add(std::string_view(scheme.get(option.name)));
    }
    std::vector<std::uint64_t> names;
    for (const placed_node& node : nodes) {
        names.push_back(hash::murmur64a{}(node.name));
        if constexpr (Scheme::order_matters) {
            digest.add(node.name);
        }
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        digest.add(points.position(i));
        digest.add(names[points.owner(i)]);
    }
    return digest.value();
}

} // namespace hashring::detail
