// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/node.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// \file
/// A node as a ring hands it out.

namespace hashring {

/// The payload of a ring that keeps none.
struct no_payload {
    friend bool operator==(const no_payload&, const no_payload&) = default;
};

namespace detail {

/// A node as a ring keeps it.
template <class Payload>
struct member {
    std::string name;
    std::string address;
    hashring::weight weight;
    std::uint32_t vnodes = 0;
    /// What its user gave it; a scheme that picks points may have made more or fewer of it.
    std::optional<std::uint32_t> count_by_hand{};
    [[no_unique_address]] Payload payload{};
};

} // namespace detail

/// A member of a ring: a view that is valid until the ring changes or ends. It converts to the
/// node's name.
template <class Payload = no_payload>
class node_ref {
public:
    /// Refers to nothing: for arrays that a ring fills. Only assigning to it is allowed.
    node_ref() noexcept = default;
    explicit node_ref(const detail::member<Payload>& m) noexcept : member_(&m) {}

    /// Its name, address (empty if none was given), weight, and payload.
    [[nodiscard]] std::string_view name() const noexcept { return member_->name; }
    [[nodiscard]] std::string_view address() const noexcept { return member_->address; }
    [[nodiscard]] hashring::weight weight() const noexcept { return member_->weight; }
    /// The number of virtual nodes that it has.
    [[nodiscard]] std::uint32_t vnodes() const noexcept { return member_->vnodes; }
    /// The number that its user gave it in place of the scheme's rule, if any.
    [[nodiscard]] std::optional<std::uint32_t> vnodes_by_hand() const noexcept {
        return member_->count_by_hand;
    }
    [[nodiscard]] const Payload& payload() const noexcept { return member_->payload; }

    operator std::string_view() const noexcept { return name(); }

    /// Whether both have the same name, on one ring or on two.
    friend bool operator==(const node_ref& a, const node_ref& b) noexcept {
        return a.is_same_member(b) || a.name() == b.name();
    }
    /// Whether both are the same member of the same ring; cheaper than to compare names.
    [[nodiscard]] bool is_same_member(const node_ref& other) const noexcept {
        return member_ == other.member_;
    }
    friend bool operator==(const node_ref& a, std::string_view b) noexcept { return a.name() == b; }

private:
    const detail::member<Payload>* member_ = nullptr;
};

} // namespace hashring
