// SPDX-License-Identifier: MIT
#pragma once

#include "connection.hpp"
#include "group_view.hpp"
#include "sentinel.hpp"
#include "settings.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// The connections to the copies of one group.

namespace redis_groups {

/// A group as one thread talks to it: what is known of its copies, and a connection to each.
class group_link {
public:
    group_link(const group_spec& group, const settings& chosen);

    /// Looks anew where the master is and how the copies are, asking `from` if there are sentinels.
    /// Does not throw: a copy that does not answer is down.
    void look(sentinels& from);
    /// Looks if it has not, if something went wrong since, or if it was too long ago. Who has not
    /// looked for a long time begins anew: there may have been any number of masters.
    void look_if_due(sentinels& from);

    /// The connection to a copy, made if need be. Throws `connection_failure`, `server_failure`.
    [[nodiscard]] connection& to(std::size_t copy);
    /// The connection to the master. Throws `connection_failure` also if there is none.
    [[nodiscard]] connection& to_master();
    /// Makes the master keep our scripts, as far as it can be reached.
    void load_scripts();
    /// Drops the connection to a copy, which does not answer; or all of them. The next use looks
    /// anew.
    void lost(std::size_t copy);
    void drop_all() noexcept;
    /// Takes the group as it is found next, whatever was seen before: for one who knows that it has
    /// been repaired.
    void begin_anew() noexcept { view_.begin_anew(); }

    [[nodiscard]] const group_view& view() const noexcept { return view_; }
    /// `why`, and behind it why the last copy that did not answer as it should did not.
    [[nodiscard]] std::string explained(std::string_view why) const;
    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// The greatest epoch that Sentinel has told of; 0 without it.
    [[nodiscard]] std::uint64_t epoch() const noexcept { return epoch_; }

    /// How many times another copy was found to be the master than before.
    [[nodiscard]] std::uint64_t failovers() const noexcept { return failovers_; }

private:
    using clock = std::chrono::steady_clock;

    [[nodiscard]] std::optional<address> ask(sentinels& from);
    [[nodiscard]] std::vector<observation> observe();
    void note_failure(std::size_t copy, std::string_view why);
    [[nodiscard]] bool ask_who_it_is(std::size_t copy);
    [[nodiscard]] observation hear_who_it_is(std::size_t copy);

    std::string name_;
    connection_options options_;
    connection_options probe_options_;
    std::chrono::milliseconds look_every_;
    group_view view_;
    std::vector<std::unique_ptr<connection>> links_;
    std::vector<std::unique_ptr<connection>> probes_; // of their own: they wait less
    std::string last_failure_;                        // of the last look
    std::uint64_t epoch_ = 0;
    std::uint64_t failovers_ = 0;
    std::size_t last_master_ = hashring::group::no_copy; // the last one that was found
    clock::time_point next_look_{};                      // now, if a look is due
    clock::time_point last_look_{};
};

} // namespace redis_groups
