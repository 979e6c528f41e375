// SPDX-License-Identifier: Apache-2.0
// VersionSearch: finds what a server's resourceVersion selects in a recording. It uses that the
// resourceVersions of an object grow, and nearly those of all watches together; an index on them
// would make the file larger by a tenth.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/recording/database.h"

namespace kinf {

/// Threads: one owner. Must not outlive its Database.
class VersionSearch {
 public:
  /// `limit` is the resourceVersion. `last` is the `seq` of the last version in the file.
  static Result<VersionSearch> open(Database& database, std::int64_t limit, std::int64_t last);

  /// Returns the highest resourceVersion in the file if it is less than the limit; otherwise, a
  /// resourceVersion that is not less.
  Result<std::int64_t> highest();
  /// Returns when the last version up to the limit arrived, in nanoseconds since 1970; 0 if there
  /// is none.
  Result<std::int64_t> arrived();
  /// Returns the `seq` of the newest version of an object up to the limit; 0 if it did not exist
  /// yet. A deletion that a list found is recorded with the resourceVersion of the object's last
  /// state, although it happened later. Therefore, such a deletion counts only if it was recorded
  /// before a watch of the object's type delivered its first version above the limit.
  Result<std::int64_t> newest(std::int64_t object, std::int64_t type);

 private:
  /// What is around the limit in the versions of one object.
  struct Found {
    std::int64_t newest = 0;         ///< the last version up to the limit; 0 if there is none
    bool is_found_deletion = false;  ///< `newest` is a deletion that a list found
    std::int64_t next_watched = 0;   ///< the first one above it from a watch; 0 if none
  };

  VersionSearch(Database& database, std::int64_t limit, std::int64_t last)
      : database_(database), limit_(limit), last_(last) {}
  Result<void> prepare();
  /// Sets near_ by a binary search.
  Result<void> find_near();
  Result<Found> find(std::int64_t object);
  /// Returns the `seq` of the first version above the limit that a watch of the type delivered, or
  /// a larger number than all if there is none.
  Result<std::int64_t> first_above(std::int64_t type);
  /// Reads the current row of a version of one object. Returns whether it is above the limit.
  bool read(const Statement& row, Found& found) const;

  Database& database_;
  const std::int64_t limit_;
  const std::int64_t last_;
  std::vector<Statement> statements_;
  /// Whether the resourceVersions of each object grow. If the file does not say so, every search
  /// reads all versions.
  bool is_ordered_ = false;
  std::int64_t near_ = 0;      ///< the `seq` of about the first version above the limit
  std::int64_t cut_type_ = 0;  ///< the type of cut_
  std::int64_t cut_ = 0;       ///< first_above(cut_type_)
};

}  // namespace kinf
