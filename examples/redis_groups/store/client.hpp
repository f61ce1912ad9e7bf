// SPDX-License-Identifier: MIT
#pragma once

#include "group_link.hpp"
#include "placement.hpp"
#include "read_batch.hpp"
#include "sentinel.hpp"
#include "settings.hpp"
#include "write_batch.hpp"

#include <hashring/service/metrics.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// \file
/// A client of Redis groups on a ketama ring.
///
/// ```cpp
/// redis_groups::settings chosen;
/// chosen.sentinels = {{"10.0.0.1", 26379}, {"10.0.0.2", 26379}, {"10.0.0.3", 26379}};
/// redis_groups::client client({{"group01"}, {"group02"}}, chosen); // one for each thread
/// const auto written = client.set("user:42", "any bytes");
/// if (!written.is_done()) complain(written.why);   // refused: certainly not applied; or unknown
/// const auto read = client.get("user:42");
/// if (read.is_found()) use(read.value);
/// ```

namespace redis_groups {

/// Milliseconds since 1970, which servers and records count in.
[[nodiscard]] std::uint64_t now_ms();

/// A client for one thread: connections to the copies of groups, made when needed, and a ring of
/// the groups that it may share with others.
///
/// What it is told of a write is never a guess: done, refused or unknown, see
/// hashring/group/outcome.hpp. A write that was certainly not applied for want of a master is tried
/// again while `settings::patience` lasts; an unknown one never is.
///
/// Values are stored as records (hashring/group/record.hpp), so that copies can be compared; the
/// values of other programs are read as they are. Keys and values are any bytes.
class client {
public:
    /// Throws what the ring throws for names and weights, `hashring::invalid_group` for copies, and
    /// `std::invalid_argument` if there is no group, or one without copies and no sentinel.
    client(const std::vector<group_spec>& groups, settings chosen);
    /// Shares a ring, which is there as long as the client.
    client(std::shared_ptr<placement> ring, settings chosen);

    /// Writes, deletes, reads one key. A deletion is done whether there was something or not.
    write_result set(std::string_view key, std::string_view value,
                     std::optional<std::chrono::milliseconds> lives_for = std::nullopt);
    write_result erase(std::string_view key);
    [[nodiscard]] read_value get(std::string_view key);

    /// Many at once, each in its own group, the groups side by side: what became of each, in order.
    /// Two writes of one key stay in order. A key is any bytes; `version_key`, which is the
    /// client's own, is refused.
    std::vector<write_result> write_many(std::span<const write_request> writes);
    /// The deletion of a key for `write_many`, which is remembered from now on for so long as the
    /// settings say.
    [[nodiscard]] write_request deletion_of(std::string_view key) const;
    [[nodiscard]] std::vector<read_value> read_many(std::span<const std::string_view> keys);

    /// The number of keys on the master of each group (`DBSIZE`, without our own), in the order of
    /// the ring; tombstones count until they are forgotten. Throws `connection_failure`, and
    /// `server_failure` where a master refuses to say.
    [[nodiscard]] std::vector<std::uint64_t> key_counts();

    /// Takes the groups as they are found next, whatever was seen of them before: after a repair
    /// that had to merge copies of which none was known to have all.
    void begin_anew() noexcept;

    /// What this client counted, by the groups' numbers; groups that it never used may be missing.
    [[nodiscard]] std::vector<hashring::group_counts> counts() const;

    [[nodiscard]] const std::shared_ptr<placement>& ring() const noexcept { return placement_; }
    /// The link to a group, looked at anew if that is due. `at` is a use of the client's own ring.
    [[nodiscard]] group_link& group(const placement::use& at, group_number number);
    [[nodiscard]] const settings& chosen() const noexcept { return settings_; }

private:
    /// Indices of keys, by the number of the group that they are meant for.
    using shares = std::vector<std::vector<std::size_t>>;

    /// Returns whether a master lacked our scripts, which it has now.
    bool write_chunks(const placement::use& at, std::span<const write_request> writes,
                      const shares& by_group, std::vector<write_result>& results);
    void read_chunks(const placement::use& at, std::span<const std::string_view> keys,
                     const shares& by_group, bool may_settle, std::vector<read_value>& results);
    /// Reads where keys belong, and where those that are moving were before.
    void read_routes(std::span<const std::string_view> keys, const std::vector<std::size_t>& which,
                     std::vector<read_value>& results);
    void settle(const placement::use& at, group_number number,
                std::span<const std::string_view> keys, std::span<const std::size_t> which,
                std::vector<read_value>& results);
    /// Counts what became of writes, each in the group that it was last meant for.
    void count(const std::vector<write_result>& results, const std::vector<group_number>& owners);
    [[nodiscard]] hashring::group_counts& counts_of(group_number group);

    settings settings_;
    settings settling_; // the same, but a majority must have what is passed on
    std::shared_ptr<placement> placement_;
    std::vector<std::unique_ptr<group_link>> links_; // by the group's number
    sentinels sentinels_;
    std::uint64_t turn_ = 0;
    std::vector<hashring::group_counts> counts_; // by the group's number
};

} // namespace redis_groups
