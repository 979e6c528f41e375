// SPDX-License-Identifier: Apache-2.0
// The columns of a row of the table `version`, and the checksum over them. A row that was changed
// after kinf wrote it is an error, not another value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/base/error.h"
#include "kinf/recording/database.h"

namespace kinf {

/// The positions of the columns that version_columns() returns.
namespace version_column {
enum Position : int {
  seq,
  time,
  facts,
  resource_version,
  manager,
  column_set,
  distance,
  sample,
  data,
  object,
  late,
  checksum,
  count,  ///< further columns of a statement begin here
};
}  // namespace version_column

/// Returns the columns of the table `version` for a SELECT. In a file of format 1, those that it
/// lacks are NULL.
Result<std::string> version_columns(Database& database);

/// Returns the SQL expression for the time of a version that never decreases from one version to
/// the next by more than 100 ms: while the clock is behind an earlier version, the time of that
/// version. Versions of different informers may be a little out of order.
Result<std::string> arrival_column(Database& database);

/// The values of a row. nullopt is NULL.
struct VersionFields {
  std::int64_t seq = 0;
  std::int64_t object = 0;
  std::int64_t time = 0;
  std::int64_t facts = 0;
  std::string_view resource_version{};  ///< as text, even if it is stored as a number
  std::optional<std::int64_t> manager{};
  std::optional<std::int64_t> column_set{};
  std::optional<std::int64_t> distance{};
  std::optional<std::int64_t> sample{};
  std::optional<std::int64_t> late{};
  std::optional<std::string_view> data{};
};

/// Returns the CRC-32 of the values, as a signed number, which takes four bytes in the file.
std::int64_t checksum_of(const VersionFields& fields);

/// Returns the values of a row of a statement that selects version_columns() first. The views are
/// valid until its next step, and as long as `resource_version`, which it sets.
VersionFields fields_of(const Statement& row, std::string& resource_version);

/// Compares a row with its checksum, if it has one. The statement must select version_columns()
/// first. Errors: protocol, which names the file and the version.
Result<void> check_version(const Statement& row);

}  // namespace kinf
