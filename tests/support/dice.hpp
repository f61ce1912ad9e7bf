// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/text.hpp>
#include <hashring/hash/mix.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// Seeded choices that are the same on every platform and standard library.
class dice {
public:
    explicit dice(std::uint64_t seed) : state_(hashring::hash::mix(seed)) {}

    std::uint64_t next() { return hashring::hash::mix(state_ += 0x9e3779b97f4a7c15U); }
    // A number in [0, bound).
    std::uint64_t below(std::uint64_t bound) { return next() % bound; }

    template <class T>
    const T& pick(const std::vector<T>& from) {
        return from[below(from.size())];
    }
    template <class T>
    void shuffle(std::vector<T>& items) {
        for (std::size_t i = items.size(); i > 1; --i) {
            std::swap(items[i - 1], items[below(i)]);
        }
    }

private:
    std::uint64_t state_;
};

// `count` names of the kind that clusters have; another seed gives other names.
inline std::vector<std::string> node_names(std::size_t count, std::uint64_t seed) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < count; ++i) {
        std::string& name = names.emplace_back(1, 's');
        hashring::append_decimal(name, seed);
        name += "-node-";
        hashring::append_decimal(name, i);
    }
    return names;
}
