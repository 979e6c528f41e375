// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/history_dropper.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "kinf/base/limits.h"
#include "kinf/base/log.h"
#include "kinf/base/number_text.h"
#include "kinf/recording/recorded_moment.h"
#include "kinf/recording/recording_schema.h"

namespace kinf {
namespace {

enum DropQuery : std::size_t {
  kPageCount,
  kFreePages,
  kHighestVersion,
  kTouchedObjects,
  kOldVersions,
  kDropVersion,
  kHasVersions,
  kDropObject,
  kSetMeta,
};

constexpr std::array<std::string_view, 9> kDropQueries = {
    "PRAGMA page_count",
    "PRAGMA freelist_count",
    "SELECT max(CAST(resource_version AS INTEGER)) FROM version WHERE seq > ? AND seq < ?",
    "SELECT DISTINCT object FROM version WHERE seq > ? AND seq < ?",
    "SELECT seq, seq - distance, data IS NULL, facts FROM version WHERE object = ? AND seq < ? "
    "ORDER BY seq DESC",
    "DELETE FROM version WHERE seq = ?",
    "SELECT 1 FROM version WHERE object = ? LIMIT 1",
    "DELETE FROM object WHERE id = ?",
    "INSERT OR REPLACE INTO meta VALUES(?, ?)",
};

/// How often the age of the history is looked at, and unused samples are dropped.
constexpr std::chrono::minutes kLookPeriod{1};
/// One call drops at most this many versions, or kTimes as many as were written since the last call
/// if that is more.
constexpr std::int64_t kVersionsPerCall = 4000;
constexpr std::int64_t kTimes = 4;
/// The sizes are looked at after this many versions.
constexpr std::int64_t kVersionsPerLook = 500;
/// One call returns at most this many pages to the file system, because each may move another one.
constexpr std::int64_t kPagesPerCall = 256;
/// Without a maximum size, this part of the file may be free pages, which later versions fill.
constexpr std::int64_t kFreePart = 4;
/// The log of a file with a maximum size takes at most this part of it, unless one commit is
/// larger.
constexpr std::int64_t kLogPart = 16;
constexpr std::int64_t kSmallestLog = 16;
/// Maxima decay by this part in each call.
constexpr std::int64_t kDecay = 64;

std::int64_t decayed_maximum(std::int64_t maximum, std::int64_t value) {
  return std::max(value, maximum - maximum / kDecay);
}

}  // namespace

Result<std::unique_ptr<HistoryDropper>> HistoryDropper::open(Database& database,
                                                             HistoryLimits limits,
                                                             std::int64_t last) {
  std::unique_ptr<HistoryDropper> dropper(new HistoryDropper(database, limits));
  if (Result<void> ready = dropper->prepare(last); !ready) return fail(ready);
  return dropper;
}

Result<void> HistoryDropper::prepare(std::int64_t last) {
  for (const std::string_view query : kDropQueries) {
    Result<Statement> statement = database_.prepare(query, limits::kVersionBytes);
    if (!statement) return fail(statement);
    statements_.push_back(*std::move(statement));
  }
  last_ = last;
  const auto page_size = database_.integer("PRAGMA page_size");
  if (!page_size) return fail(page_size);
  page_size_ = std::max<std::int64_t>(page_size->value_or(0), 1);
  const auto first = database_.meta("first_seq");
  if (!first) return fail(first);
  first_ = std::max<std::int64_t>(std::min(first->value_or(0), last), 0);
  auto version = database_.meta("first_version");
  if (version && !*version) {
    version = statements_[kHighestVersion].bind_all(0, first_ + 1).first_integer();
  }
  if (!version) return fail(version);
  first_version_ = version->value_or(0);
  const Result<Sizes> now = sizes();
  if (!now) return fail(now);
  used_ = now->used();
  if (limits_.max_bytes) {
    database_.limit_log(std::max(kSmallestLog, *limits_.max_bytes / kLogPart / page_size_));
  }
  return {};
}

Result<HistoryDropper::Sizes> HistoryDropper::sizes() {
  const auto pages = statements_[kPageCount].first_integer();
  if (!pages) return fail(pages);
  const auto free = statements_[kFreePages].first_integer();
  if (!free) return fail(free);
  return Sizes{pages->value_or(0), free->value_or(0)};
}

void HistoryDropper::set_target(const Sizes& sizes) {
  log_bytes_ = decayed_maximum(log_bytes_, database_.log_pages() * page_size_);
  growth_ = decayed_maximum(growth_, sizes.used() - used_);
  const std::int64_t most = limits_.max_bytes.value_or(std::numeric_limits<std::int64_t>::max());
  target_ = (most - std::min(log_bytes_, most / 4)) / page_size_;
  // Room for what is written until the next call.
  most_used_ = target_ - std::clamp(2 * growth_, target_ / 64, target_ / 4);
}

Result<bool> HistoryDropper::is_too_large() {
  if (!limits_.max_bytes) return false;
  const Result<Sizes> now = sizes();
  if (!now) return fail(now);
  return now->used() > most_used_;
}

Result<void> HistoryDropper::drop(Clock::Wall now, std::int64_t last) {
  if (!limits_.keep && !limits_.max_bytes) return {};
  const Result<Sizes> before = sizes();
  if (!before) return fail(before);
  set_target(*before);
  const bool looks = now >= next_look_;
  if (Result<void> looked = look(now); !looked) return looked;
  const std::int64_t begin = first_;
  const std::int64_t written = last - std::exchange(last_, last);
  std::int64_t left = std::max(kVersionsPerCall, kTimes * written);
  Result<bool> too_large = is_too_large();
  while (too_large && left > 0 && first_ + 1 < last && (*too_large || first_ + 1 < old_before_)) {
    const std::int64_t end = *too_large ? last : std::min(last, old_before_);
    const std::int64_t cut = std::min(end, first_ + 1 + kVersionsPerLook);
    if (Result<void> dropped = drop_before(cut); !dropped) return dropped;
    left -= kVersionsPerLook;
    too_large = is_too_large();
  }
  if (!too_large) return fail(too_large);
  if (*too_large && first_ + 1 >= last && !std::exchange(has_noticed_, true)) {
    log::warning("{}: the last state alone is larger than {}; kinf keeps it, and no history",
                 database_.path(), size_text(*limits_.max_bytes));
  }
  const bool has_dropped = first_ != begin;
  Result<void> saved = has_dropped ? save_first() : Result<void>();
  if (saved && (looks || !has_dropped)) saved = drop_samples();
  if (saved) saved = shrink();
  const Result<Sizes> after = sizes();
  if (!after) return fail(after);
  used_ = after->used();
  return saved;
}

Result<void> HistoryDropper::look(Clock::Wall now) {
  if (now < next_look_) return {};
  next_look_ = now + kLookPeriod;
  if (limits_.keep) {
    const auto old = last_version_at(database_, (now - *limits_.keep).time_since_epoch().count());
    if (!old) return fail(old);
    old_before_ = *old;
  }
  return {};
}

Result<void> HistoryDropper::drop_samples() {
  if (std::exchange(swept_, first_) == first_) return {};
  // Versions after first_ use the newest sample of their type that is not newer than they are.
  return database_.execute(
      "DELETE FROM sample WHERE EXISTS(SELECT 1 FROM sample next WHERE next.type = sample.type "
      "AND next.id > sample.id AND next.since <= ?1) AND id NOT IN "
      "(SELECT sample FROM version WHERE seq <= ?1 AND sample IS NOT NULL)",
      first_);
}

Result<void> HistoryDropper::drop_before(std::int64_t cut) {
  const auto version = statements_[kHighestVersion].bind_all(first_, cut).first_integer();
  if (!version) return fail(version);
  first_version_ = std::max(first_version_, version->value_or(0));
  std::vector<std::int64_t> objects;
  Result<void> done =
      statements_[kTouchedObjects].bind_all(first_, cut).for_each_row([&](const Statement& row) {
        objects.push_back(row.integer(0));
      });
  for (const std::int64_t object : objects) {
    if (done) done = drop_object(object, cut);
  }
  first_ = cut - 1;
  return done;
}

Result<void> HistoryDropper::drop_object(std::int64_t object, std::int64_t cut) {
  std::vector<std::int64_t> unused;
  bool is_newest = true;
  bool is_deleted = false;
  bool has_text = false;
  std::int64_t needed = 0;  // the `seq` on which the last needed text is based
  Result<void> done =
      statements_[kOldVersions].bind_all(object, cut).for_each_row([&](const Statement& row) {
        const std::int64_t seq = row.integer(0);
        const bool is_first = std::exchange(is_newest, false);
        if (is_first) {
          is_deleted = VersionFacts::unpack(row.integer(3)).type == ChangeType::deleted;
        }
        const bool is_text = row.integer(2) == 0;
        const bool has_wanted_text = is_text && (has_text ? seq == needed : !is_deleted);
        if (has_wanted_text) {
          has_text = true;
          needed = row.integer(1);
        }
        if (is_deleted || (!is_first && !has_wanted_text)) unused.push_back(seq);
      });
  for (const std::int64_t seq : unused) {
    if (done) done = statements_[kDropVersion].bind(1, seq).run();
  }
  if (!done || !is_deleted) return done;
  // Keep the object if a later session saw it again.
  const auto later = statements_[kHasVersions].bind(1, object).first_integer();
  if (!later) return fail(later);
  return *later ? done : statements_[kDropObject].bind(1, object).run();
}

Result<void> HistoryDropper::save_first() {
  Statement& set = statements_[kSetMeta];
  Result<void> done = set.bind_all(std::string_view("first_seq"), first_).run();
  if (done) done = set.bind_all(std::string_view("first_version"), first_version_).run();
  if (!done) return done;
  return database_.execute(
      "DELETE FROM gap WHERE end < (SELECT time FROM version WHERE seq > ? ORDER BY seq LIMIT 1)",
      first_);
}

Result<void> HistoryDropper::shrink() {
  const Result<Sizes> now = sizes();
  if (!now) return fail(now);
  const std::int64_t much = std::max(now->pages - target_, now->free - now->pages / kFreePart);
  const std::int64_t count = std::min({much, now->free, kPagesPerCall});
  if (count <= 0) return {};
  return database_.run("PRAGMA incremental_vacuum(" + std::to_string(count) + ")");
}

}  // namespace kinf
