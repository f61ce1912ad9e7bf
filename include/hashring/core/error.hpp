// SPDX-License-Identifier: MIT
#pragma once

#if !defined(__cpp_exceptions)
#error "hashring reports what cannot be built by exceptions: compile without -fno-exceptions"
#endif

#include <cstddef>
#include <stdexcept>
#include <string>

/// \file
/// What building a ring, a group or a record can throw. Looking up never throws.
///
/// Every type derives from `std::invalid_argument`, its text says which value is wrong and what
/// would be right, and the call that threw has changed nothing.

namespace hashring {

/// A weight that is NaN, negative, infinite, above the maximum, or positive but so small that it
/// would round to 0; a fraction where the program that a scheme follows takes whole numbers only.
class invalid_weight : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

/// A node that cannot be a member: an empty name, or a name that the list holds twice.
class invalid_node : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

/// A name that is not a member, where the call needs one.
class unknown_node : public std::invalid_argument {
public:
    explicit unknown_node(const std::string& name)
        : std::invalid_argument("no node is named '" + name + "'") {}
};

/// A removal that a table cannot do without moving the keys of nodes that stay.
class invalid_removal : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

/// More points than a ring may hold, or a budget too small to give every node one.
class invalid_point_count : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

/// A scheme's option that does not exist, or a value that it does not take.
class invalid_option : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

/// An amount to move that its node does not own or that its receiver may not have, or a budget that
/// allows nothing.
class invalid_amount : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

/// Copies that cannot be a group: an empty name or one that is there twice, two masters, too many.
class invalid_group : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

/// A value that cannot be kept with its version: too large, or there is no later version left.
class invalid_record : public std::invalid_argument {
public:
    using std::invalid_argument::invalid_argument;
};

/// A saved state that was damaged, cut off, or written for something else.
class invalid_state : public std::invalid_argument {
public:
    /// `text` with the line, counted from 1, that does not read.
    invalid_state(std::size_t line, const std::string& text)
        : std::invalid_argument("line " + std::to_string(line) + ": " + text), line_(line) {}

    [[nodiscard]] std::size_t line() const noexcept { return line_; }

private:
    std::size_t line_;
};

} // namespace hashring
