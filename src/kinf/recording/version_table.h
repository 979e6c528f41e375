// SPDX-License-Identifier: Apache-2.0
// VersionTable: inserts rows into the tables `version`, `sample`, `object`, `manager` and
// `column_set` of a recording, and drops old rows.
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
  std::int64_t type = 0;  ///< whose sample helps to compress the text; 0: none
  std::int64_t object = 0;
  std::int64_t time = 0;  ///< nanoseconds since 1970
  VersionFacts facts{};
  std::string_view resource_version{};
  std::string_view manager{};
  const TableColumns* columns = nullptr;  ///< may be null
  /// Empty: the same text as the version before.
  std::string_view text{};
  std::int64_t base = 0;      ///< the `seq` of an earlier version of the object; 0: none
  std::string_view before{};  ///< the text of `base`
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
  /// Sets `text` to the text of version `seq`. Returns false if it was dropped.
  Result<bool> rebuild(std::int64_t seq, std::string& text) {
    return rebuilder_->rebuild(seq, text);
  }
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
  /// Drops the versions of one object before `newest`, and `newest` too if it is a deletion.
  Result<void> drop_object(std::int64_t object, std::int64_t newest);
  /// Stores the text of `newest` without base and sample, and makes it the base of the later
  /// versions that have an older one.
  Result<void> make_whole(std::int64_t object, std::int64_t newest);
  Result<void> replace_text(std::int64_t seq, std::int64_t base, std::string_view before,
                            std::string_view text);

  static constexpr std::size_t kChanges = 16;
  /// The zstd dictionary of one type: the text of one object, then recent changes of objects. It
  /// compresses well because objects of a type share most of their text, and their changes are
  /// alike: the new conditions of a pod look like those of other pods.
  struct Sample {
    std::int64_t id = 0;
    std::size_t number = 0;  ///< counts the samples of the type
    CodecSample content{};
    std::size_t excess = 0;  ///< bytes that versions took since then beyond kSmallVersion
    // For the next sample, from versions that were not small:
    std::string text{};                           ///< of the last version without a base
    std::array<std::string, kChanges> changes{};  ///< the last ones; see VersionCodec::delta()
    std::size_t next_change = 0;                  ///< where the next one replaces the oldest
  };
  /// Replaces a sample if the last versions were not like it. `size` is that of the text of `row`
  /// in the file.
  Result<void> consider(const VersionRow& row, Sample& sample, std::size_t size);
  /// Makes the next sample of a type.
  Result<void> replace(std::int64_t type, Sample& sample);

  Database& database_;
  std::vector<Statement> statements_;
  VersionCodec codec_;
  std::optional<TextRebuilder> rebuilder_;
  std::unordered_map<std::int64_t, Sample> samples_;  ///< by type
  std::int64_t seq_ = 0;
  std::unordered_map<std::string, std::int64_t> managers_;
  std::shared_ptr<const TableColumns> last_columns_;
  std::int64_t last_columns_id_ = 0;
};

}  // namespace kinf
