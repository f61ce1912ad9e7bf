// SPDX-License-Identifier: MIT
#pragma once

#include "subjects.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// Whether a subject gives the answers that it has to give, on a sample of the keys.

namespace hashring::bench {

inline constexpr std::size_t sample_size = 1024;
inline constexpr std::size_t copies = 3;

/// Where a subject puts its answer about `copies` replicas.
template <class Subject>
using replica_space = std::array<typename Subject::node_type, copies>;

/// The owners of the sample on `r`, in the order of the keys. Nothing is searched: sorted positions
/// and points are passed once, side by side.
template <class Scheme>
[[nodiscard]] std::vector<std::string_view> owners_by_sweep(const ring<Scheme>& r) {
    std::vector<std::pair<typename Scheme::position_type, std::size_t>> sample;
    for (std::size_t i = 0; i < sample_size; ++i) {
        sample.emplace_back(r.position(shared_keys()[i]), i);
    }
    std::sort(sample.begin(), sample.end());
    std::vector<std::string_view> owners(sample_size);
    std::size_t at = 0;
    for (const auto& [position, key] : sample) {
        while (at < r.point_count() && r.point_position(at) < position) {
            ++at;
        }
        owners[key] = r.node(r.point_owner(at == r.point_count() ? 0 : at)).name();
    }
    return owners;
}

/// What is wrong with the owners that `subject` names, if `expected` is right.
template <class Subject, class Scheme>
[[nodiscard]] std::string check_owners(const Subject& subject, const ring<Scheme>& expected) {
    const auto owners = owners_by_sweep(expected);
    for (std::size_t i = 0; i < sample_size; ++i) {
        const std::string_view key = shared_keys()[i];
        if (name_in(subject.owner(key)) != owners[i] ||
            name_in(subject.owner_at(subject.position(key))) != owners[i]) {
            return "another owner than the ring's for key " + std::string(key);
        }
    }
    return {};
}

/// The same for `copies` replicas; the ring's walk is right.
template <class Subject, class Scheme>
[[nodiscard]] std::string check_replicas(const Subject& subject, const ring<Scheme>& expected) {
    for (std::size_t i = 0; i < sample_size; ++i) {
        const std::string_view key = shared_keys()[i];
        auto found = replica_space<Subject>();
        const auto same = [](const auto& a, const auto& b) {
            return name_in(a) == b.name();
        };
        const auto right = expected.replicas(key, copies);
        const std::size_t count = subject.replicas(key, found);
        if (!std::equal(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count),
                        right.begin(), right.end(), same)) {
            return "other replicas than the ring's for key " + std::string(key);
        }
    }
    return {};
}

/// What is wrong with a subject after a change, if it should be as `expected`.
template <class Subject, class Scheme>
[[nodiscard]] std::string check_equal(const Subject& subject, const ring<Scheme>& expected) {
    if constexpr (is_ring<Subject>) {
        if (!(subject == expected)) {
            return "not the ring that it should be";
        }
    }
    return subject.point_count() != expected.point_count() ? "another number of points"
                                                           : check_owners(subject, expected);
}

} // namespace hashring::bench
