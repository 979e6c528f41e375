// SPDX-License-Identifier: Apache-2.0
// VersionTable: inserts rows into the tables `version`, `object`, `manager` and `column_set` of a
// recording, and drops old rows.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kinf/api/table_columns.h"
#include "kinf/recording/database.h"
#include "kinf/recording/recorded_type.h"
#include "kinf/recording/recording_schema.h"
#include "kinf/recording/version_codec.h"

namespace kinf {

class TextRebuilder;

struct VersionRow {
  std::int64_t object = 0;
  std::int64_t time = 0;  ///< nanoseconds since 1970
  VersionFacts facts{};
  std::string_view resource_version{};
  std::string_view manager{};
  const TableColumns* columns = nullptr;  ///< may be null
  /// Empty: the same text as the version before.
  std::string_view text{};
  std::string_view before{};  ///< the text of the version before; not needed if `facts.whole`
};

/// Threads: one owner.
class VersionTable {
 public:
  static Result<std::unique_ptr<VersionTable>> open(Database& database);

  /// Returns the id of a type, which it adds if necessary.
  Result<std::int64_t> type_id(const RecordedType& type);
  /// Returns the id of an object, which it adds if necessary.
  Result<std::int64_t> object_id(std::int64_t type, std::string_view ns, std::string_view name,
                                 std::string_view uid);
  Result<void> add(const VersionRow& row);
  /// Returns the `seq` of the last row, or 0.
  std::int64_t last_seq() const { return seq_; }
  /// Drops the versions of the objects called `ns`/`name`, except row `kept` (0: all), and what is
  /// left of objects without versions.
  Result<void> drop_versions(std::int64_t type, std::string_view ns, std::string_view name,
                             std::int64_t kept);
  /// Drops the versions before `seq`, except the newest of each object that still existed then.
  /// Those become whole. Returns how many rows were dropped. `seq` - 1 becomes the first moment
  /// that can be read.
  Result<std::int64_t> drop_before(std::int64_t seq);

 private:
  explicit VersionTable(Database& database) : database_(database) {}
  Result<void> prepare();
  Result<std::int64_t> manager_id(std::string_view name);
  Result<std::int64_t> columns_id(const TableColumns& columns);
  Result<std::int64_t> text_id(Statement& insert, Statement& select, std::string_view text);
  /// Drops the versions of one object before `newest`, and `newest` too if it is a deletion.
  Result<void> drop_object(std::int64_t object, std::int64_t newest, TextRebuilder& rebuilder);

  Database& database_;
  std::vector<Statement> statements_;
  VersionCodec codec_;
  std::int64_t seq_ = 0;
  std::unordered_map<std::string, std::int64_t> managers_;
  std::shared_ptr<const TableColumns> last_columns_;
  std::int64_t last_columns_id_ = 0;
};

}  // namespace kinf
