// SPDX-License-Identifier: MIT
#pragma once

#include "fuzz/fuzz.hpp"
#include "fuzz/saved.hpp"

#include <hashring/hashring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz {

namespace detail {

inline std::string some_name(drawn& choice) {
    return std::string(1, static_cast<char>('a' + choice.below(6)));
}

inline void expect_whole_circle(const hashring::exact_ring<>& ring) {
    hashring::uint128 sum;
    for (const hashring::uint128& width : ring.widths()) {
        sum += width;
    }
    expect(sum == (ring.point_count() == 0
                       ? hashring::uint128{}
                       : hashring::circle_width(hashring::schemes::xxh3::last_position)),
           "widths are the whole circle");
}

/// One change of an exact ring; what is refused changes nothing.
inline void change(hashring::exact_ring<>& ring, drawn& choice) {
    const std::size_t what = choice.below(4);
    const std::string name = some_name(choice);
    const hashring::exact_ring<> before = ring;
    const hashring::weight weight{static_cast<unsigned>(choice.below(4))};
    try {
        if (what == 0) {
            ring.join({name, weight});
        } else if (what == 1) {
            ring.leave(name);
        } else if (what == 2) {
            ring.resize(name, weight);
        } else {
            const hashring::uint128 amount{std::uint64_t{choice.byte()} << 56U};
            ring.transfer(name, some_name(choice), amount);
        }
    } catch (const std::invalid_argument&) {
        expect(ring == before, "what is refused changes nothing");
    }
}

/// One change of an anchor table.
inline void change(hashring::anchor_table<>& table, drawn& choice) {
    const std::size_t what = choice.below(3);
    const std::string name = some_name(choice);
    const hashring::anchor_table<> before = table;
    try {
        if (what == 0) {
            table.add(name);
        } else if (what == 1) {
            table.remove(name);
        } else {
            table.assign(std::vector<hashring::node_spec>{name, some_name(choice)});
        }
    } catch (const std::invalid_argument&) {
        expect(table == before, "what is refused changes nothing");
    }
}

inline void expect_sound(const hashring::exact_ring<>& ring) {
    expect_whole_circle(ring);
}
inline void expect_sound(const hashring::anchor_table<>& table) {
    for (std::uint64_t p = 1; p != 0; p <<= 7U) {
        expect(table.owner_index_at(p) < table.size() || table.empty(), "a key has an owner");
    }
}

/// Two that are equal stay so, whatever is done to both; and each is sound and is kept.
template <class Placed>
void go_on(Placed here, drawn& choice) {
    expect_sound(here);
    expect_kept(here);
    Placed there = loaded<Placed>(saved_text(here));
    for (int steps = 0; steps < 12 && !choice.is_empty(); ++steps) {
        drawn again = choice;
        change(here, choice);
        change(there, again);
        expect(here == there, "what was saved goes on alike");
        expect_sound(here);
    }
    expect_kept(here);
}

/// Loads `text`, as it is and signed anew, and goes on from there.
template <class Placed>
void load_and_go_on(std::string_view text, drawn choice) {
    load_one<Placed>(text);
    if (const auto placed = load_or_refuse<Placed>(signed_anew(text))) {
        go_on(*placed, choice);
    }
}

} // namespace detail

/// The state of an exact ring, as it is and signed anew, and changes of what is loaded. The first
/// byte says how many behind it are changes.
inline void exact_state(std::string_view bytes) {
    drawn choice(bytes);
    const std::size_t changes = choice.below(32);
    const std::string_view text = choice.rest().substr(std::min(changes, choice.rest().size()));
    detail::load_and_go_on<hashring::exact_ring<>>(text, drawn(choice.rest().substr(0, changes)));
}

/// The state of an anchor table. As `exact_state`.
inline void anchor_state(std::string_view bytes) {
    drawn choice(bytes);
    const std::size_t changes = choice.below(32);
    const std::string_view text = choice.rest().substr(std::min(changes, choice.rest().size()));
    if (!detail::is_small(text)) {
        return;
    }
    detail::load_and_go_on<hashring::anchor_table<>>(text, drawn(choice.rest().substr(0, changes)));
}

} // namespace fuzz
