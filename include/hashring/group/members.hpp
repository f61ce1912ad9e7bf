// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/text.hpp>
#include <hashring/group/copy.hpp>
#include <hashring/group/copy_list.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// The copies of a group, and how many of them are a majority.

namespace hashring::group {

/// The fewest of `copies` copies that are more than half: 1, 2, 2, 3, 3 of 1 … 5.
///
/// Law: two majorities have a copy in common, so a majority read meets each majority write.
[[nodiscard]] constexpr std::size_t majority(std::size_t copies) noexcept {
    return copies / 2 + 1;
}

/// A group: its copies, at most one of them the master, and what is known of them. A regular value;
/// who watches the servers keeps one and changes it, everything else here only reads it.
///
/// All copies that the group is meant to have are listed, those that are down too: a majority is
/// one of these, not of the copies that happen to answer.
///
/// Source: Redis paper, a group is a master and a list of replicas.
class members {
public:
    members() = default;

    /// Throws `invalid_group` if a name is empty or there twice, if there is more than one master,
    /// or more than `max_copies` copies.
    explicit members(std::vector<copy> copies) : copies_(std::move(copies)) { check(); }

    [[nodiscard]] std::size_t size() const noexcept { return copies_.size(); }
    [[nodiscard]] bool empty() const noexcept { return copies_.empty(); }
    /// Copy `i` in [0, size()), in the order given.
    [[nodiscard]] const copy& operator[](std::size_t i) const noexcept { return copies_[i]; }
    [[nodiscard]] auto begin() const noexcept { return copies_.begin(); }
    [[nodiscard]] auto end() const noexcept { return copies_.end(); }

    /// The index of the master, or `no_copy`.
    [[nodiscard]] std::size_t master() const noexcept {
        return index_if([](const copy& c) { return c.role == role::master; });
    }
    /// The index of the copy called `name`, or `no_copy`.
    [[nodiscard]] std::size_t find(std::string_view name) const noexcept {
        return index_if([&](const copy& c) { return c.name == name; });
    }

    /// How many are `up`, and how many answer.
    [[nodiscard]] std::size_t complete() const noexcept {
        return count_if([](const copy& c) { return is_complete(c.state); });
    }
    [[nodiscard]] std::size_t answering() const noexcept {
        return count_if([](const copy& c) { return is_answering(c.state); });
    }
    /// How many are in `state`.
    [[nodiscard]] std::size_t count(copy_state state) const noexcept {
        return count_if([&](const copy& c) { return c.state == state; });
    }

    /// What was learned of copy `i` in [0, size()).
    void set_state(std::size_t i, copy_state state) noexcept { copies_[i].state = state; }
    void set_offset(std::size_t i, std::uint64_t offset) noexcept { copies_[i].offset = offset; }
    void set_priority(std::size_t i, std::uint32_t priority) noexcept {
        copies_[i].priority = priority;
    }
    /// Makes copy `i` the master, and the one that was it a replica; with `no_copy` there is none.
    void set_master(std::size_t i) noexcept {
        for (copy& c : copies_) {
            c.role = role::replica;
        }
        if (i != no_copy) {
            copies_[i].role = role::master;
        }
    }

    friend bool operator==(const members&, const members&) = default;

private:
    void check() const {
        if (copies_.size() > max_copies) {
            throw invalid_group(concat(decimal(copies_.size()), " copies: a group has at most ",
                                       decimal(max_copies)));
        }
        std::size_t masters = 0;
        for (std::size_t i = 0; i < copies_.size(); ++i) {
            masters += copies_[i].role == role::master ? 1U : 0U;
            if (copies_[i].name.empty()) {
                throw invalid_group("a copy has an empty name");
            }
            if (find(copies_[i].name) != i) {
                throw invalid_group(concat("two copies are named '", copies_[i].name, "'"));
            }
        }
        if (masters > 1) {
            throw invalid_group("a group has one master at most");
        }
    }

    template <class Test>
    [[nodiscard]] std::size_t index_if(Test test) const noexcept {
        const auto found = std::find_if(copies_.begin(), copies_.end(), test);
        return found == copies_.end() ? no_copy : static_cast<std::size_t>(found - copies_.begin());
    }
    template <class Test>
    [[nodiscard]] std::size_t count_if(Test test) const noexcept {
        return static_cast<std::size_t>(std::count_if(copies_.begin(), copies_.end(), test));
    }

    std::vector<copy> copies_;
};

} // namespace hashring::group
