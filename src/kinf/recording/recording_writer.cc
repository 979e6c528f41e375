// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/recording_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "kinf/base/ascii.h"
#include "kinf/base/assign.h"
#include "kinf/base/display_width.h"
#include "kinf/base/duration.h"
#include "kinf/recording/history_dropper.h"
#include "kinf/recording/version_table.h"

namespace kinf {
namespace {

/// At least every kWholeEvery-th version of an object is stored as a whole.
constexpr int kWholeEvery = 64;
/// Of the versions between two whole ones, every kChainLength-th is stored as a difference from
/// the last whole version, and each other one as a difference from the previous version. A larger
/// number makes the file smaller but slows reading down, because rebuilding a version applies all
/// differences since the last one from a whole version.
constexpr int kChainLength = 4;
/// A chain becomes longer, up to this length, while the previous version is much closer than the
/// whole one. For example, a pod that has just started differs from its first version in its whole
/// status.
constexpr int kChainEnd = 8;
/// The most cells of the reason of a gap, which may contain a message of the server.
constexpr std::size_t kReasonWidth = 300;

std::int64_t nanoseconds(Clock::Wall time) { return time.time_since_epoch().count(); }

std::string full_key(std::string_view ns, std::string_view name) {
  return ns.empty() ? std::string(name) : fmt::format("{}/{}", ns, name);
}

/// Returns whether the namespace and name in `key` belong to the scope.
bool covers(const RecordedScope& facts, std::string_view key) {
  const std::size_t slash = key.find('/');
  const std::string_view ns = slash == std::string_view::npos ? "" : key.substr(0, slash);
  const std::string_view name = slash == std::string_view::npos ? key : key.substr(slash + 1);
  return (facts.ns.empty() || facts.ns == ns) && (facts.name.empty() || facts.name == name);
}

/// Returns whether a resourceVersion is older than another one, or is not a number.
bool is_older(std::string_view version, std::string_view other) {
  const auto number = parse_number<std::uint64_t>(version);
  const auto other_number = parse_number<std::uint64_t>(other);
  return !number || (other_number && *number < *other_number);
}

}  // namespace

RecordingWriter::RecordingWriter(RecordingFile file, WriterOptions options)
    : file_(std::move(file)), options_(std::move(options)) {}

RecordingWriter::~RecordingWriter() = default;

Result<std::unique_ptr<RecordingWriter>> RecordingWriter::open(const std::string& path,
                                                               WriterOptions options,
                                                               Clock::Wall now) {
  Result<RecordingFile> file = RecordingFile::open_for_writing(path);
  if (!file) return fail(file);
  if (Result<void> migrated = file->migrate(); !migrated) return fail(migrated);
  std::unique_ptr<RecordingWriter> writer(
      new RecordingWriter(*std::move(file), std::move(options)));
  Result<std::unique_ptr<VersionTable>> versions = VersionTable::open(*writer->file_.database);
  if (!versions) return fail(versions);
  writer->versions_ = *std::move(versions);
  const WriterOptions& set = writer->options_;
  Result<void> ready = assign(
      writer->dropper_, HistoryDropper::open(*writer->file_.database, {set.keep, set.max_bytes},
                                             writer->versions_->last_seq()));
  if (!ready) return fail(ready);
  if (Result<void> begun = writer->begin_session(now); !begun) return fail(begun);
  return writer;
}

Result<void> RecordingWriter::begin_session(Clock::Wall now) {
  Database& database = *file_.database;
  const auto masked = database.meta("secrets_masked");
  if (!masked) return fail(masked);
  const std::int64_t wanted = options_.mask_secret ? 1 : 0;
  if (*masked && **masked != wanted) {
    return fail(wrong_masking(database.path(), **masked != 0, "record to another file"));
  }
  const auto state = database.meta("state");
  if (!state) return fail(state);
  if (*state) {
    return fail(ErrorKind::internal, database.path() + " is a state of --state, no recording")
        .with_hint("record to another file");
  }
  const Result<std::string> other = other_cluster(database, options_.server);
  if (!other) return fail(other);
  if (!other->empty()) {
    return fail(ErrorKind::usage, "{} holds another cluster: {}, not {}", database.path(), *other,
                cluster_text(options_.server))
        .with_hint("record to another file");
  }
  if (Result<void> begun = file_.begin(); !begun) return begun;
  Result<void> done =
      database.execute("INSERT OR IGNORE INTO meta VALUES('secrets_masked', ?)", wanted);
  if (done) {
    done = database.run(
        "INSERT OR IGNORE INTO meta SELECT 'ordered', 1 WHERE NOT EXISTS(SELECT 1 FROM version)");
  }
  if (!done) return done;
  const auto ordered = database.meta("ordered");
  if (!ordered) return fail(ordered);
  is_ordered_ = ordered->value_or(0) != 0;
  done = insert_session(database, now, options_.server, options_.ns);
  session_ = database.last_row_id();
  return done;
}

Result<void> RecordingWriter::load_known(std::int64_t type) {
  if (known_.contains(type)) return {};
  KnownObjects& known = known_[type];
  Result<void> done = file_.database->for_each_row(
      "SELECT o.id, o.namespace, o.name, o.uid, v.resource_version, v.facts FROM object o "
      "JOIN version v ON v.seq = (SELECT max(seq) FROM version WHERE object = o.id) "
      "WHERE o.type = ?",
      [&](const Statement& row) {
        if (VersionFacts::unpack(row.integer(5)).type == ChangeType::deleted) return;
        known[full_key(row.text(1), row.text(2))] = {.id = row.integer(0),
                                                     .uid = std::string(row.text(3)),
                                                     .version = std::string(row.text(4))};
      },
      type);
  totals_.objects += known.size();
  return done;
}

/// Finds the time until which an earlier session watched the scope. Fails with kind `usage` if an
/// earlier session had an overlapping scope that is not equal, because then one list cannot show
/// which objects are gone.
Result<void> RecordingWriter::find_earlier(Scope& scope) {
  Result<Statement> earlier = file_.database->prepare(
      "SELECT c.watched, c.namespace, c.name, c.label_selector, c.field_selector FROM scope c "
      "WHERE c.type = ?1 AND (c.session < ?2 OR ?5) AND "
      "c.synced_seq IS NOT NULL AND (c.namespace = ?3 OR c.namespace = '' OR ?3 = '') AND "
      "(c.name = ?4 OR c.name = '' OR ?4 = '') "
      "ORDER BY c.namespace = ?3 AND c.name = ?4 DESC, c.id DESC LIMIT 1");
  if (!earlier) return fail(earlier);
  const RecordedScope& facts = scope.facts;
  earlier->bind_all(scope.type, session_, facts.ns, facts.name, facts.is_late);
  const Result<bool> row = earlier->step();
  if (!row) return fail(row);
  if (!*row) return facts.is_late ? Result<void>() : find_start_of_type(scope);
  const RecordedScope recorded{.type = facts.type,
                               .ns = std::string(earlier->text(1)),
                               .name = std::string(earlier->text(2)),
                               .label_selector = std::string(earlier->text(3)),
                               .field_selector = std::string(earlier->text(4))};
  const std::string selected = recorded.flags_text();
  if (selected == facts.flags_text()) {
    scope.watched_until = earlier->integer(0);
    scope.gap_reason = "kinf was stopped";
    if (facts.is_late) {
      scope.gap_reason =
          facts.ns.empty() ? "the server did not have the type" : facts.ns + " was left";
    }
    return {};
  }
  return fail(ErrorKind::usage, "{} holds {} of another selection", file_.database->path(),
              facts.type.type.gvr.group_resource())
      .with_hint(fmt::format("use that selection ({}), or record to another file", selected));
}

/// If earlier sessions watched other objects of the type, sets the gap in which the objects of
/// `scope` were not watched.
Result<void> RecordingWriter::find_start_of_type(Scope& scope) {
  const auto start = file_.database->integer(
      "SELECT min(listed) FROM scope WHERE type = ? AND session < ? AND synced_seq IS NOT NULL",
      scope.type, session_);
  if (!start) return fail(start);
  if (!*start) return {};
  scope.watched_until = **start;
  const std::string& ns = scope.facts.ns;
  const std::string& name = scope.facts.name;
  scope.gap_reason = fmt::format("{} was not selected", name.empty() ? ns : full_key(ns, name));
  return {};
}

Result<EarlierState> RecordingWriter::resume(std::size_t number, const DecodeOptions& decode) {
  EarlierState earlier;
  Scope& scope = scopes_[number];
  const RecordedScope& facts = scope.facts;
  if (scope.watched_until == 0 || facts.is_late) return earlier;
  // The last session may have ended before its first list was complete. It has a version only if it
  // continued the watch of the session before.
  Result<void> done = file_.database->for_each_row(
      "SELECT resume_version FROM scope WHERE type = ? AND namespace = ? AND name = ? AND "
      "label_selector = ? AND field_selector = ? AND session < ? ORDER BY id DESC LIMIT 1",
      [&](const Statement& row) { earlier.resume_version = row.text(0); }, scope.type, facts.ns,
      facts.name, facts.label_selector, facts.field_selector, session_);
  if (!done || earlier.resume_version.empty())
    return done ? Result<EarlierState>(earlier) : fail(done);
  done = assign(earlier.objects, earlier_.load(file_.database->path(), scope.type, facts, decode));
  if (!done) return fail(done);
  earlier.is_complete = true;
  scope.is_resumed = true;
  scope.is_saved = false;
  scope.watched = scope.watched_until;
  scope.resume_version = earlier.resume_version;
  return earlier;
}

Result<std::size_t> RecordingWriter::add_scope(const RecordedScope& facts) {
  if (Result<void> begun = file_.begin(); !begun) return fail(begun);
  const Result<std::int64_t> type = versions_->type_id(facts.type);
  if (!type) return fail(type);
  Scope scope{.facts = facts, .type = *type};
  Result<void> ready = load_known(*type);
  // find_earlier() may read the `watched` of a namespace that this session has stopped watching.
  if (ready) ready = save_watched();
  if (ready) ready = find_earlier(scope);
  if (ready) {
    ready = file_.database->execute(
        "INSERT INTO scope(session, type, namespace, name, label_selector, field_selector, late) "
        "VALUES(?, ?, ?, ?, ?, ?, ?)",
        session_, *type, facts.ns, facts.name, facts.label_selector, facts.field_selector,
        facts.is_late);
  }
  if (!ready) return fail(ready);
  scope.id = file_.database->last_row_id();
  scopes_.push_back(std::move(scope));
  return scopes_.size() - 1;
}

Result<std::size_t> RecordingWriter::end_types(
    const std::function<bool(const GroupVersionResource&)>& exists, Clock::Wall now) {
  std::vector<std::pair<std::int64_t, RecordedScope>> earlier;
  Result<void> done = file_.database->for_each_row(
      "SELECT DISTINCT t.id, t.api_group, t.version, t.resource, t.kind, t.singular, "
      "t.namespaced, t.short_names, t.categories, s.namespace, s.name, s.label_selector, "
      "s.field_selector FROM scope s JOIN type t ON t.id = s.type WHERE s.session < ? AND "
      "s.synced_seq IS NOT NULL",
      [&](const Statement& row) {
        earlier.emplace_back(row.integer(0),
                             RecordedScope{.type = recorded_type(row, 1),
                                           .ns = std::string(row.text(9)),
                                           .name = std::string(row.text(10)),
                                           .label_selector = std::string(row.text(11)),
                                           .field_selector = std::string(row.text(12))});
      },
      session_);
  std::map<GroupVersionResource, bool> answers;
  std::size_t ended = 0;
  for (const auto& [type, facts] : earlier) {
    if (!done) return fail(done);
    const GroupVersionResource& resource = facts.type.type.gvr;
    done = load_known(type);
    const bool has_objects = std::ranges::any_of(
        known_[type], [&](const auto& object) { return covers(facts, object.first); });
    if (!done || !has_objects) continue;
    if (!answers.contains(resource)) answers[resource] = exists(resource);
    if (answers[resource]) continue;
    const Result<std::size_t> scope = add_scope(facts);
    if (!scope) return scope;
    ++ended;
    done = synced(*scope, {}, now);
  }
  return done ? Result<std::size_t>(ended) : fail(done);
}

Result<void> RecordingWriter::write(std::size_t number, const Change& change) {
  if (change.type == ChangeType::resync || !change.object) return {};
  if (Result<void> begun = file_.begin(); !begun) return begun;
  Scope& scope = scopes_[number];
  const std::int64_t time = nanoseconds(change.origin.arrived);
  Result<void> done;
  if (change.initial) {
    scope.listed = time;
    done = write_initial(scope, change);
  } else {
    done = write_change(scope, change, change.origin.source);
    const bool is_event = change.origin.source == ChangeSource::watch && scope.facts.is_ordered;
    if (is_event && !scope.resume_version.empty() && !change.final_state_unknown) {
      set_resume_version(scope, change.object->resource_version());
    }
  }
  set_watched(scope, time);
  return done;
}

Result<void> RecordingWriter::relisted(std::size_t number, const RecordedRelist& list) {
  if (Result<void> begun = file_.begin(); !begun) return begun;
  Scope& scope = scopes_[number];
  scope.listed = nanoseconds(list.arrived);
  const bool is_known = list.watched_until != Clock::Wall() && !scope.is_resumed;
  const std::int64_t watched = is_known ? nanoseconds(list.watched_until) : scope.watched;
  set_watched(scope, scope.listed);
  scope.resume_version.clear();  // until the changes of the list are written
  scope.is_saved = false;
  return write_gap(scope, std::min(watched, scope.listed), scope.listed,
                   list.reason.empty() ? "listed again" : shortened(list.reason, kReasonWidth));
}

Result<void> RecordingWriter::write_known(std::size_t number, const Change& change) {
  if (Result<void> begun = file_.begin(); !begun) return begun;
  Scope& scope = scopes_[number];
  scope.listed = nanoseconds(change.origin.arrived);
  KnownObjects& known = known_[scope.type];
  const auto found = known.find(change.key);
  if (found != known.end()) {
    found->second.unconfirmed = false;
    return {};
  }
  return write_change(scope, change, ChangeSource::list);
}

Result<void> RecordingWriter::write_initial(Scope& scope, const Change& change) {
  KnownObjects& known = known_[scope.type];
  const auto found = known.find(change.key);
  const bool is_first = scope.watched_until == 0 && !scope.facts.is_late;
  const ChangeSource source = is_first ? ChangeSource::list : ChangeSource::relist;
  if (found == known.end()) return write_change(scope, change, source);
  Known& object = found->second;
  object.unconfirmed = false;
  if (object.uid != change.object->uid()) {
    Change deleted = change;
    deleted.type = ChangeType::deleted;
    deleted.final_state_unknown = true;
    Result<void> done = write_change(scope, deleted, ChangeSource::relist);
    Change added = change;
    added.recreated = true;
    return done ? write_change(scope, added, ChangeSource::relist) : done;
  }
  if (object.version == change.object->resource_version()) return {};
  Change updated = change;
  updated.type = ChangeType::updated;
  return write_change(scope, updated, ChangeSource::relist);
}

Result<void> RecordingWriter::write_gone(const Scope& scope, const std::string& key) {
  KnownObjects& known = known_[scope.type];
  const auto gone = known.find(key);
  const VersionRow row{.object = gone->second.id,
                       .time = scope.listed,
                       .facts = {.type = ChangeType::deleted,
                                 .source = ChangeSource::relist,
                                 .final_state_unknown = true},
                       .resource_version = gone->second.version};
  if (Result<void> added = versions_->add(row); !added) return added;
  known.erase(gone);
  ++totals_.versions;
  --totals_.objects;
  return {};
}

Result<void> RecordingWriter::write_change(Scope& scope, const Change& change,
                                           ChangeSource source) {
  KnownObjects& known = known_[scope.type];
  const Object& object = *change.object;
  auto found = known.find(change.key);
  if (found == known.end()) {
    if (change.type == ChangeType::deleted) return {};
    const Result<std::int64_t> id =
        versions_->object_id(scope.type, object.ns(), object.name(), object.uid());
    if (!id) return fail(id);
    found =
        known.emplace(change.key, Known{.id = *id, .uid = std::string(object.uid()), .version = {}})
            .first;
    ++totals_.objects;
  }
  Known& now = found->second;
  now.unconfirmed = false;
  if (Result<void> noted = note_order(scope, change, source, now.version); !noted) return noted;
  VersionRow row;
  row.type = scope.type;
  row.object = now.id;
  row.time = nanoseconds(change.origin.arrived);
  row.facts = {.type = change.type,
               .source = source,
               .final_state_unknown = change.final_state_unknown,
               .recreated = change.recreated};
  row.resource_version = change.final_state_unknown ? now.version : object.resource_version();
  row.manager = change.manager();
  row.columns = object.columns();
  if (!change.final_state_unknown) {  // otherwise, the previous version has the last known state
    Result<void> made = text_of(object, scope.facts, options_.mask_secret, text_);
    if (made) made = find_base(scope, now, row);
    if (!made) return made;
    row.text = text_;
  }
  if (Result<void> added = versions_->add(row); !added) return added;
  ++totals_.versions;
  if (change.type == ChangeType::deleted) {
    --totals_.objects;
    known.erase(found);
    return {};
  }
  now.version = object.resource_version();
  now.last = change.object;
  const bool from_whole = row.base == 0 || row.base == now.whole_seq;
  now.last_seq = versions_->last_seq();
  ++now.patches;
  now.links = from_whole ? 0 : now.links + 1;
  if (row.base == 0) {
    now.whole_seq = now.last_seq;
    now.patches = 0;
  }
  return {};
}

Result<void> RecordingWriter::note_order(Scope& scope, const Change& change, ChangeSource source,
                                         std::string_view before) {
  if (!is_ordered_ || change.final_state_unknown) return {};
  const std::string_view version = change.object->resource_version();
  is_ordered_ = !is_older(version, before);
  if (source == ChangeSource::watch) {
    is_ordered_ = is_ordered_ && !is_older(version, scope.watched_version);
    scope.watched_version = version;
  }
  if (is_ordered_) return {};
  return file_.database->run("UPDATE meta SET value = 0 WHERE key = 'ordered'");
}

Result<void> RecordingWriter::find_base(const Scope& scope, const Known& known, VersionRow& row) {
  const int number = known.patches + 1;
  if (!known.last || number >= kWholeEvery) return {};
  if (Result<void> made = text_of(*known.last, scope.facts, options_.mask_secret, before_); !made) {
    return made;
  }
  row.base = known.last_seq;
  row.before = before_;
  if (number % kChainLength != 0) return {};
  const Result<bool> found = versions_->rebuild(known.whole_seq, whole_);
  if (!found) return fail(found);
  const bool may_extend = *found && known.links + 1 < kChainEnd;
  if (may_extend && versions_->is_much_closer(before_, whole_, text_)) return {};
  row.base = *found ? known.whole_seq : 0;
  row.before = *found ? std::string_view(whole_) : std::string_view();
  return {};
}

Result<void> RecordingWriter::write_gap(const Scope& scope, std::int64_t begin, std::int64_t end,
                                        std::string_view reason) {
  ++totals_.gaps;
  return file_.database->execute("INSERT INTO gap VALUES(?, ?, ?, ?)", scope.id, begin, end,
                                 reason);
}

Result<void> RecordingWriter::synced(std::size_t number, const SyncedEvent& event,
                                     Clock::Wall now) {
  if (Result<void> begun = file_.begin(); !begun) return begun;
  Scope& scope = scopes_[number];
  if (scope.listed == 0) scope.listed = nanoseconds(now);
  if (!scope.is_resumed) {
    set_watched(scope, scope.listed);
    set_resume_version(scope, event.resource_version);
  }
  std::vector<std::string> gone;
  for (const auto& [key, object] : known_[scope.type]) {
    if (object.unconfirmed && covers(scope.facts, key)) gone.push_back(key);
  }
  std::ranges::sort(gone);
  for (const std::string& key : gone) {
    if (Result<void> written = write_gone(scope, key); !written) return written;
  }
  if (scope.watched_until > 0 && !scope.is_resumed) {
    Result<void> noted = write_gap(scope, std::min(scope.watched_until, scope.listed), scope.listed,
                                   scope.gap_reason);
    if (!noted) return noted;
  }
  return file_.database->execute(
      "UPDATE scope SET listed = ?, synced_seq = ?, version = ? WHERE id = ?", scope.listed,
      versions_->last_seq(), event.resource_version, scope.id);
}

Result<void> RecordingWriter::clock_jumped(const ClockJump& jump) {
  if (Result<void> begun = file_.begin(); !begun) return begun;
  ++totals_.gaps;
  const bool is_back = jump.by < Clock::Duration();
  for (Scope& scope : scopes_) {  // a later gap begins after the jump
    if (!is_back || scope.watched <= nanoseconds(jump.after)) continue;
    scope.watched = nanoseconds(jump.after);
    scope.is_saved = false;
  }
  const std::string reason = fmt::format("the clock went {} by {}", is_back ? "back" : "forward",
                                         duration_text(std::chrono::abs(jump.by)));
  return file_.database->execute("INSERT INTO gap VALUES(NULL, ?, ?, ?)",
                                 nanoseconds(std::min(jump.before, jump.after)),
                                 nanoseconds(std::max(jump.before, jump.after)), reason);
}

Result<void> RecordingWriter::gathered() {
  if (Result<void> begun = file_.begin(); !begun) return begun;
  return file_.database->execute("UPDATE session SET gathered = ? WHERE id = ?",
                                 versions_->last_seq(), session_);
}

void RecordingWriter::heard(std::size_t number, Clock::Wall time, std::string_view version) {
  Scope& scope = scopes_[number];
  // What was read from the file says nothing about the server.
  if (scope.is_resumed && (version.empty() || version == scope.resume_version)) return;
  set_watched(scope, nanoseconds(time));
  if (!version.empty()) set_resume_version(scope, version);
}

void RecordingWriter::set_watched(Scope& scope, std::int64_t time) {
  scope.is_resumed = false;
  scope.is_saved = scope.is_saved && time <= scope.watched;
  scope.watched = std::max(scope.watched, time);
}

/// Only numbers can be compared. An older version is one that was written before.
void RecordingWriter::set_resume_version(Scope& scope, std::string_view version) {
  if (!scope.resume_version.empty() && is_older(version, scope.resume_version)) return;
  const bool is_usable = version != "0" && parse_number<std::uint64_t>(version).has_value();
  scope.resume_version = is_usable ? version : std::string_view();
  scope.is_saved = false;
}

Result<void> RecordingWriter::save_watched() {
  Result<Statement> update =
      file_.database->prepare("UPDATE scope SET watched = ?, resume_version = ? WHERE id = ?");
  if (!update) return fail(update);
  for (Scope& scope : scopes_) {
    if (std::exchange(scope.is_saved, true)) continue;
    const Result<void> done = update->bind_all(scope.watched, scope.resume_version, scope.id).run();
    if (!done) return done;
  }
  return {};
}

Result<void> RecordingWriter::commit(Clock::Wall now) {
  earlier_.close();
  if (Result<void> begun = file_.begin(); !begun) return begun;
  if (Result<void> dropped = dropper_->drop(now, versions_->last_seq()); !dropped) return dropped;
  if (Result<void> saved = save_watched(); !saved) return saved;
  Result<void> ended = file_.database->execute(
      "UPDATE session SET ended = max(ended, ?) WHERE id = ?", nanoseconds(now), session_);
  if (!ended) return ended;
  if (Result<void> committed = file_.commit(); !committed) return committed;
  const std::int64_t last = versions_->last_seq();
  if (std::exchange(committed_seq_, last) == last && moved_seq_ != last) {
    file_.database->empty_log();
    moved_seq_ = last;
  }
  return update_size();
}

Result<void> RecordingWriter::update_size() {
  const auto pages = file_.database->integer("PRAGMA page_count");
  if (!pages) return fail(pages);
  const auto page = file_.database->integer("PRAGMA page_size");
  if (!page) return fail(page);
  totals_.bytes = pages->value_or(0) * page->value_or(0);
  return {};
}

}  // namespace kinf
