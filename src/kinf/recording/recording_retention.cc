// SPDX-License-Identifier: Apache-2.0
// RecordingWriter: drops old history.
#include "kinf/recording/recording_moments.h"
#include "kinf/recording/recording_writer.h"

namespace kinf {

/// Drops what is older than WriterOptions::keep. If the file is larger than max_bytes, also drops
/// the oldest tenth of the rest.
Result<void> RecordingWriter::drop_history(Clock::Wall now) {
  if (!options_.keep && !options_.max_bytes) return {};
  Database& database = *file_.database;
  const auto dropped_to = database.integer("SELECT value FROM meta WHERE key = 'first_seq'");
  if (!dropped_to) return std::unexpected(dropped_to.error());
  const std::int64_t first = dropped_to->value_or(0) + 1;
  std::int64_t cut = first;
  if (options_.keep) {
    const auto last_old =
        last_version_at(database, (now - *options_.keep).time_since_epoch().count());
    if (!last_old) return std::unexpected(last_old.error());
    cut = std::max(cut, *last_old);
  }
  if (Result<void> sized = update_size(); !sized) return sized;
  if (options_.max_bytes && totals_.bytes > *options_.max_bytes) {
    constexpr std::int64_t kParts = 10;
    cut = std::max(cut, cut + (versions_->last_seq() - cut) / kParts);
  }
  if (cut <= first) return {};
  const Result<std::int64_t> dropped = versions_->drop_before(cut);
  if (!dropped) return std::unexpected(dropped.error());
  const std::string at = std::to_string(cut - 1);
  return database.run(
      "INSERT OR REPLACE INTO meta VALUES('first_seq', " + at +
      "); DELETE FROM gap WHERE end < (SELECT min(time) FROM version WHERE seq >= " +
      std::to_string(cut) + "); PRAGMA incremental_vacuum");
}

}  // namespace kinf
