// SPDX-License-Identifier: MIT
#pragma once

#include "hdfs/report.hpp"
#include "hdfs/text.hpp"

#include <optional>
#include <string_view>

/// \file
/// The fields of a node's record as `dfsadmin -report` spells them.

namespace hdfs {

enum class field_result {
    unknown,  ///< not a field of a record
    read,     ///< its value is in the record now
    repeated, ///< the record has it already
    bad       ///< its value has not the form that it should have
};

/// Puts the value of the field `key` into `node`.
[[nodiscard]] field_result read_field(record& node, std::string_view key, std::string_view value);

/// Fills `name`, `ip`, `port` and `lookup_host` from `192.0.2.11:50010 (dn1.example.net)`; false,
/// and `node` as it was, if that is not what `value` says.
[[nodiscard]] bool read_name(record& node, std::string_view value);

/// The field that every whole record has and `node` lacks; empty if there is none.
[[nodiscard]] std::string_view lacking(const record& node);

} // namespace hdfs
