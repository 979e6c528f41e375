// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/state/state_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <utility>

#include "kinf/base/assign.h"
#include "kinf/base/display_width.h"
#include "kinf/recording/version_table.h"

namespace kinf {
namespace {

/// Returns the type and the flags of a scope, such as `pods -n shop -l app=web`.
std::string selection_text(const RecordedScope& scope) {
  return scope.type.type.gvr.group_resource() + " " + scope.flags_text();
}

/// The most cells of a selection in an error.
constexpr std::size_t kHeldWidth = 400;

/// Rewords an error about a recording so that it speaks of a state file.
Error about_state(Error error, const std::string& path) {
  if (error.kind == ErrorKind::conflict) {
    error.message = path + ": another kinf uses this state";
    error.hint = "use another file";
  } else if (error.hint.starts_with("kinf does not change")) {
    error.hint = "kinf did not change the file; use another one";
  }
  return error;
}

}  // namespace

StateFile::StateFile(RecordingFile file, StateOptions options)
    : file_(std::move(file)), options_(std::move(options)) {}

StateFile::~StateFile() = default;

Result<std::unique_ptr<StateFile>> StateFile::open(const std::string& path, StateOptions options,
                                                   Clock::Wall now) {
  Result<RecordingFile> file = RecordingFile::open_for_writing(path);
  if (!file) return fail(about_state(std::move(file).error(), path));
  std::unique_ptr<StateFile> state(new StateFile(*std::move(file), std::move(options)));
  if (Result<void> ready = state->prepare(now); !ready) return fail(ready);
  return state;
}

Result<void> StateFile::prepare(Clock::Wall now) {
  Database& database = *file_.database;
  if (Result<void> migrated = file_.migrate(); !migrated) return migrated;
  if (auto set = assign(versions_, VersionTable::open(database)); !set) return fail(set);
  const auto sessions = database.integer("SELECT count(*) FROM session");
  if (!sessions) return fail(sessions);
  Result<void> done = *sessions == 0 ? create(now) : check();
  return done ? find_scopes() : done;
}

Result<void> StateFile::create(Clock::Wall now) {
  Database& database = *file_.database;
  if (Result<void> begun = file_.begin(); !begun) return begun;
  Result<void> done = database.execute(
      "INSERT OR REPLACE INTO meta VALUES('state', 1), ('selection', ?), ('secrets_masked', ?)",
      options_.selection, options_.mask_secret != nullptr);
  if (done) done = insert_session(database, now, options_.server, options_.ns);
  if (!done) return done;
  Result<Statement> insert = database.prepare(
      "INSERT INTO scope(session, type, namespace, name, label_selector, field_selector) "
      "VALUES(1, ?, ?, ?, ?, ?)");
  if (!insert) return fail(insert);
  for (const RecordedScope& scope : options_.scopes) {
    const Result<std::int64_t> type = versions_->type_id(scope.type);
    if (!type) return fail(type);
    insert->bind_all(*type, scope.ns, scope.name, scope.label_selector, scope.field_selector);
    if (done = insert->run(); !done) return done;
  }
  return commit(now);
}

Error StateFile::of_another(std::string_view what, std::string_view held) const {
  return Error(ErrorKind::usage,
               fmt::format("{} is the state of another {}", file_.database->path(), what))
      .with_hint(fmt::format("it is of {}; kinf did not change it; use another file",
                             shortened(held, kHeldWidth)));
}

/// Fails unless the text that the query `sql` finds is equal to `expected`. `what` names the text
/// in the error message.
Result<void> StateFile::check_text(std::string_view sql, std::string_view expected,
                                   std::string_view what) {
  std::string held;
  Result<void> done =
      file_.database->for_each_row(sql, [&](const Statement& row) { held = row.text(0); });
  if (!done || held == expected) return done;
  return fail(of_another(what, held.empty() ? "all namespaces" : held));
}

Result<void> StateFile::check() {
  Database& database = *file_.database;
  const auto state = database.meta("state");
  if (!state) return fail(state);
  if (!*state) {
    return fail(ErrorKind::internal,
                database.path() + " is a recording, not the state of an earlier --state")
        .with_hint("kinf did not change the file; use another one");
  }
  const auto masked = database.meta("secrets_masked");
  if (!masked) return fail(masked);
  const Result<std::string> other = other_cluster(database, options_.server);
  if (!other) return fail(other);
  if (!other->empty()) {
    return fail(
        of_another("cluster", fmt::format("{}, not of {}", *other, cluster_text(options_.server))));
  }
  Result<void> done = check_text("SELECT value FROM meta WHERE key = 'selection'",
                                 options_.selection, "selection of namespaces");
  if (done && (*masked == 1) != static_cast<bool>(options_.mask_secret)) {
    done = std::unexpected(wrong_masking(database.path(), *masked == 1, "use another file"));
  }
  return done;
}

Result<void> StateFile::find_scopes() {
  std::map<std::string, Place> held;
  Result<void> done = file_.database->for_each_row(
      "SELECT s.id, s.type, s.synced_seq IS NOT NULL, t.api_group, t.version, t.resource, "
      "t.namespaced, s.namespace, s.name, s.label_selector, s.field_selector, "
      "coalesce(s.resume_version, '') FROM scope s "
      "JOIN type t ON t.id = s.type",
      [&](const Statement& row) {
        if (held.size() > options_.scopes.size()) return;  // refused below; a damaged file has many
        RecordedScope scope;
        scope.type.type.gvr = {std::string(row.text(3)), std::string(row.text(4)),
                               std::string(row.text(5))};
        scope.type.type.namespaced = row.integer(6) != 0;
        scope.ns = row.text(7);
        scope.name = row.text(8);
        scope.label_selector = row.text(9);
        scope.field_selector = row.text(10);
        held[selection_text(scope)] = {row.integer(0), row.integer(1), row.integer(2) != 0,
                                       std::string(row.text(11))};
      });
  if (!done) return done;
  std::set<std::string> wanted;
  for (const RecordedScope& scope : options_.scopes) {
    const auto found = held.find(*wanted.insert(selection_text(scope)).first);
    if (found != held.end()) places_.push_back(found->second);
  }
  if (places_.size() == options_.scopes.size() && wanted.size() == held.size()) return {};
  std::vector<std::string> texts;
  for (const auto& [text, place] : held) texts.push_back(text);
  return fail(of_another("selection", fmt::format("{}", fmt::join(texts, ", "))));
}

Result<EarlierState> StateFile::load(std::size_t number, const DecodeOptions& decode) {
  EarlierState earlier;
  earlier.is_complete = places_[number].is_complete;
  earlier.resume_version = places_[number].version;
  if (versions_->last_seq() == 0) return earlier;
  Result<void> done = assign(
      earlier.objects,
      earlier_.load(file_.database->path(), places_[number].type, options_.scopes[number], decode));
  if (!done) return fail(done);
  return earlier;
}

Result<void> StateFile::save(std::size_t number, const Change& change) {
  if (Result<void> begun = file_.begin(); !begun) return begun;
  const Object& object = *change.object;
  const std::int64_t type = places_[number].type;
  // Objects that kinf filters out itself, because the server could not, are saved as deleted.
  if (change.type == ChangeType::deleted || !object.selected()) {
    return versions_->drop_versions(type, object.ns(), object.name(), 0);
  }
  const Result<std::int64_t> id =
      versions_->object_id(type, object.ns(), object.name(), object.uid());
  if (!id) return fail(id);
  Result<void> made = text_of(object, options_.scopes[number], options_.mask_secret, text_);
  if (!made) return made;
  VersionRow row;
  row.object = *id;
  row.time = change.origin.arrived.time_since_epoch().count();
  row.facts = {.type = ChangeType::added, .source = ChangeSource::list};
  row.resource_version = object.resource_version();
  row.manager = object.manager();
  row.columns = object.columns();
  row.text = text_;
  if (Result<void> added = versions_->add(row); !added) return added;
  return versions_->drop_versions(type, object.ns(), object.name(), versions_->last_seq());
}

Result<void> StateFile::commit(Clock::Wall now) {
  earlier_.close();
  if (Result<void> begun = file_.begin(); !begun) return begun;
  const std::int64_t time = now.time_since_epoch().count();
  Result<void> ended = file_.database->execute(
      "UPDATE session SET ended = max(ended, ?), server = ?, "
      "cluster = coalesce(nullif(?, ''), cluster)",
      time, options_.server.address, options_.server.cluster);
  if (!ended) return ended;
  Result<Statement> complete = file_.database->prepare(
      "UPDATE scope SET listed = ?, synced_seq = ?, resume_version = ? WHERE id = ?");
  if (!complete) return fail(complete);
  for (const Place& place : places_) {
    if (!place.is_complete) continue;
    complete->bind_all(time, versions_->last_seq(), place.version, place.id);
    if (Result<void> done = complete->run(); !done) return done;
  }
  return file_.commit();
}

}  // namespace kinf
