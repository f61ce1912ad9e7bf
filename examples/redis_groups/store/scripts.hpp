// SPDX-License-Identifier: MIT
#pragma once

#include "connection.hpp"

#include <string>
#include <string_view>

/// \file
/// Scripts by the name that servers give them.

namespace redis_groups {

/// A script, and the name under which servers keep it, the same on all of them.
class script {
public:
    explicit script(std::string_view text);

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] std::string_view text() const noexcept { return text_; }

    /// Makes the server keep it; nothing is on its way on the connection. Throws as `connection`,
    /// and `server_failure` if the server does not take it.
    void load(connection& server) const;

private:
    std::string_view text_;
    std::string name_;
};

/// The scripts of script_texts.hpp.
[[nodiscard]] const script& writing();
[[nodiscard]] const script& merging();

} // namespace redis_groups
