// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/recording_copier.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "kinf/base/assign.h"
#include "kinf/base/limits.h"
#include "kinf/base/number_text.h"
#include "kinf/recording/history_dropper.h"
#include "kinf/recording/recorded_moment.h"
#include "kinf/recording/recording_file.h"
#include "kinf/recording/recording_schema.h"
#include "kinf/recording/version_checksum.h"

namespace kinf {
namespace {

constexpr std::int64_t kVersionsPerCommit = 5000;

std::int64_t nanoseconds_of(Clock::Wall time) { return time.time_since_epoch().count(); }

/// Copies one recording. Reads versions without comparing pages, because each version has a
/// checksum of its own, and all else with it.
class Copy {
 public:
  Copy(const CopyOptions& options, std::stop_token stop)
      : options_(options), stop_(std::move(stop)) {}

  Result<CopyResult> run(const std::string& from, const std::string& to) {
    Result<void> done = open(from, to);
    if (done) done = find_end();
    if (done) done = copy_tables();
    if (done) done = copy_versions();
    if (done) done = finish();
    if (!done) return fail(done);
    return result_;
  }
  bool has_created() const { return has_created_; }

 private:
  Result<void> open(const std::string& from, const std::string& to);
  Result<void> open_versions(const std::string& from);
  Result<void> find_end();
  Result<void> copy_tables();
  /// Copies the rows of `select` with `insert`, which has as many parameters as `select` columns.
  Result<void> copy_rows(const std::string& select, const std::string& insert, int columns,
                         std::size_t most_bytes = limits::kRecordedTextBytes);
  Result<void> copy_scopes();
  Result<void> copy_gaps();
  Result<void> copy_objects();
  Result<void> copy_versions();
  Result<void> copy_version(const Statement& row);
  Result<void> copy_damaged(const Statement& row);
  /// Returns whether the text of a version can be rebuilt from what was copied.
  bool has_text(const Statement& row);
  void begin_damage();
  Result<void> note_damage(std::int64_t seq, std::int64_t object);
  Result<void> commit_some();
  Result<void> finish();

  const CopyOptions& options_;
  const std::stop_token stop_;
  RecordingFile from_;                  ///< keeps the descriptor of facts_ and versions_
  Database* facts_ = nullptr;           ///< `from`, with page checks
  std::unique_ptr<Database> versions_;  ///< `from`, without
  RecordingFile to_;
  std::optional<Statement> find_base_;
  std::optional<Statement> insert_;
  std::string columns_;
  std::int64_t last_ = 0;         ///< the `seq` of the last version to copy
  std::int64_t last_time_ = 0;    ///< when the copy ends
  std::set<std::int64_t> types_;  ///< those whose objects are copied
  std::map<std::int64_t, std::vector<std::int64_t>> scopes_;  ///< the new ids of each scope
  std::unordered_map<std::int64_t, std::string> objects_;     ///< the names of the copied ones
  std::unordered_set<std::int64_t> copied_;              ///< objects with a version in the copy
  std::unordered_map<std::int64_t, bool> last_is_lost_;  ///< by object
  std::int64_t good_time_ = 0;                           ///< when the last intact version arrived
  /// When the version before the first damaged one arrived.
  std::optional<std::int64_t> damage_begin_;
  std::int64_t damage_end_ = 0;  ///< when the version after the last damaged one arrived
  bool is_in_damage_ = false;
  std::int64_t uncommitted_ = 0;
  bool has_created_ = false;  ///< whether `to` is a file of this copy
  CopyResult result_;
};

Result<void> Copy::open(const std::string& from, const std::string& to) {
  Result<RecordingFile> file = RecordingFile::open_for_reading(from, stop_);
  if (!file) return fail(file);
  from_ = *std::move(file);
  facts_ = from_.database.get();
  if (Result<void> opened = open_versions(from); !opened) return opened;
  const auto state = facts_->meta("state");
  if (!state) return fail(state);
  const auto first = facts_->meta("first_seq");
  if (!first) return fail(first);
  const auto first_of_versions = versions_->meta("first_seq");
  if (!first_of_versions) return fail(first_of_versions);
  if (first->value_or(0) < 0 || first->value_or(0) > kVersionsBound) {
    return fail(facts_->damaged(fmt::format("version {} cannot be", **first)));
  }
  if (*state) return fail(ErrorKind::usage, from + " is a state of --state, no recording");
  if (*first != *first_of_versions) {
    return fail(Error(ErrorKind::conflict, from + ": history was dropped meanwhile")
                    .with_hint("try again"));
  }
  {
    // An empty file becomes a recording. Closed before SQLite opens the file, because closing drops
    // locks.
    const FileDescriptor created(
        ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!created.is_open() && errno == EEXIST) {
      return fail(Error(ErrorKind::usage, to + " exists").with_hint("copy to a new file"));
    }
    has_created_ = created.is_open();
  }
  Result<RecordingFile> made = RecordingFile::open_for_writing(to);
  if (!made) return fail(made);
  to_ = *std::move(made);
  Result<std::string> columns = version_columns(*facts_);
  if (!columns) return fail(columns);
  columns_ = *std::move(columns);
  return to_.begin();
}

Result<void> Copy::open_versions(const std::string& from) {
  const auto open = [&](Result<std::unique_ptr<Database>> opened) -> Result<void> {
    if (auto done = assign(versions_, std::move(opened)); !done) return done;
    // The first statement that reads determines the snapshot.
    Result<void> begun = versions_->run("BEGIN");
    return begun ? versions_->for_each_row("SELECT 1 FROM meta LIMIT 1", [](const Statement&) {})
                 : begun;
  };
  Result<void> opened = open(Database::open(from, OpenMode::salvage, stop_));
  if (opened || opened.error().kind == ErrorKind::stopped) return opened;
  // In a folder that cannot be written, as a reader does it.
  versions_.reset();
  return assign(versions_, open_database_for_reading(from, stop_));
}

Result<void> Copy::find_end() {
  const auto ended = facts_->integer("SELECT max(ended) FROM session");
  if (!ended) return fail(ended);
  last_time_ = recorded_time(ended->value_or(0));
  const auto last = versions_->integer("SELECT max(seq) FROM version");
  if (!last) return fail(last);
  last_ = last->value_or(0);
  // A recorder may have written versions after the other snapshot, which has not their objects.
  const auto known = facts_->integer("SELECT max(seq) FROM version");
  if (known) last_ = std::min(last_, known->value_or(0));
  if (last_ > kVersionsBound) {
    return fail(facts_->damaged(fmt::format("version {} cannot be", last_)));
  }
  const auto started = facts_->integer("SELECT min(started) FROM session");
  if (!started) return fail(started);
  good_time_ = recorded_time(started->value_or(0));
  if (!options_.until || nanoseconds_of(*options_.until) >= last_time_) return {};
  last_time_ = nanoseconds_of(end_of_millisecond(*options_.until));
  const Result<std::int64_t> seq = last_version_at(*versions_, last_time_);
  if (!seq) return fail(seq);
  last_ = *seq;
  return {};
}

Result<void> Copy::copy_rows(const std::string& select, const std::string& insert, int columns,
                             std::size_t most_bytes) {
  Result<Statement> rows = facts_->prepare(select, most_bytes);
  if (!rows) return fail(rows);
  Result<Statement> into = to_.database->prepare(insert, most_bytes);
  if (!into) return fail(into);
  return rows->for_each_row([&](const Statement& row) -> Result<void> {
    for (int column = 0; column < columns; ++column) into->bind_column(column + 1, row, column);
    return into->run();
  });
}

Result<void> Copy::copy_tables() {
  const bool has_cluster = columns_.ends_with("checksum");
  Result<void> done =
      copy_rows("SELECT key, value FROM meta WHERE key NOT IN ('state', 'selection')",
                "INSERT OR REPLACE INTO meta VALUES(?, ?)", 2);
  if (done) {
    done = copy_rows(
        "SELECT id, api_group, version, resource, kind, singular, namespaced, short_names, "
        "categories FROM type",
        "INSERT INTO type VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)", 9);
  }
  if (done) {
    done = copy_rows(fmt::format("SELECT id, started, min(ended, {0}), server, namespace, "
                                 "min(gathered, {2}), {1} FROM session WHERE started <= {0}",
                                 last_time_, has_cluster ? "cluster" : "NULL", last_),
                     "INSERT INTO session VALUES(?, ?, ?, ?, ?, ?, ?)", 7);
  }
  if (done) {
    done = copy_rows("SELECT id, definitions FROM column_set",
                     "INSERT INTO column_set VALUES(?, ?)", 2);
  }
  if (done) done = copy_rows("SELECT id, name FROM manager", "INSERT INTO manager VALUES(?, ?)", 2);
  if (done) {
    done =
        copy_rows(fmt::format("SELECT id, type, since, data FROM sample WHERE since <= {}", last_),
                  "INSERT INTO sample VALUES(?, ?, ?, ?)", 4, limits::kVersionBytes);
  }
  if (done) done = copy_scopes();
  if (done) done = copy_gaps();
  if (done) done = copy_objects();
  return done;
}

Result<void> Copy::copy_scopes() {
  Result<Statement> insert = to_.database->prepare(
      "INSERT INTO scope(session, type, namespace, name, label_selector, field_selector, listed, "
      "synced_seq, version, watched, late) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  if (!insert) return fail(insert);
  // A first list that was not complete when the copy ends is not complete in it either. One of a
  // namespace that was joined later is not in it.
  Result<Statement> rows =
      facts_->prepare(fmt::format("SELECT s.session, s.type, s.namespace, s.name, "
                                  "s.label_selector, s.field_selector, min(s.listed, {1}), "
                                  "CASE WHEN s.synced_seq <= {0} THEN s.synced_seq END, s.version, "
                                  "min(s.watched, {1}), s.late, "
                                  "s.id, t.namespaced FROM scope s JOIN type t ON t.id = s.type "
                                  "JOIN session e ON e.id = s.session WHERE e.started <= {1} "
                                  "AND NOT (coalesce(s.late, 0) AND s.listed > {1})",
                                  last_, last_time_));
  if (!rows) return fail(rows);
  return rows->for_each_row([&](const Statement& row) -> Result<void> {
    constexpr int kColumns = 11;
    constexpr int kNamespace = 2;
    const std::string ns(row.text(kNamespace));
    std::vector<std::string> into = {ns};
    if (!options_.namespaces.empty()) {
      into = options_.namespaces;
      if (row.integer(kColumns + 1) == 0) into.clear();
      if (!ns.empty()) std::erase_if(into, [&](const std::string& one) { return one != ns; });
    }
    for (const std::string& one : into) {
      for (int column = 0; column < kColumns; ++column) {
        insert->bind_column(column + 1, row, column);
      }
      if (Result<void> done = insert->bind(kNamespace + 1, one).run(); !done) return done;
      scopes_[row.integer(kColumns)].push_back(to_.database->last_row_id());
      types_.insert(row.integer(1));
    }
    return {};
  });
}

Result<void> Copy::copy_gaps() {
  Result<Statement> insert = to_.database->prepare("INSERT INTO gap VALUES(?, ?, ?, ?)");
  if (!insert) return fail(insert);
  Result<Statement> rows = facts_->prepare(fmt::format(
      "SELECT scope, begin, min(end, {0}), reason FROM gap WHERE begin <= {0}", last_time_));
  if (!rows) return fail(rows);
  return rows->for_each_row([&](const Statement& row) -> Result<void> {
    const auto add = [&](std::optional<std::int64_t> scope) {
      for (int column = 0; column < 4; ++column) insert->bind_column(column + 1, row, column);
      if (scope) insert->bind(1, *scope);
      return insert->run();
    };
    if (row.is_null(0)) return add(std::nullopt);
    for (const std::int64_t scope : scopes_[row.integer(0)]) {
      if (Result<void> done = add(scope); !done) return done;
    }
    return {};
  });
}

Result<void> Copy::copy_objects() {
  Result<Statement> insert = to_.database->prepare("INSERT INTO object VALUES(?, ?, ?, ?, ?)");
  if (!insert) return fail(insert);
  Result<Statement> rows = facts_->prepare(
      "SELECT o.id, o.type, o.namespace, o.name, o.uid, t.resource FROM object o "
      "JOIN type t ON t.id = o.type");
  if (!rows) return fail(rows);
  const std::vector<std::string>& wanted = options_.namespaces;
  return rows->for_each_row([&](const Statement& row) -> Result<void> {
    const std::string ns(row.text(2));
    const bool is_wanted = types_.contains(row.integer(1)) &&
                           (wanted.empty() || std::ranges::find(wanted, ns) != wanted.end());
    if (!is_wanted) return {};
    for (int column = 0; column < 5; ++column) insert->bind_column(column + 1, row, column);
    objects_.emplace(row.integer(0),
                     fmt::format("{} {}{}{}", row.text(5), ns, ns.empty() ? "" : "/", row.text(3)));
    ++result_.objects;
    return insert->run();
  });
}

void Copy::begin_damage() {
  if (!damage_begin_) damage_begin_ = good_time_;
  is_in_damage_ = true;
}

Result<void> Copy::note_damage(std::int64_t seq, std::int64_t object) {
  ++result_.damaged;
  begin_damage();
  last_is_lost_[object] = true;
  if (!result_.first_damaged.empty()) return {};
  const auto found = objects_.find(object);
  result_.first_damaged = fmt::format("version {}", seq);
  if (found != objects_.end()) result_.first_damaged += fmt::format(" ({})", found->second);
  return {};
}

bool Copy::has_text(const Statement& row) {
  namespace at = version_column;
  const auto last = last_is_lost_.find(row.integer(at::object));
  const bool last_is_lost = last != last_is_lost_.end() && last->second;
  // Without data, the text is that of the previous version.
  if (row.is_null(at::data)) return !last_is_lost;
  if (row.is_null(at::distance)) return true;
  const std::uint64_t base = static_cast<std::uint64_t>(row.integer(at::seq)) -
                             static_cast<std::uint64_t>(row.integer(at::distance));
  const auto found = find_base_->bind_all(static_cast<std::int64_t>(base)).first_integer();
  return found && found->has_value();
}

/// An object whose deletion is damaged ends there, as if a list had not found it any more:
/// otherwise it would exist for ever. If its facts are damaged, there is only a gap.
Result<void> Copy::copy_damaged(const Statement& row) {
  namespace at = version_column;
  const std::int64_t object = row.integer(at::object);
  const std::int64_t seq = row.integer(at::seq);
  Result<void> noted = note_damage(seq, object);
  const bool is_deletion = VersionFacts::unpack(row.integer(at::facts)).type == ChangeType::deleted;
  if (!noted || !is_deletion || !copied_.contains(object)) return noted;
  std::string version;  // the one that was known, as in each deletion that a list found
  Result<void> found = to_.database->for_each_row(
      "SELECT resource_version FROM version WHERE object = ? ORDER BY seq DESC LIMIT 1",
      [&](const Statement& last) { version = last.number_or_text(0); }, object);
  if (!found) return found;
  const VersionFields fields{.seq = seq,
                             .object = object,
                             .time = good_time_,
                             .facts = VersionFacts{.type = ChangeType::deleted,
                                                   .source = ChangeSource::relist,
                                                   .final_state_unknown = true}
                                          .pack(),
                             .resource_version = version};
  Result<void> done = to_.database->execute(
      "INSERT INTO version SELECT ?, object, ?, ?, resource_version, NULL, NULL, NULL, NULL, NULL, "
      "NULL, ? FROM version WHERE object = ? ORDER BY seq DESC LIMIT 1",
      fields.seq, fields.time, fields.facts, checksum_of(fields), object);
  return done ? commit_some() : done;
}

Result<void> Copy::copy_version(const Statement& row) {
  namespace at = version_column;
  const std::int64_t object = row.integer(at::object);
  const std::int64_t seq = row.integer(at::seq);
  const bool is_intact = check_version(row).has_value();
  if (!is_intact) return copy_damaged(row);
  if (!objects_.contains(object)) return {};  // another namespace
  const bool is_deletion = VersionFacts::unpack(row.integer(at::facts)).type == ChangeType::deleted;
  const bool is_whole = has_text(row);
  if (!is_whole && (!is_deletion || !copied_.contains(object))) {
    return note_damage(seq, object);
  }
  last_is_lost_[object] = last_is_lost_[object] && is_whole && row.is_null(at::data);
  good_time_ = recorded_time(row.integer(at::time));
  if (std::exchange(is_in_damage_, false)) damage_end_ = good_time_;
  copied_.insert(object);
  for (int column = 0; column < at::count; ++column) {
    // The order of the columns in the table.
    constexpr std::array kInto = {1, 3, 4, 5, 6, 7, 8, 9, 10, 2, 11, 12};
    insert_->bind_column(kInto.at(static_cast<std::size_t>(column)), row, column);
  }
  if (!is_whole || row.is_null(at::checksum)) {
    std::string resource_version;
    VersionFields fields = fields_of(row, resource_version);
    if (!is_whole) {  // the copy needs the deletion, with the last text that is left
      fields.distance = fields.sample = std::nullopt;
      fields.data = std::nullopt;
      for (const int column : {8, 9, 10}) insert_->bind_null(column);
    }
    insert_->bind(12, checksum_of(fields));
  }
  Result<void> done = insert_->run();
  return done ? commit_some() : done;
}

Result<void> Copy::commit_some() {
  if (++uncommitted_ < kVersionsPerCommit) return {};
  uncommitted_ = 0;
  Result<void> done = to_.commit();
  return done ? to_.begin() : done;
}

Result<void> Copy::copy_versions() {
  Result<Statement> insert = to_.database->prepare(
      "INSERT INTO version VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", limits::kVersionBytes);
  if (!insert) return fail(insert);
  insert_.emplace(*std::move(insert));
  Result<Statement> base = to_.database->prepare("SELECT 1 FROM version WHERE seq = ?");
  if (!base) return fail(base);
  find_base_.emplace(*std::move(base));
  std::int64_t next = std::numeric_limits<std::int64_t>::min();
  std::int64_t skip = 1;
  while (next <= last_) {
    if (stop_.stop_requested()) return fail(ErrorKind::stopped, "stopped");
    Result<Statement> rows = versions_->prepare(
        fmt::format("SELECT {} FROM version WHERE seq >= ? AND seq <= ? ORDER BY seq", columns_),
        limits::kVersionBytes);
    if (!rows) return fail(rows);
    std::int64_t begin = next;
    Result<void> read =
        rows->bind_all(next, last_).for_each_row([&](const Statement& row) -> Result<void> {
          next = row.integer(version_column::seq) + 1;
          skip = 1;
          return copy_version(row);
        });
    if (read) return {};
    // SQLite could not follow the tree of versions: go on behind the damaged part.
    if (read.error().kind != ErrorKind::internal || versions_->error().kind == ErrorKind::stopped ||
        !versions_->is_damaged()) {
      return read;
    }
    begin = std::max<std::int64_t>(std::max(begin, next), 1);
    next = begin + skip;
    result_.damaged += skip;
    begin_damage();
    if (result_.first_damaged.empty()) result_.first_damaged = fmt::format("version {}", begin);
    skip = std::min(skip * 2, kVersionsBound);
    for (auto& [object, is_lost] : last_is_lost_) is_lost = true;
  }
  return {};
}

Result<void> Copy::finish() {
  Database& database = *to_.database;
  if (damage_begin_) {
    const std::string reason = fmt::format(
        "{} left out", counted(static_cast<std::size_t>(result_.damaged), "damaged version"));
    Result<void> noted = database.execute("INSERT INTO gap VALUES(NULL, ?, ?, ?)", *damage_begin_,
                                          is_in_damage_ ? last_time_ : damage_end_, reason);
    if (!noted) return noted;
  }
  if (Result<void> done = to_.commit(); !done) return done;
  if (options_.since) {
    // Drop what is older, as a recorder with --keep does.
    const Clock::Wall end{Clock::Duration(last_time_)};
    auto dropper = HistoryDropper::open(
        database, {.keep = end - *options_.since, .max_bytes = std::nullopt}, last_);
    if (!dropper) return fail(dropper);
    // Each call drops a part.
    for (std::int64_t first = -1;;) {
      Result<void> done = to_.begin();
      if (done) done = (*dropper)->drop(end, last_);
      if (done) done = to_.commit();
      if (!done) return done;
      const auto now = database.meta("first_seq");
      if (!now) return fail(now);
      if (std::exchange(first, now->value_or(0)) == first) break;
    }
  }
  Result<void> unused =
      database.execute("DELETE FROM object WHERE id NOT IN (SELECT object FROM version)");
  if (!unused) return unused;
  const auto versions = database.integer("SELECT count(*) FROM version");
  if (!versions) return fail(versions);
  result_.versions = versions->value_or(0);
  const auto objects = database.integer("SELECT count(*) FROM object");
  if (!objects) return fail(objects);
  result_.objects = objects->value_or(0);
  return database.run("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)");
}

}  // namespace

Result<CopyResult> copy_recording(const std::string& from, const std::string& to,
                                  const CopyOptions& options, const std::stop_token& stop) {
  Result<CopyResult> copied = fail(ErrorKind::internal, "nothing copied");
  bool has_created = false;
  {
    Copy copy(options, stop);
    copied = copy.run(from, to);
    has_created = copy.has_created();
  }
  std::error_code code;
  if (!copied && has_created) {
    for (const char* suffix : {"", "-wal", "-shm", "-journal"})
      std::filesystem::remove(to + suffix, code);
  }
  if (copied) copied->bytes = static_cast<std::int64_t>(std::filesystem::file_size(to, code));
  return copied;
}

}  // namespace kinf
