// SPDX-License-Identifier: Apache-2.0
// The tables and views of a recording, and the contents of their rows: types, scopes (selections of
// informers), and the facts and the text of a version.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/change.h"
#include "kinf/api/group_version_resource.h"

namespace kinf {

inline constexpr std::int64_t kRecordingApplicationId = 0x6b696e66;  ///< "kinf"

/// More versions than a recording can have. Sums of such numbers do not overflow.
inline constexpr std::int64_t kVersionsBound = std::int64_t{1} << 48U;

/// Returns a time of a recording, in nanoseconds since 1970. Sums and differences of two such
/// times, or of one and a century, do not overflow: times before 1824 and after 2116, which only a
/// damaged file has, are replaced by the first and the last one between.
constexpr std::int64_t recorded_time(std::int64_t nanoseconds) {
  constexpr std::int64_t kLimit = (std::int64_t{1} << 62U) - 1;
  return nanoseconds < -kLimit ? -kLimit : nanoseconds > kLimit ? kLimit : nanoseconds;
}

/// Returns the statements that create the tables and views of a format in an empty database.
std::string recording_schema(std::int64_t format);
/// Returns the statements that change a recording of format 1 to kRecordingFormat.
std::string recording_migration();

/// The contents of the column `facts` of the table `version`.
struct VersionFacts {
  ChangeType type = ChangeType::added;
  ChangeSource source = ChangeSource::watch;
  bool final_state_unknown = false;
  bool recreated = false;

  static VersionFacts unpack(std::int64_t packed);
  std::int64_t pack() const;
};

/// SQL expressions for the parts of the column `facts`.
namespace facts_sql {
inline constexpr std::int64_t kWatch = 1;  ///< the value of source() for ChangeSource::watch
/// `column` is the name of the column in the statement.
std::string type(std::string_view column);
std::string source(std::string_view column);
std::string final_state_unknown(std::string_view column);
}  // namespace facts_sql

/// The text of a version: the cells of the Table row, and the document.
struct VersionText {
  std::string_view cells;
  std::string_view json;

  /// Splits a text that append_to() made. Returns an empty document if `text` is damaged.
  static VersionText split(std::string_view text);
  void append_to(std::string& text) const;
};

/// A resource type in a recording, with the other names that users know it by.
struct RecordedType {
  ResourceType type;
  std::vector<std::string> short_names;
  std::vector<std::string> categories;
};

/// A scope: the objects that one informer of a recording selects.
struct RecordedScope {
  RecordedType type;
  std::string ns;    ///< empty means all namespaces, or a cluster-scoped type
  std::string name;  ///< empty means all objects
  std::string label_selector;
  std::string field_selector;
  /// True if the scope was added later than others, because its namespace appeared. Its list is not
  /// one of the first lists.
  bool is_late = false;
  /// Whether changes are written in the order in which the watch delivers them. If not, only the
  /// informer knows up to which resourceVersion everything was written.
  bool is_ordered = true;

  /// Returns whether the objects are Secrets.
  bool is_secret() const;
  /// Returns the flags that select the scope, quoted for a shell, such as `-n shop -l app=web`.
  std::string flags_text() const;
};

}  // namespace kinf
