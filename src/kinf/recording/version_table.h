// SPDX-License-Identifier: Apache-2.0
// VersionTable: inserts rows into the tables `version`, `sample`, `object`, `manager` and
// `column_set` of a recording, and drops rows.
#pragma once

#include <array>
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
  /// Returns the `seq` of the last version, or 0 if there is none.
  std::int64_t last_seq() const { return seq_; }
  /// Drops the versions of the objects called `ns`/`name`, except the version with the `seq` `kept`
  /// (0 drops all). Also drops those objects that then have no version left.
  Result<void> drop_versions(std::int64_t type, std::string_view ns, std::string_view name,
                             std::int64_t kept);

 private:
  explicit VersionTable(Database& database) : database_(database) {}
  Result<void> prepare();
  Result<std::int64_t> manager_id(std::string_view name);
  Result<std::int64_t> columns_id(const TableColumns& columns);

  static constexpr std::size_t kChanges = 16;
  /// Older changes, for the statistics of a sample.
  static constexpr std::size_t kTypical = 32;
  /// The zstd dictionary of one type: the text of one object, then recent changes of objects. It
  /// compresses well because objects of a type share most of their text, and because their changes
  /// are alike. For example, the new conditions of a pod look like those of other pods.
  struct Sample {
    std::int64_t id = 0;
    std::size_t number = 0;  ///< the number of samples of the type so far
    CodecSample content{};
    std::size_t excess = 0;  ///< the sum of the sizes beyond kSmallVersion since this sample
    // The data for the next sample, from versions that are larger than kSmallVersion:
    std::string text{};                           ///< the last text without a base
    std::array<std::string, kChanges> changes{};  ///< the last results of VersionCodec::delta()
    std::array<std::string, kTypical> typical{};  ///< those before the last ones
    std::size_t next_change = 0;                  ///< the number of changes so far
  };
  /// Replaces the sample of a type if it compressed the last versions badly. `size` is the size of
  /// the text of `row` in the file.
  Result<void> consider(const VersionRow& row, Sample& sample, std::size_t size);
  /// Creates a new sample for `type`, which replaces the current one in `sample`.
  Result<void> replace(std::int64_t type, Sample& sample);

  Database& database_;
  std::vector<Statement> statements_;
  VersionCodec codec_;
  std::optional<TextRebuilder> rebuilder_;
  std::unordered_map<std::int64_t, Sample> samples_;  ///< by the id of the type
  std::int64_t seq_ = 0;
  std::unordered_map<std::string, std::int64_t> managers_;
  std::shared_ptr<const TableColumns> last_columns_;
  std::int64_t last_columns_id_ = 0;
};

}  // namespace kinf
