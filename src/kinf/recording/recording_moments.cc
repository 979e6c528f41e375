// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/recording_moments.h"

namespace kinf {

Result<std::int64_t> last_version_at(Database& database, std::int64_t time) {
  const auto first = database.integer("SELECT min(seq) FROM version");
  if (!first) return std::unexpected(first.error());
  const auto last = database.integer("SELECT max(seq) FROM version");
  if (!last) return std::unexpected(last.error());
  Result<Statement> at =
      database.prepare("SELECT seq, time FROM version WHERE seq <= ? ORDER BY seq DESC LIMIT 1");
  if (!at) return std::unexpected(std::move(at).error());
  // Every version up to `low` is early enough, every version from `high` on is too late.
  std::int64_t low = first->value_or(1) - 1;
  std::int64_t high = last->value_or(0) + 1;
  while (low + 1 < high) {
    const std::int64_t middle = low + (high - low) / 2;
    const Result<bool> row = at->bind(1, middle).step();
    if (!row) return std::unexpected(row.error());
    const std::int64_t found = *row ? at->integer(0) : 0;
    const bool early = *row && at->integer(1) <= time;
    at->reset();
    if (!*row || found <= low) {  // dropped versions
      low = middle;
    } else if (early) {
      low = middle;
    } else {
      high = found;
    }
  }
  return low < first->value_or(1) ? 0 : low;
}

}  // namespace kinf
