// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/core/bytes.hpp>
#include <hashring/core/error.hpp>
#include <hashring/group/version.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

/// \file
/// What a store keeps for a key: a value or the mark of a deletion, with its version, as bytes.
///
/// | bytes | what |
/// | --- | --- |
/// | 0 … 1 | `f7 68`, which no text in UTF-8 begins with |
/// | 2 | the form of what follows: 1 |
/// | 3 | 1 a value, 2 a tombstone |
/// | 4 … 7 | the number of bytes from byte 44 on |
/// | 8 … 31 | the version: epoch, counter, origin |
/// | 32 … 39 | `expires_at` |
/// | 40 … 43 | the check: over the ten words before it, from 0 on, turned left by 5 and xored |
/// | 44 … | the value |
///
/// Numbers are big-endian, so that the bytes 8 … 31 of two records compare as their versions do. A
/// script in the store can put a version in and compute the check in a few lines.

namespace hashring::group {

/// What a record says of its key; the numbers are those in its bytes.
enum class record_kind : std::uint8_t {
    value = 1,
    tombstone = 2, ///< the key was deleted
};

/// A record whose value stands elsewhere.
struct record_view {
    hashring::group::version version{};
    record_kind kind = record_kind::value;
    /// In milliseconds since 1970, or 0 for never. A value is gone from then on; a tombstone may be
    /// forgotten from then on.
    std::uint64_t expires_at = 0;
    /// Any bytes; none in a tombstone.
    std::string_view payload{};

    friend constexpr bool operator==(const record_view&, const record_view&) = default;
};

/// Where the version, the expiry, the check and the value begin in the bytes of a record.
inline constexpr std::size_t record_version_at = 8;
inline constexpr std::size_t record_expiry_at = 32;
inline constexpr std::size_t record_check_at = 40;
inline constexpr std::size_t record_payload_at = 44;

/// Why bytes are no record.
enum class damage : std::uint8_t {
    none,
    foreign,      ///< written by somebody else: they do not begin as a record does
    unknown_form, ///< written by a later version of this library
    wrong_length, ///< cut off, or something was appended
    altered,      ///< the check or the kind is wrong
};

/// What bytes say, or why they say nothing; then `record` is empty.
struct decoded {
    damage error = damage::none;
    record_view record{}; ///< a view of the bytes

    [[nodiscard]] constexpr explicit operator bool() const noexcept {
        return error == damage::none;
    }
};

namespace detail {

inline constexpr std::string_view record_magic = "\xf7h";
inline constexpr std::uint8_t record_form = 1;

/// Over the bytes before the check; there are as many. Any single bit that differs is seen.
[[nodiscard]] constexpr std::uint32_t record_check(std::string_view bytes) noexcept {
    std::uint32_t check = 0;
    for (std::size_t at = 0; at < record_check_at; at += 4) {
        check = std::rotl(check, 5) ^ load_be<std::uint32_t>(bytes, at);
    }
    return check;
}

[[nodiscard]] constexpr damage damage_of(std::string_view bytes) noexcept {
    if (!bytes.starts_with(record_magic)) {
        return damage::foreign;
    }
    if (bytes.size() > 2 && byte_at(bytes, 2) != record_form) {
        return damage::unknown_form;
    }
    if (bytes.size() < record_payload_at) {
        return damage::wrong_length;
    }
    const std::uint8_t kind = byte_at(bytes, 3);
    if (load_be<std::uint32_t>(bytes, record_check_at) != record_check(bytes) || kind < 1 ||
        kind > 2) {
        return damage::altered;
    }
    const std::size_t length = load_be<std::uint32_t>(bytes, 4);
    const bool fits = length == bytes.size() - record_payload_at;
    return fits && (kind == 1 || length == 0) ? damage::none : damage::wrong_length;
}

} // namespace detail

/// Appends the bytes of `record` to `out`. Throws `invalid_record` for a value of 4 GiB or more,
/// and for a tombstone with a value.
inline void append_record(std::string& out, const record_view& record) {
    if (record.payload.size() > std::numeric_limits<std::uint32_t>::max()) {
        throw invalid_record("a value has 4 GiB or more");
    }
    if (record.kind == record_kind::tombstone && !record.payload.empty()) {
        throw invalid_record("a tombstone has no value");
    }
    const std::size_t start = out.size();
    out.reserve(start + record_payload_at + record.payload.size());
    out += detail::record_magic;
    out += static_cast<char>(detail::record_form);
    out += static_cast<char>(record.kind);
    detail::append_be(out, static_cast<std::uint32_t>(record.payload.size()));
    append_version(out, record.version);
    detail::append_be(out, record.expires_at);
    detail::append_be(out, detail::record_check(std::string_view(out).substr(start)));
    out += record.payload;
}

/// The bytes of `record`. Law: `decode(encode(r)).record == r`. Throws as `append_record`.
[[nodiscard]] inline std::string encode(const record_view& record) {
    std::string out;
    append_record(out, record);
    return out;
}

/// The record that `bytes` are, or why they are none: any bytes at all have a defined answer.
///
/// Law: a record that was cut off, that something was appended to, or with one bit of its first 44
/// bytes changed is no record. The value itself is not checked.
[[nodiscard]] constexpr decoded decode(std::string_view bytes) noexcept {
    if (const damage found = detail::damage_of(bytes); found != damage::none) {
        return {found, {}};
    }
    return {damage::none,
            {detail::load_version(bytes, record_version_at),
             static_cast<record_kind>(byte_at(bytes, 3)),
             detail::load_be<std::uint64_t>(bytes, record_expiry_at),
             bytes.substr(record_payload_at)}};
}

/// Bytes that somebody else wrote, as a record with the lowest version: any write replaces it.
[[nodiscard]] constexpr record_view unversioned(std::string_view bytes) noexcept {
    return {{}, record_kind::value, 0, bytes};
}

/// Whether a reader finds no value: it was deleted, or has expired at `now` (milliseconds since
/// 1970). The record still counts: what is older than it is gone too.
[[nodiscard]] constexpr bool is_gone(const record_view& record, std::uint64_t now) noexcept {
    return record.kind == record_kind::tombstone ||
           (record.expires_at != 0 && record.expires_at <= now);
}

/// From when on a store may drop the record, in milliseconds since 1970; 0 for never.
///
/// A value that expires is kept `retention` milliseconds longer, as a tombstone of itself: else a
/// copy that missed it would bring the value before it back. `retention` is the longest that a copy
/// may be away and still be merged (`may_merge` in repair.hpp); a tombstone is written with
/// `expires_at` = now + retention.
[[nodiscard]] constexpr std::uint64_t forget_at(const record_view& record,
                                                std::uint64_t retention) noexcept {
    if (record.kind == record_kind::tombstone || record.expires_at == 0) {
        return record.expires_at;
    }
    const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - record.expires_at;
    return record.expires_at + (retention < room ? retention : room);
}

} // namespace hashring::group
