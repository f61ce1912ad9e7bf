// SPDX-License-Identifier: MIT
#pragma once

#include "fuzz/fuzz.hpp"

#include <hashring/hashring.hpp>

#include <arpa/inet.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace fuzz {

namespace detail {

inline void read_weight(std::string_view text) {
    try {
        const hashring::weight value = hashring::weight::parse(text);
        expect(hashring::weight::parse(value.text()) == value, "a weight reads as it is written");
        expect(value.text().size() <= text.size(), "no shorter text is the same weight");
    } catch (const hashring::invalid_weight&) {
    }
}

/// Whether a number of `10.01.2.3` has a zero before it, which some take for octal and others
/// refuse.
inline bool has_leading_zero(std::string_view text) {
    const std::string_view dotted = text.substr(text.rfind(':') + 1);
    for (std::size_t i = 0; i + 1 < dotted.size(); ++i) {
        const bool begins = i == 0 || dotted[i - 1] == '.';
        if (begins && dotted[i] == '0' && dotted[i + 1] != '.') {
            return dotted.find('.') != std::string_view::npos;
        }
    }
    return false;
}

/// What the C library makes of the same address.
inline void read_ip(std::string_view text) {
    if (has_leading_zero(text)) {
        return;
    }
    const auto address = hashring::compat::parse_ip_address(text);
    const std::string terminated(text);
    unsigned char bytes[16] = {};
    const bool is_plain = text.find('\0') == std::string_view::npos;
    const bool is_v4 = is_plain && ::inet_pton(AF_INET, terminated.c_str(), bytes) == 1;
    const bool is_v6 = is_plain && !is_v4 && ::inet_pton(AF_INET6, terminated.c_str(), bytes) == 1;
    expect(address.has_value() == (is_v4 || is_v6), "an address is what inet_pton takes");
    if (address) {
        expect(address->size == (is_v4 ? 4U : 16U), "an address has its length");
        const auto characters = address->characters();
        expect(std::memcmp(characters.data(), bytes, address->size) == 0,
               "an address has the bytes that inet_pton finds");
    }
    static_cast<void>(hashring::compat::parse_ip_endpoint(text));
    static_cast<void>(hashring::compat::java_socket_address::of(text));
}

inline void read_tag(std::string_view text) {
    using hashring::hash::tag;
    try {
        const tag marks = tag::parse(text);
        expect(tag::parse(marks.text()) == marks, "marks read as they are written");
    } catch (const hashring::invalid_option&) {
        expect(text.size() != 2 && !text.empty(), "two bytes are marks");
    }
    const std::string_view part = hashring::hash::redis_tag(text);
    expect(part.empty() == text.empty(), "a part is empty only if the key is");
    expect(part.size() == text.size() || part.find('}') == std::string_view::npos,
           "a part ends at the first mark behind it");
    expect(hashring::compat::redis_slot(text) < 16384, "a slot is one");
}

inline void read_escaped(std::string_view text) {
    const std::string spelled = hashring::detail::escaped(text);
    expect(hashring::detail::unescaped(spelled) == text, "an escaped text reads as it was");
    expect(spelled.find_first_of(" \n\t") == std::string::npos, "an escaped text is a word");
    const auto plain = hashring::detail::unescaped(text);
    expect(!plain || hashring::detail::escaped(*plain) == text, "only what is escaped so is read");
}

inline void read_utf16(std::string_view text) {
    std::size_t units = 0;
    bool is_sound = true;
    hashring::hash::for_each_utf16(text, [&](std::uint32_t unit) {
        ++units;
        is_sound = is_sound && unit <= 0xffff;
    });
    expect(is_sound && units <= text.size(), "a unit has 16 bits, and takes at least a byte");
}

template <class Scheme>
void set_option(std::string_view option, std::string_view value) {
    Scheme scheme;
    const Scheme before = scheme;
    try {
        scheme.set(option, value);
        const std::string now = scheme.get(option);
        Scheme again;
        again.set(option, now);
        expect(again == scheme, "an option reads as it is shown");
    } catch (const hashring::invalid_option&) {
        expect(scheme == before, "an option that is refused changes nothing");
    }
}

/// `option value`, for schemes of each kind.
inline void read_option(std::string_view text) {
    using namespace hashring;
    const std::size_t blank = text.find(' ');
    const std::string_view option = text.substr(0, blank);
    const std::string_view value =
        blank == std::string_view::npos ? std::string_view() : text.substr(blank + 1);
    set_option<schemes::xxh3>(option, value);
    set_option<schemes::maglev>(option, value);
    set_option<schemes::anchor>(option, value);
    set_option<schemes::multi_probe>(option, value);
    set_option<compat::envoy>(option, value);
    set_option<compat::haproxy>(option, value);
    set_option<compat::twemproxy>(option, value);
    set_option<compat::libmemcached>(option, value);
    set_option<compat::dalli>(option, value);
}

} // namespace detail

/// The small texts that options, weights, tags and addresses are.
inline void values(std::string_view text) {
    detail::read_weight(text);
    detail::read_ip(text);
    detail::read_tag(text);
    detail::read_escaped(text);
    detail::read_utf16(text);
    detail::read_option(text);
    const auto fingerprint = hashring::parse_fingerprint(text);
    expect(!fingerprint || hashring::fingerprint_text(*fingerprint) == text,
           "a fingerprint reads as it is written");
}

} // namespace fuzz
