// SPDX-License-Identifier: MIT
#pragma once

#include "baselines.hpp"
#include "heap.hpp"
#include "keys.hpp"

#include <hashring/core/text.hpp>
#include <hashring/placement/xxh3.hpp>
#include <hashring/ring/ring.hpp>
#include <hashring/table/table.hpp>

#include <concepts>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// What is measured, by size: a ring or a classic design, built once and shared by all benchmarks.

namespace hashring::bench {

/// The names of nodes `from … to − 1`, in alphabetical order. The first `n` are a cluster of `n`.
[[nodiscard]] inline std::vector<std::string> node_names(std::size_t from, std::size_t to) {
    std::vector<std::string> names;
    for (std::size_t i = from; i < to; ++i) {
        names.push_back("node-" + decimal(100'000 + i));
    }
    return names;
}

/// A subject and what its heap memory is.
template <class Subject>
struct built {
    Subject subject;
    double bytes_per_point = 0;

    explicit built(const std::vector<std::string>& names)
        : built(names, static_cast<double>(heap_bytes())) {}

private:
    built(const std::vector<std::string>& names, double heap_before) : subject(names) {
        if constexpr (requires { subject.point_count(); }) {
            bytes_per_point = (static_cast<double>(heap_bytes()) - heap_before) /
                              static_cast<double>(subject.point_count());
        }
    }
};

/// The subject of `nodes` nodes. Who changes it puts it back as it was.
template <class Subject>
[[nodiscard]] built<Subject>& shared(std::size_t nodes) {
    static std::map<std::size_t, std::unique_ptr<built<Subject>>> known;
    auto& slot = known[nodes];
    if (!slot) {
        slot = std::make_unique<built<Subject>>(node_names(0, nodes));
    }
    return *slot;
}

/// A subject of `nodes` nodes to change and put back: a copy if it has copies, else the shared one.
template <class Subject>
[[nodiscard]] decltype(auto) scratch(std::size_t nodes) {
    if constexpr (std::copyable<Subject>) {
        return Subject(shared<Subject>(nodes).subject);
    } else {
        return (shared<Subject>(nodes).subject);
    }
}

template <class Subject>
inline constexpr bool is_ring = false;
template <class Scheme>
inline constexpr bool is_ring<ring<Scheme>> = true;

template <class Subject>
inline constexpr bool is_table = false;
template <class Scheme>
inline constexpr bool is_table<table<Scheme>> = true;

/// The ring that a subject has to answer like.
template <class Subject>
using ring_like = ring<typename Subject::scheme_type>;

/// `ring/<operation>/<scheme>`, `table/<operation>/<scheme>`, or
/// `baseline/<design>/<operation>/<scheme>` without the operation where it is to name the owner of
/// a key, and without the scheme where it is the default one.
template <class Subject>
[[nodiscard]] std::string bench_name(std::string_view operation) {
    if constexpr (is_ring<Subject>) {
        return concat("ring/", operation, "/", Subject::scheme_type::name);
    } else if constexpr (is_table<Subject>) {
        return concat("table/", operation, "/", Subject::scheme_type::name);
    } else {
        std::string name = concat("baseline/", Subject::name);
        if (operation != "owner") {
            name.append("/").append(operation);
        }
        if constexpr (requires { typename Subject::scheme_type; }) {
            if (Subject::scheme_type::name != schemes::xxh3::name) {
                name.append("/").append(Subject::scheme_type::name);
            }
        }
        return name;
    }
}

/// The name in an answer of a ring or of a classic design; no text for nobody.
[[nodiscard]] inline std::string_view name_in(name_ref answer) {
    return answer == nullptr ? std::string_view{} : *answer;
}
[[nodiscard]] inline std::string_view name_in(const node_ref<>& answer) {
    return answer.name();
}
[[nodiscard]] inline std::string_view name_in(const std::optional<node_ref<>>& answer) {
    return answer ? answer->name() : std::string_view{};
}

} // namespace hashring::bench
