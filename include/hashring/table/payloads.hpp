// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/ring/point_list.hpp>
#include <hashring/table/reader.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

/// \file
/// Payloads of a table's nodes, which change without a key that moves.

namespace hashring {

/// The part of `table` and `anchor_table` that changes payloads: see there. It is not used by
/// itself.
template <table_scheme Scheme, class Payload>
class table_payloads : public table_reader<Scheme, Payload> {
    using reader = table_reader<Scheme, Payload>;

public:
    /// Puts `payload` in place of a member's and returns the old one. Throws `unknown_node`. As
    /// `index_of`.
    Payload exchange_payload(std::string_view name, Payload payload) {
        Payload* const held = this->payload(name);
        if (held == nullptr) {
            throw unknown_node(std::string(name));
        }
        return std::exchange(*held, std::move(payload));
    }

    /// A member's payload to change in place, or null. It points into the table until that changes.
    /// As `index_of`.
    [[nodiscard]] Payload* payload(std::string_view name) noexcept {
        const std::uint32_t index = this->index_of(name);
        return index == no_node ? nullptr : &this->state_.members[index].payload;
    }

protected:
    table_payloads() = default;
    explicit table_payloads(Scheme scheme) : reader(std::move(scheme)) {}
};

} // namespace hashring
