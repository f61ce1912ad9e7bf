// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/key.hpp>
#include <hashring/table/lookup.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// \file
/// Keys whose node is written down, whatever the ring says.

namespace hashring {

/// A few keys and the names of the nodes that they are pinned to: one that is too hot for its
/// owner, one that must stay where it is for a while.
///
/// Pins are beside a ring or table and change nothing of it. A pin to a node that is not a member
/// waits: meanwhile the ring's owner has the key, and if the node comes back, so does the pin. Pins
/// go by the bytes of keys. Every client must have the same pins. A regular value.
class pins {
public:
    /// Pins a key to the node called `node`, in place of where it was pinned to.
    template <key Key>
    void pin(const Key& k, std::string_view node) {
        with_key_bytes(k, [&](std::string_view bytes) {
            pinned_.insert_or_assign(std::string(bytes), std::string(node));
        });
    }
    /// Lets a key go back to its owner. Returns whether it was pinned.
    template <key Key>
    bool unpin(const Key& k) {
        return with_key_bytes(k, [&](std::string_view bytes) {
            const auto found = pinned_.find(bytes);
            if (found == pinned_.end()) {
                return false;
            }
            pinned_.erase(found);
            return true;
        });
    }

    [[nodiscard]] std::size_t size() const noexcept { return pinned_.size(); }

    /// The name of the node that a key is pinned to, or nothing. It points into the pins until they
    /// change. O(log pins).
    template <key Key>
    [[nodiscard]] std::optional<std::string_view> pinned_to(const Key& k) const noexcept {
        return with_key_bytes(k, [&](std::string_view bytes) noexcept {
            const auto found = pinned_.find(bytes);
            return found == pinned_.end() ? std::nullopt
                                          : std::optional<std::string_view>(found->second);
        });
    }

    /// The node that has a key: the one that it is pinned to, if that is a member, or else its
    /// owner. As `owner`, and O(log pins) before it.
    template <node_lookup Placed, key Key>
    [[nodiscard]] std::optional<typename Placed::node_type> owner(const Placed& placed,
                                                                  const Key& k) const noexcept {
        if (const std::optional<std::string_view> name = pinned_to(k)) {
            if (const auto node = placed.find(*name)) {
                return node;
            }
        }
        return placed.owner(k);
    }

    friend bool operator==(const pins&, const pins&) = default;

private:
    std::map<std::string, std::string, std::less<>> pinned_;
};

} // namespace hashring
