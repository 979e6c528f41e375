// SPDX-License-Identifier: Apache-2.0
// VersionTable: inserts rows into the tables `version`, `sample`, `object`, `manager` and
// `column_set` of a recording, and drops rows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/recording/database.h"
#include "kinf/recording/recording_schema.h"
#include "kinf/recording/text_rebuilder.h"
#include "kinf/recording/type_sample.h"
#include "kinf/recording/version_checksum.h"
#include "kinf/recording/version_codec.h"

namespace kinf {

struct VersionRow {
  std::int64_t type = 0;  ///< the type whose sample is used to compress the text; 0 for no sample
  std::int64_t object = 0;
  std::int64_t time = 0;  ///< nanoseconds since 1970
  VersionFacts facts{};
  std::string_view resource_version{};
  std::string_view manager{};
  const TableColumns* columns = nullptr;  ///< may be null
  /// Empty means the same text as in the previous version.
  std::string_view text{};
  std::int64_t base = 0;      ///< the `seq` of the version to store a difference from; 0 if none
  std::string_view before{};  ///< the text of `base`
};

/// Returns the type in a row whose columns, from `first` on, are api_group, version, resource,
/// kind, singular, namespaced, short_names and categories.
RecordedType recorded_type(const Statement& row, int first);

/// Threads: one owner.
class VersionTable {
 public:
  static Result<std::unique_ptr<VersionTable>> open(Database& database);

  /// Returns the id of a type. Adds the type if it is not in the file.
  Result<std::int64_t> type_id(const RecordedType& type);
  /// Returns the id of an object. Adds the object if it is not in the file.
  Result<std::int64_t> object_id(std::int64_t type, std::string_view ns, std::string_view name,
                                 std::string_view uid);
  Result<void> add(const VersionRow& row);
  /// Sets `text` to the text of version `seq`. Returns false if the version was dropped.
  Result<bool> rebuild(std::int64_t seq, std::string& text) {
    return rebuilder_->rebuild(seq, text);
  }
  /// Returns whether the difference of `text` from `near` is much smaller than that from `far`.
  bool is_much_closer(std::string_view near, std::string_view far, std::string_view text);
  /// Returns the `seq` of the last version, or 0 if there is none.
  std::int64_t last_seq() const { return seq_; }
  /// Drops the versions of the objects called `ns`/`name`, except the version with the `seq` `kept`
  /// (0 drops all). Also drops those objects that then have no version left.
  Result<void> drop_versions(std::int64_t type, std::string_view ns, std::string_view name,
                             std::int64_t kept);

 private:
  explicit VersionTable(Database& database) : database_(database) {}
  Result<void> prepare();
  Result<void> insert(const VersionFields& fields);
  Result<std::int64_t> manager_id(std::string_view name);
  Result<std::int64_t> columns_id(const TableColumns& columns);

  /// Notes a version that was stored, and stores a new sample of its type if that pays.
  Result<void> note_sample(const VersionRow& row, TypeSample& sample);

  Database& database_;
  std::vector<Statement> statements_;
  VersionCodec codec_;
  TextDelta differ_;
  std::string delta_;
  std::optional<TextRebuilder> rebuilder_;
  std::unordered_map<std::int64_t, TypeSample> samples_;  ///< by the id of the type
  std::int64_t seq_ = 0;
  std::int64_t latest_ = 0;  ///< the latest time of a version
  std::unordered_map<std::string, std::int64_t> managers_;
  std::shared_ptr<const TableColumns> last_columns_;
  std::int64_t last_columns_id_ = 0;
};

}  // namespace kinf
