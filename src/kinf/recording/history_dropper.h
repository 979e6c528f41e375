// SPDX-License-Identifier: Apache-2.0
// HistoryDropper: drops the oldest versions of a recording that is too old or too large.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/recording/database.h"

namespace kinf {

struct HistoryLimits {
  std::optional<Clock::Duration> keep;    ///< drops history older than this; nullopt keeps all
  std::optional<std::int64_t> max_bytes;  ///< of the file and its write-ahead log together
};

/// Drops versions from the oldest on. Of each object, keeps its state at the oldest moment that can
/// still be read: the newest version of that time, and those on which its text is based. Nothing
/// is stored again for that. Each call drops only a few thousand versions, or a few times as many
/// as were written since the last call, so that it never blocks the recorder for long.
/// Threads: one owner.
class HistoryDropper {
 public:
  /// `last` is the `seq` of the last version in the file. `database` must outlive the result.
  static Result<std::unique_ptr<HistoryDropper>> open(Database& database, HistoryLimits limits,
                                                      std::int64_t last);

  /// Drops what is too much, inside the caller's transaction. `last` is the `seq` of the last
  /// version. Call it before each commit. Logs once if the last state alone is too large.
  Result<void> drop(Clock::Wall now, std::int64_t last);

 private:
  struct Sizes {
    std::int64_t pages = 0;  ///< of the main file
    std::int64_t free = 0;   ///< pages that hold nothing
    std::int64_t used() const { return pages - free; }
  };

  HistoryDropper(Database& database, HistoryLimits limits) : database_(database), limits_(limits) {}
  Result<void> prepare(std::int64_t last);
  Result<Sizes> sizes();
  /// Sets target_, and the size from which on history is dropped.
  void set_target(const Sizes& sizes);
  Result<bool> is_too_large();
  /// Finds the `seq` before which history is too old, if that was long ago.
  Result<void> look(Clock::Wall now);
  /// Drops samples that no version uses, if versions were dropped.
  Result<void> drop_samples();
  /// Drops the versions from first_ + 1 up to `cut` - 1, except those of the state at `cut` - 1.
  Result<void> drop_before(std::int64_t cut);
  Result<void> drop_object(std::int64_t object, std::int64_t cut);
  Result<void> save_first();
  /// Returns some of the free pages to the file system.
  Result<void> shrink();

  Database& database_;
  const HistoryLimits limits_;
  std::vector<Statement> statements_;
  std::int64_t page_size_ = 0;
  std::int64_t first_ = 0;          ///< the `seq` of the oldest moment that can be read
  std::int64_t first_version_ = 0;  ///< the highest resourceVersion up to first_
  std::int64_t last_ = 0;           ///< the `seq` of the last version at the last call
  std::int64_t old_before_ = 0;     ///< versions before this `seq` are older than `keep`
  std::int64_t used_ = 0;           ///< pages in use at the last call
  std::int64_t growth_ = 0;         ///< about the most pages that were written between two calls
  std::int64_t log_bytes_ = 0;      ///< about the largest size of the log
  std::int64_t target_ = 0;         ///< the largest size of the main file, in pages
  std::int64_t most_used_ = 0;      ///< history is dropped while more pages are in use
  std::int64_t swept_ = 0;          ///< first_ when samples were last dropped
  bool has_noticed_ = false;
  Clock::Wall next_look_{};
};

}  // namespace kinf
