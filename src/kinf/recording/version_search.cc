// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/version_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "kinf/recording/recording_schema.h"

namespace kinf {
namespace {

enum SearchQuery : std::size_t { kNextWatched, kBefore, kFrom, kNewestUntilCut };

/// Versions of different watches are at most this far from their order, except after failures.
constexpr std::int64_t kNear = 1000;

/// Returns the statements in the order of SearchQuery. `?1` is the object.
std::array<std::string, 4> search_queries(std::int64_t limit) {
  constexpr std::string_view kColumns = "SELECT seq, resource_version, facts FROM version";
  return {fmt::format("{} WHERE seq >= ?1 AND seq < ?2 AND {} = {} ORDER BY seq LIMIT 1", kColumns,
                      facts_sql::source("facts"), facts_sql::kWatch),
          fmt::format("{} WHERE object = ?1 AND seq < ?2 ORDER BY seq DESC", kColumns),
          fmt::format("{} WHERE object = ?1 AND seq >= ?2 ORDER BY seq", kColumns),
          fmt::format("{} WHERE object = ?1 AND CAST(resource_version AS INTEGER) <= {} AND "
                      "({} = 0 OR seq < ?2) ORDER BY seq DESC LIMIT 1",
                      kColumns, limit, facts_sql::final_state_unknown("facts"))};
}

}  // namespace

Result<VersionSearch> VersionSearch::open(Database& database, std::int64_t limit,
                                          std::int64_t last) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max() - 2 * kNear;
  VersionSearch search(database, limit, std::clamp<std::int64_t>(last, 0, kLargest));
  if (Result<void> ready = search.prepare(); !ready) return fail(ready);
  return search;
}

Result<void> VersionSearch::prepare() {
  for (const std::string& query : search_queries(limit_)) {
    Result<Statement> statement = database_.prepare(query);
    if (!statement) return fail(statement);
    statements_.push_back(*std::move(statement));
  }
  const auto ordered = database_.meta("ordered");
  if (!ordered) return fail(ordered);
  is_ordered_ = ordered->value_or(0) != 0;
  return is_ordered_ ? find_near() : Result<void>();
}

Result<void> VersionSearch::find_near() {
  // No version from a watch up to `low` is above the limit, and every one from `near_` on is.
  std::int64_t low = 0;
  near_ = last_ + 1;
  while (low + 1 < near_) {
    const std::int64_t middle = low + (near_ - low) / 2;
    Statement& next = statements_[kNextWatched].bind_all(middle, near_);
    const Result<bool> row = next.step();
    if (!row) return fail(row);
    if (*row && next.integer(1) <= limit_) {
      low = next.integer(0);
    } else {
      near_ = middle;
    }
    next.reset();
  }
  return {};
}

Result<std::int64_t> VersionSearch::highest() {
  constexpr std::string_view kHighest =
      "SELECT max(CAST(resource_version AS INTEGER)) FROM version";
  auto highest = database_.integer(fmt::format("{} WHERE seq >= ? AND seq < ?", kHighest),
                                   near_ - kNear, near_ + kNear);
  if (highest && highest->value_or(0) < limit_) highest = database_.integer(kHighest);
  if (!highest) return fail(highest);
  return highest->value_or(0);
}

Result<std::int64_t> VersionSearch::arrived() {
  constexpr std::string_view kArrived =
      "SELECT max(time) FROM version WHERE CAST(resource_version AS INTEGER) <= ?1";
  std::optional<std::int64_t> time;
  if (is_ordered_) {
    const auto near = database_.integer(fmt::format("{} AND seq >= ?2 AND seq < ?3", kArrived),
                                        limit_, near_ - kNear, near_ + kNear);
    if (!near) return fail(near);
    time = *near;
  }
  if (!time) {
    const auto any = database_.integer(kArrived, limit_);
    if (!any) return fail(any);
    time = *any;
  }
  return time.value_or(0);
}

bool VersionSearch::read(const Statement& row, Found& found) const {
  const bool is_above = row.integer(1) > limit_;
  const VersionFacts facts = VersionFacts::unpack(row.integer(2));
  if (!is_above) {
    found.newest = row.integer(0);
    found.is_found_deletion = facts.final_state_unknown;
  } else if (facts.source == ChangeSource::watch) {
    found.next_watched = row.integer(0);
  }
  return is_above;
}

Result<VersionSearch::Found> VersionSearch::find(std::int64_t object) {
  Found found;
  Statement& after = statements_[kFrom].bind_all(object, near_);
  Result<bool> row = true;
  // Most often, this reads one version, which is above the limit, and `before` one that is not.
  while (found.next_watched == 0) {
    row = after.step();
    if (!row || !*row) break;
    read(after, found);
  }
  after.reset();
  if (!row) return fail(row);
  if (found.newest != 0) return found;
  Statement& before = statements_[kBefore].bind_all(object, near_);
  while (found.newest == 0) {
    row = before.step();
    if (!row || !*row) break;
    read(before, found);
  }
  before.reset();
  if (!row) return fail(row);
  return found;
}

Result<std::int64_t> VersionSearch::first_above(std::int64_t type) {
  if (cut_type_ == type) return cut_;
  std::optional<std::int64_t> first;
  if (is_ordered_) {
    std::vector<std::int64_t> objects;
    Result<void> done = database_.for_each_row(
        "SELECT id FROM object WHERE type = ?",
        [&](const Statement& row) { objects.push_back(row.integer(0)); }, type);
    if (!done) return fail(done);
    for (const std::int64_t object : objects) {
      const Result<Found> found = find(object);
      if (!found) return fail(found);
      if (found->next_watched == 0) continue;
      first = std::min(first.value_or(found->next_watched), found->next_watched);
    }
  } else {
    const auto cut = database_.integer(
        fmt::format("SELECT min(v.seq) FROM version v JOIN object o ON o.id = v.object WHERE "
                    "o.type = ?1 AND {} = {} AND CAST(v.resource_version AS INTEGER) > ?2",
                    facts_sql::source("v.facts"), facts_sql::kWatch),
        type, limit_);
    if (!cut) return fail(cut);
    first = *cut;
  }
  cut_type_ = type;
  cut_ = first.value_or(last_ + 1);
  return cut_;
}

Result<std::int64_t> VersionSearch::newest(std::int64_t object, std::int64_t type) {
  if (is_ordered_) {
    const Result<Found> found = find(object);
    if (!found) return fail(found);
    if (!found->is_found_deletion) return found->newest;
  }
  const Result<std::int64_t> cut = first_above(type);
  if (!cut) return cut;
  const auto seq = statements_[kNewestUntilCut].bind_all(object, *cut).first_integer();
  if (!seq) return fail(seq);
  return seq->value_or(0);
}

}  // namespace kinf
