// SPDX-License-Identifier: MIT
#pragma once

#include <hashring/group/outcome.hpp>

#include <stdexcept>
#include <string>

/// \file
/// What goes wrong between a client and a server.

namespace redis_groups {

/// Something that a server or the way to it did not do. What it means for a write that was on its
/// way follows from the kind and from how far the write had come.
class failure : public std::runtime_error {
public:
    failure(hashring::group::error_kind kind, const std::string& text)
        : std::runtime_error(text), kind_(kind) {}

    [[nodiscard]] hashring::group::error_kind kind() const noexcept { return kind_; }

private:
    hashring::group::error_kind kind_;
};

/// A connection that is of no use any more.
class connection_failure : public failure {
public:
    using failure::failure;
};

/// A server's answer that is an error; the connection goes on.
class server_failure : public failure {
public:
    using failure::failure;
};

} // namespace redis_groups
