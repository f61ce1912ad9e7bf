// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

/// \file
/// What runs inside the master, in one step with the write.

namespace redis_groups {

/// The key under which a group keeps the last version that it gave out (24 bytes). It never expires
/// and is not counted as a key of the user's.
inline constexpr std::string_view version_key = "hashring:version";
/// Why it is refused to users.
inline constexpr std::string_view own_key_text = "the client keeps its own record under this key";

/// Writes a record with the next version of the group's, made here, where no other writer can come
/// between. The origin is the replication id of this master, so a promotion or a restart begins
/// another reign.
///
/// KEYS: the key, `version_key`. ARGV: the kind (1 a value, 2 a tombstone), the value, `expires_at`
/// as 8 bytes, when the key may be forgotten (decimal milliseconds, 0 for never), the greatest
/// epoch that the writer knows of (decimal). Answers the 24 bytes of the version.
///
/// The layout and the check are those of hashring/group/record.hpp, the version that of
/// `hashring::group::next_version`. Lua's numbers are exact up to 2^53: a counter or an epoch
/// beyond ends with an error and nothing written.
inline constexpr std::string_view write_script = R"lua(
local id = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)')
local origin = string.gsub(string.sub(id, 1, 16), '%x%x', function(pair)
    return string.char(tonumber(pair, 16))
end)
local epoch, counter = tonumber(ARGV[5]), 1
local last = redis.call('GET', KEYS[2])
if last then
    local e, c = struct.unpack('>I8I8', last)
    if string.sub(last, 17, 24) ~= origin then e = e + 1 end
    if e > epoch then epoch = e end
    counter = c + 1
end
if counter >= 9007199254740992 or epoch >= 9007199254740992 then
    return redis.error_reply('ERR no version is left after the last one')
end
local version = struct.pack('>I8I8', epoch, counter) .. origin
local head = '\247h\1' .. string.char(tonumber(ARGV[1])) .. struct.pack('>I4', #ARGV[2]) ..
    version .. ARGV[3]
local check = 0
for at = 1, 40, 4 do
    check = bit.bxor(bit.rol(check, 5), (struct.unpack('>I4', head, at)))
end
local record = head .. struct.pack('>I4', check % 4294967296) .. ARGV[2]
if ARGV[4] == '0' then
    redis.call('SET', KEYS[1], record)
else
    redis.call('SET', KEYS[1], record, 'PXAT', ARGV[4])
end
redis.call('SET', KEYS[2], version)
return version
)lua";

/// Puts a record that has its version already, as it is, if what the key holds is older; or is the
/// same and ARGV[3] is 1, so that it is passed on to the replicas once more. Raises the group's
/// last version to it. What is no record of ours is older than any.
///
/// KEYS: the key, `version_key`. ARGV: the record, when the key may be forgotten (decimal
/// milliseconds, 0 for never), whether the same record is put again. Answers 1 if it was put.
inline constexpr std::string_view merge_script = R"lua(
local version = string.sub(ARGV[1], 9, 32)
local function is_less(a, b)
    for i = 1, 24 do
        local x, y = string.byte(a, i), string.byte(b, i)
        if x ~= y then return x < y end
    end
    return false
end
local held = redis.pcall('GET', KEYS[1])
if type(held) == 'string' and #held >= 44 and string.sub(held, 1, 3) == '\247h\1' then
    local there = string.sub(held, 9, 32)
    if is_less(version, there) or (there == version and ARGV[3] ~= '1') then return 0 end
end
local last = redis.call('GET', KEYS[2]) -- first: what fails must not have written
if ARGV[2] == '0' then
    redis.call('SET', KEYS[1], ARGV[1])
else
    redis.call('SET', KEYS[1], ARGV[1], 'PXAT', ARGV[2])
end
if not last or is_less(last, version) then redis.call('SET', KEYS[2], version) end
return 1
)lua";

} // namespace redis_groups
