// SPDX-License-Identifier: MIT
#pragma once

#include "laws/operations.hpp"
#include "laws/reference.hpp"

#include <hashring/core/node.hpp>
#include <hashring/core/uint128.hpp>
#include <hashring/ring/node_marks.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Rings and tables of every scheme behind one type, so that the laws are compiled once and not for
// each of them. Positions are of 128 bits, whatever the scheme's are.
namespace laws {

// What a scheme says of itself.
struct promises {
    std::string_view name;
    bool order_matters = false;   // the order of the list is a part of the value
    bool own_points = false;      // a node's points depend on that node alone
    bool first_ones_stay = false; // and more of them leave the first ones where they are
};

// An arc that changed hands, by the names of its owners; "" is nobody.
struct moved {
    uint128 first;
    uint128 last;
    std::string from;
    std::string to;
    friend bool operator==(const moved&, const moved&) = default;
};

// The difference of two rings.
struct difference {
    std::vector<moved> arcs{};
    uint128 width{};       // of all arcs
    uint128 transferred{}; // the same, summed by pairs of nodes
    // For each position asked for the owners that it names, the same twice where nothing moves.
    std::vector<std::pair<std::string, std::string>> found{};
};

// A ring.
class subject {
public:
    virtual ~subject() = default;

    virtual promises promised() const = 0;

    // --- values
    virtual std::unique_ptr<subject> copy() const = 0;
    virtual std::unique_ptr<subject> loaded(const std::string& text) const = 0;
    virtual std::string saved() const = 0;
    virtual bool equals(const subject& other) const = 0;
    virtual std::uint64_t fingerprint() const = 0;
    virtual std::size_t differences_from(const subject& other) const = 0;

    // --- nodes
    virtual std::vector<node_spec> nodes() const = 0;
    virtual std::vector<std::uint32_t> counts() const = 0;
    virtual std::uint32_t index_of(std::string_view name) const = 0;
    virtual std::size_t placed_count() const = 0;

    // --- looking up
    virtual uint128 position(std::string_view key) const = 0;
    virtual std::string owner(std::string_view key) const = 0;
    virtual std::uint32_t owner_index_at(const uint128& p) const = 0;
    virtual std::vector<std::uint32_t> owners_at(std::span<const uint128> positions) const = 0;
    virtual std::vector<std::uint32_t> walk_at(const uint128& p) const = 0;
    virtual std::vector<std::uint32_t> replicas_at(const uint128& p, std::size_t count) const = 0;
    virtual std::vector<std::string> replicas(std::string_view key, std::size_t count) const = 0;

    // --- beside it
    virtual std::uint32_t owner_that_is_up(const uint128& p, const hashring::node_marks& marks,
                                           hashring::when_down policy) const = 0;
    virtual std::vector<std::uint32_t> replicas_that_are_up(const uint128& p,
                                                            const hashring::node_marks& marks,
                                                            std::size_t count) const = 0;
    virtual hashring::node_marks carried_over(const hashring::node_marks& marks,
                                              const subject& to) const = 0;
    virtual std::uint32_t owner_with_room(const uint128& p, std::span<const std::uint64_t> weights,
                                          std::span<const std::uint64_t> loads,
                                          std::uint32_t percent) const = 0;

    // --- points
    virtual std::vector<point> points() const = 0;
    virtual std::vector<uint128> widths() const = 0;
    virtual std::vector<double> shares() const = 0;
    virtual difference changes_to(const subject& after,
                                  std::span<const uint128> positions) const = 0;
};

// A ring of a scheme, which a list of nodes decides.
class list_subject : public subject {
public:
    // The ring of a list, built at once; and what it must be, of the scheme alone. Both throw what
    // derives from `std::invalid_argument` for a list that the scheme refuses.
    virtual std::unique_ptr<list_subject> fresh(const std::vector<node_spec>& nodes) const = 0;
    virtual placement expected(std::vector<node_spec> nodes) const = 0;
    // Carries out an operation that changes the list. `said` becomes what the call said moved, if
    // it says so.
    virtual std::size_t apply(const operation& op, std::unique_ptr<difference>& said) = 0;
    virtual std::unique_ptr<list_subject> list_copy() const = 0;
};

} // namespace laws
