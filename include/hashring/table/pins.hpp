// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/error.hpp>
#include <hashring/core/key.hpp>
#include <hashring/core/text.hpp>
#include <hashring/ring/fingerprint.hpp>
#include <hashring/ring/saved_lines.hpp>
#include <hashring/table/lookup.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

/// \file
/// Keys whose node is written down, whatever the ring says.
///
/// ```
/// hashring pins 1
/// pin front-page cache-c
/// pin user%2042 cache-a
/// end 11827896304018035912
/// ```

namespace hashring {

/// A few keys and the names of the nodes that they are pinned to: one that is too hot for its
/// owner, one that must stay where it is for a while.
///
/// Pins are beside a ring or table and change nothing of it. A pin to a node that is not a member
/// waits: meanwhile the ring's owner has the key, and if the node comes back, so does the pin. Pins
/// go by the bytes of keys. A regular value.
///
/// Every client must have the same pins: hand them on as `save` writes them, and compare their
/// `fingerprint`, which that of a ring or table does not take in.
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

    /// All pins as pairs of a key's bytes and the name of its node, in the order of the bytes;
    /// `for (const auto& [key, node] : pins)`. They are valid until the pins change.
    [[nodiscard]] auto begin() const noexcept { return pinned_.begin(); }
    [[nodiscard]] auto end() const noexcept { return pinned_.end(); }

    /// A number over all keys and the names of their nodes: equal pins have equal ones, on every
    /// platform and in whatever order they were pinned. 64 bits: meant to notice that two processes
    /// differ, not to withstand an attacker. O(bytes).
    [[nodiscard]] std::uint64_t fingerprint() const noexcept {
        detail::digester digest;
        for (const auto& [bytes, node] : pinned_) {
            digest.add(std::string_view(bytes));
            digest.add(std::string_view(node));
        }
        return digest.value();
    }

    /// All pins as text, for `load`, here or in another process. O(bytes).
    [[nodiscard]] std::string save() const {
        detail::line_writer out;
        out.line(saved_title, "1");
        for (const auto& [bytes, node] : pinned_) {
            out.line("pin", detail::escaped(bytes), detail::escaped(node));
        }
        return std::move(out).finish();
    }
    /// What was saved. Throws `invalid_state`, which names the line, for a text that is damaged or
    /// of something else. O(bytes).
    ///
    /// Law: it equals what was saved, whatever the bytes of keys and names.
    [[nodiscard]] static pins load(std::string_view text);

    /// Whether the same keys are pinned to nodes of the same names.
    friend bool operator==(const pins&, const pins&) = default;

private:
    static constexpr std::string_view saved_title = "hashring pins";

    std::map<std::string, std::string, std::less<>> pinned_;
};

inline pins pins::load(std::string_view text) {
    detail::line_reader lines(text);
    lines.expect(saved_title);
    if (lines.word() != "1") {
        lines.fail("another version's form");
    }
    lines.end_of_line();
    pins loaded;
    while (lines.begin("pin")) {
        std::string bytes = lines.text_word();
        std::string node = lines.text_word();
        lines.end_of_line();
        if (!loaded.pinned_.empty() && loaded.pinned_.rbegin()->first >= bytes) {
            lines.fail("its key does not come after the one before");
        }
        loaded.pinned_.emplace_hint(loaded.pinned_.end(), std::move(bytes), std::move(node));
    }
    lines.finish();
    return loaded;
}

} // namespace hashring
