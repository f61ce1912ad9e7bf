// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>
#include <hashring/core/error.hpp>

#include <charconv>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

/// \file
/// Which of two values of a key is the newer one.

namespace hashring::group {

/// The version of a value, ordered by epoch, then counter, then origin. `version{}` is that of
/// nothing and below every version that `next_version` makes.
///
/// Two writers cannot make the same one: the versions of one reign of one master are counted by
/// that master, and those of two reigns differ in their origin.
struct version {
    /// Grows with each failover, so that all that a new master writes is above all that the old one
    /// wrote, also what it still writes because it does not know yet.
    std::uint64_t epoch = 0;
    /// Counted by the master, over all keys of the group.
    std::uint64_t counter = 0;
    /// The reign of the master that made it; the last word where an epoch was used twice.
    std::uint64_t origin = 0;

    friend constexpr bool operator==(const version&, const version&) = default;
    friend constexpr auto operator<=>(const version&, const version&) = default;
};

/// The version after `last`, the last one that this master's data hold (`version{}` if none). It is
/// to be made where the write is applied, in one step with it: in Redis in the script that writes.
///
/// `origin` names the reign, such as `origin_of(master_replid)`; it must be another one after each
/// promotion and each restart. `epoch` grows with each failover and was learned together with the
/// master's address, such as Sentinel's `config-epoch`; 0 if there is none. A reign that finds
/// another one's version goes to a later epoch even if the writer does not know it. `last` is
/// stored with the data, is copied with them, never expires and is never evicted.
///
/// Law: the result is above `last`; two results are equal only if `last` and `origin` were. Throws
/// `invalid_record` if there is no version left (a counter that is full passes to the next epoch).
[[nodiscard]] constexpr version next_version(const version& last, std::uint64_t epoch,
                                             std::uint64_t origin) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    const bool is_new_reign = last != version{} && last.origin != origin;
    const bool is_full = last.counter == most;
    if ((is_new_reign || is_full) && last.epoch == most) {
        throw invalid_record("no version is left after the last one");
    }
    const std::uint64_t least = last.epoch + (is_new_reign || is_full ? 1U : 0U);
    return {epoch > least ? epoch : least, is_full ? 1 : last.counter + 1, origin};
}

/// The number of bytes of a version.
inline constexpr std::size_t version_bytes = 24;

namespace detail {

template <class Word>
constexpr void append_be(std::string& out, Word word) {
    for (std::size_t i = sizeof(Word); i > 0;) {
        --i;
        out += static_cast<char>(static_cast<std::uint8_t>(word >> (8U * i)));
    }
}

template <class Word>
[[nodiscard]] constexpr Word load_be(std::string_view bytes, std::size_t at) noexcept {
    Word word = 0;
    for (std::size_t i = 0; i < sizeof(Word); ++i) {
        word = static_cast<Word>(word << 8U) | Word{byte_at(bytes, at + i)};
    }
    return word;
}

/// The version whose bytes begin at `at`; they are all there.
[[nodiscard]] constexpr version load_version(std::string_view bytes, std::size_t at) noexcept {
    return {load_be<std::uint64_t>(bytes, at), load_be<std::uint64_t>(bytes, at + 8),
            load_be<std::uint64_t>(bytes, at + 16)};
}

} // namespace detail

/// Appends the `version_bytes` bytes of a version to `out`: epoch, counter and origin, big-endian,
/// so that the bytes of two versions compare as they do.
constexpr void append_version(std::string& out, const version& v) {
    detail::append_be(out, v.epoch);
    detail::append_be(out, v.counter);
    detail::append_be(out, v.origin);
}

/// The version whose bytes these are; nothing for another number of bytes. Law: it gives back what
/// `append_version` appended.
[[nodiscard]] constexpr std::optional<version> read_version(std::string_view bytes) noexcept {
    return bytes.size() == version_bytes ? std::optional(detail::load_version(bytes, 0))
                                         : std::nullopt;
}

/// The origin that a random hexadecimal name stands for, such as Redis' `master_replid`: its first
/// 16 digits as a number; nothing if it does not begin with as many.
[[nodiscard]] inline std::optional<std::uint64_t> origin_of(std::string_view hex) noexcept {
    const std::string_view digits = hex.substr(0, 16);
    std::uint64_t origin = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), origin, 16);
    if (digits.size() < 16 || error != std::errc{} || end != digits.data() + digits.size()) {
        return std::nullopt;
    }
    return origin;
}

} // namespace hashring::group
