// SPDX-License-Identifier: MIT
#pragma once

#include "subjects.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// Whether a subject gives the answers that it has to give, on a sample of the keys.

namespace hashring::bench {

inline constexpr std::size_t sample_size = 1024;
inline constexpr std::size_t copies = 3;

/// Where a subject puts its answer about `copies` replicas.
template <class Subject>
using replica_space = std::array<typename Subject::node_type, copies>;

/// Where the sample of the keys stands on `r`, and after that the positions that are easily got
/// wrong: on the points next to the end of the circle and one past them, and the end itself.
template <class Scheme>
[[nodiscard]] std::vector<typename Scheme::position_type> sample_positions(const ring<Scheme>& r) {
    using position = typename Scheme::position_type;
    std::vector<position> positions;
    positions.reserve(sample_size + 8);
    for (std::size_t i = 0; i < sample_size; ++i) {
        positions.push_back(r.position(shared_keys()[i]));
    }
    for (const std::size_t point : {std::size_t{0}, std::size_t{1}, r.point_count() - 1}) {
        positions.push_back(r.point_position(point));
        positions.push_back(next_position(positions.back(), position{Scheme::last_position}));
    }
    positions.insert(positions.end(), {position{0}, position{Scheme::last_position}});
    return positions;
}

/// The owners of `positions` on `r`, in their order. Nothing is searched: sorted positions and
/// points are passed once, side by side.
template <class Scheme>
[[nodiscard]] std::vector<std::string_view>
owners_by_sweep(const ring<Scheme>& r, std::span<const typename Scheme::position_type> positions) {
    std::vector<std::size_t> order(positions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return positions[a] < positions[b]; });
    std::vector<std::string_view> owners(positions.size());
    std::size_t at = 0;
    for (const std::size_t i : order) {
        while (at < r.point_count() && r.point_position(at) < positions[i]) {
            ++at;
        }
        owners[i] = r.node(r.point_owner(at == r.point_count() ? 0 : at)).name();
    }
    return owners;
}

/// What is wrong with the owners that `subject` names, if the points of `expected` are right.
template <class Subject, class Scheme>
[[nodiscard]] std::string check_owners(const Subject& subject, const ring<Scheme>& expected) {
    const auto positions = sample_positions(expected);
    const auto owners = owners_by_sweep<Scheme>(expected, positions);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (name_in(subject.owner_at(positions[i])) != owners[i]) {
            return "another owner than the ring's at position " + decimal(positions[i]);
        }
        if (i < sample_size && name_in(subject.owner(shared_keys()[i])) != owners[i]) {
            return "another owner than the ring's for key " + std::string(shared_keys()[i]);
        }
    }
    return {};
}

/// What is wrong with the numbers of owners that `subject` answers with.
template <class Subject, class Scheme>
[[nodiscard]] std::string check_answers(const Subject& subject, const ring<Scheme>& expected) {
    const auto positions = sample_positions(expected);
    const auto owners = owners_by_sweep<Scheme>(expected, positions);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (subject.answer_at(positions[i]) != expected.index_of(owners[i])) {
            return "another owner than the ring's at position " + decimal(positions[i]);
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
