// SPDX-License-Identifier: MIT
#pragma once

#include "fuzz/fuzz.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz {

namespace detail {

inline std::size_t lines_before_end(std::string_view text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// `text` up to its last line, which says the checksum, and that line as it should be.
inline std::string signed_anew(std::string_view text) {
    std::string lines(text);
    if (const std::size_t end = lines.rfind("end "); end != std::string::npos) {
        lines.resize(end);
    }
    if (!lines.ends_with('\n')) {
        lines += '\n';
    }
    return hashring::concat(lines, "end ", hashring::decimal(hashring::detail::checksum(lines)),
                            "\n");
}

/// Whether no number of `line` has more than `most` digits; the presets of tables do.
inline bool has_short_numbers(std::string_view line, std::size_t most) {
    if (line == "option table-size 65537" || line == "option capacity 1024") {
        return true;
    }
    std::size_t digits = 0;
    for (const char c : line) {
        digits = c >= '0' && c <= '9' ? digits + 1 : 0;
        if (digits > most) {
            return false;
        }
    }
    return true;
}

/// Whether loading `text` makes no more than some thousand points: counts, weights and sizes are of
/// few digits. A text that asks for millions is right, and takes its time.
inline bool is_small(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = text.substr(at, end - at);
        const bool is_count = line.starts_with("vnodes ") || line.starts_with("option ");
        if ((is_count && !has_short_numbers(line, 3)) ||
            (line.starts_with("node ") && !has_short_numbers(line, 1))) {
            return false;
        }
        at = end + 1;
    }
    return true;
}

/// The placement of the nodes of a text, whatever its fingerprint says. Throws `invalid_state`.
template <class Placed>
std::string with_fingerprint(std::string_view text) {
    if constexpr (hashring::detail::saves_itself<Placed>) {
        return signed_anew(text);
    } else {
        hashring::detail::line_reader lines(text);
        typename Placed::scheme_type scheme;
        hashring::detail::read_scheme(lines, hashring::detail::placement_title, scheme);
        const auto nodes = hashring::detail::read_nodes(lines);
        Placed placed(scheme);
        auto no_payload = [](const hashring::node_spec&) {
            return typename Placed::payload_type{};
        };
        hashring::detail::assign_saved(placed, nodes, lines.number(), no_payload);
        const std::size_t end = text.find("\nfingerprint ");
        return signed_anew(hashring::concat(text.substr(0, end), "\nfingerprint ",
                                            hashring::fingerprint_text(placed.fingerprint())));
    }
}

/// `save` and `load`, also of what is no `node_lookup`.
template <class Placed>
std::string saved_text(const Placed& placed) {
    if constexpr (hashring::detail::saves_itself<Placed>) {
        return placed.save();
    } else {
        return hashring::save(placed);
    }
}
template <class Placed>
Placed loaded(std::string_view text) {
    if constexpr (hashring::detail::saves_itself<Placed>) {
        return Placed::load(text);
    } else {
        return hashring::load<Placed>(text);
    }
}

/// What was loaded of `text`; nothing if it is refused, with a line that is there.
template <class Placed>
std::optional<Placed> load_or_refuse(std::string_view text) {
    try {
        return loaded<Placed>(text);
    } catch (const hashring::invalid_state& error) {
        expect(error.line() >= 1 && error.line() <= lines_before_end(text) + 1,
               "an error is of a line of the text");
        return std::nullopt;
    }
}

/// What holds for whatever was loaded: it is saved and loaded as the same, and goes on alike.
template <class Placed>
void expect_kept(const Placed& here) {
    const std::string saved = saved_text(here);
    const Placed there = loaded<Placed>(saved);
    expect(there == here, "what is saved loads as the same");
    expect(saved_text(there) == saved, "what is loaded saves as the same");
    expect(there.fingerprint() == here.fingerprint(), "it has the same fingerprint");
    for (std::uint64_t key = 0; key < 8; ++key) {
        const auto p = here.position(key);
        const std::uint32_t owner = here.owner_index_at(p);
        expect(owner == there.owner_index_at(p), "keys have the same owners");
        expect(owner == hashring::no_node ? here.placed_count() == 0 : owner < here.size(),
               "an owner is a node");
    }
}

template <class Placed>
void load_one(std::string_view text) {
    if (const auto placed = load_or_refuse<Placed>(text)) {
        expect_kept(*placed);
    }
}

template <class Placed>
void load_all(std::string_view text) {
    load_one<Placed>(text);
    std::string better;
    try {
        better = with_fingerprint<Placed>(text);
    } catch (const hashring::invalid_state&) {
        return;
    }
    load_one<Placed>(better);
}

} // namespace detail

/// A saved ring or table, as it is and with the right checksum and fingerprint: loaded or refused
/// with the line, and what is loaded is kept.
inline void saved(std::string_view bytes) {
    using namespace hashring;
    drawn choice(bytes);
    const std::size_t kind = choice.below(10);
    const std::string_view text = choice.rest();
    if (!detail::is_small(text)) {
        return;
    }
    switch (kind) {
    case 0:
        return detail::load_all<ring<>>(text);
    case 1:
        return detail::load_all<ring<schemes::murmur_shard>>(text);
    case 2:
        return detail::load_all<ring<schemes::bkdr_spaced>>(text);
    case 3:
        return detail::load_all<ring<compat::twemproxy>>(text);
    case 4:
        return detail::load_all<table<schemes::maglev>>(text);
    case 5:
        return detail::load_all<table<schemes::jump>>(text);
    case 6:
        return detail::load_all<table<schemes::rendezvous>>(text);
    case 7:
        return detail::load_all<table<schemes::multi_probe>>(text);
    case 8:
        return detail::load_all<ring<compat::haproxy>>(text);
    default:
        return detail::load_all<ring<schemes::ketama_group>>(text);
    }
}

} // namespace fuzz
