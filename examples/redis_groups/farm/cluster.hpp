// SPDX-License-Identifier: MIT
#pragma once

#include "../store/address.hpp"
#include "../store/settings.hpp"
#include "group_servers.hpp"
#include "scratch_folder.hpp"
#include "server.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// \file
/// Groups of our own and the sentinels that watch them.

namespace redis_groups {

/// Groups `group01`, `group02` and so on, in a temporary folder, watched by three sentinels if that
/// is asked for. All of it goes with the object.
class cluster {
public:
    /// Starts them. Throws as `server`.
    cluster(std::size_t groups, std::size_t replicas, server_setup setup = {});

    /// Starts three sentinels for the groups that there are, and waits until they know all copies.
    void start_sentinels(const sentinel_setup& setup);
    /// Starts one more group, of as many copies, and lets the sentinels watch it.
    group_servers& add_group();
    /// Stops a group, and lets the sentinels forget it.
    void remove_group(const std::string& name);

    [[nodiscard]] std::size_t size() const noexcept { return groups_.size(); }
    [[nodiscard]] group_servers& operator[](std::size_t i) noexcept { return *groups_[i]; }
    [[nodiscard]] std::vector<group_spec> specs() const;
    [[nodiscard]] std::vector<address> sentinels() const;
    [[nodiscard]] const std::filesystem::path& folder() const noexcept { return folder_.path(); }

private:
    void await_sentinels(const std::string& group, std::size_t replicas);

    scratch_folder folder_; // the last to go
    std::size_t replicas_;
    server_setup setup_;
    sentinel_setup watching_{};
    std::size_t started_ = 0; // groups, for their names
    std::vector<std::unique_ptr<group_servers>> groups_;
    std::vector<sentinel_server> sentinels_;
};

} // namespace redis_groups
