// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/recording_schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "kinf/base/quote.h"
#include "kinf/recording/recording_file.h"

namespace kinf {
namespace {

// Times are nanoseconds since 1970. Names of tables are singular; the views have the plurals. The
// text of a version is stored as a TextDelta from that of the version `seq - distance` of the same
// object (NULL: whole), compressed by zstd with a `sample` of its type (NULL: without one).
// Versions use a sample from `since` on. If `data` is NULL, the text is that of the version before.
// Everything that happened until the time `watched` of a scope is in the file. `gathered` is the
// last `seq` before the output of a session ceased to wait for the first lists.
constexpr std::string_view kTables = R"(
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE type(id INTEGER PRIMARY KEY, api_group TEXT, version TEXT, resource TEXT, kind TEXT,
  singular TEXT, namespaced INTEGER, short_names TEXT, categories TEXT,
  UNIQUE(api_group, version, resource));
CREATE TABLE session(id INTEGER PRIMARY KEY, started INTEGER, ended INTEGER, server TEXT,
  namespace TEXT, gathered INTEGER);
CREATE TABLE scope(id INTEGER PRIMARY KEY, session INTEGER, type INTEGER, namespace TEXT, name TEXT,
  label_selector TEXT, field_selector TEXT, listed INTEGER, synced_seq INTEGER, version TEXT,
  watched INTEGER, late INTEGER);
CREATE TABLE object(id INTEGER PRIMARY KEY, type INTEGER, namespace TEXT, name TEXT, uid TEXT,
  UNIQUE(type, namespace, name, uid));
CREATE TABLE column_set(id INTEGER PRIMARY KEY, definitions TEXT UNIQUE);
CREATE TABLE manager(id INTEGER PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE sample(id INTEGER PRIMARY KEY, type INTEGER, since INTEGER, data BLOB);
CREATE TABLE version(seq INTEGER PRIMARY KEY, object INTEGER, time INTEGER, facts INTEGER,
  resource_version, manager INTEGER, column_set INTEGER, distance INTEGER, sample INTEGER, data BLOB);
CREATE INDEX version_by_object ON version(object);  -- and seq, as every index
CREATE TABLE gap(scope INTEGER, begin INTEGER, end INTEGER, reason TEXT);
)";

constexpr std::string_view kViews = R"(
CREATE VIEW events AS SELECT v.seq,
  strftime('%Y-%m-%dT%H:%M:%S', v.time / 1000000000, 'unixepoch') ||
    printf('.%03dZ', v.time / 1000000 % 1000) AS time,
  CASE v.facts & 3 WHEN 0 THEN 'ADDED' WHEN 1 THEN 'MODIFIED' ELSE 'DELETED' END AS type,
  CASE v.facts >> 2 & 3 WHEN 0 THEN 'list' WHEN 1 THEN 'watch' ELSE 'relist' END AS source,
  t.resource, o.namespace, o.name, o.uid, v.resource_version, m.name AS manager,
  v.facts >> 4 & 1 AS final_state_unknown, length(v.data) AS bytes
  FROM version v JOIN object o ON o.id = v.object JOIN type t ON t.id = o.type
  LEFT JOIN manager m ON m.id = v.manager ORDER BY v.seq;
CREATE VIEW objects AS SELECT t.resource, o.namespace, o.name, o.uid,
  (SELECT count(*) FROM version v WHERE v.object = o.id) AS versions,
  (SELECT facts & 3 FROM version v WHERE v.object = o.id ORDER BY seq DESC LIMIT 1) = 2 AS deleted
  FROM object o JOIN type t ON t.id = o.type;
CREATE VIEW gaps AS SELECT t.resource, s.namespace,
  strftime('%Y-%m-%dT%H:%M:%SZ', g.begin / 1000000000, 'unixepoch') AS begin,
  strftime('%Y-%m-%dT%H:%M:%SZ', g.end / 1000000000, 'unixepoch') AS end, g.reason
  FROM gap g JOIN scope s ON s.id = g.scope JOIN type t ON t.id = s.type;
)";

constexpr std::size_t kSizeBytes = 4;

}  // namespace

std::string recording_schema() {
  return fmt::format(
      // One transaction, so that a crash leaves no file without the application id.
      "BEGIN; PRAGMA auto_vacuum=INCREMENTAL; PRAGMA application_id={}; PRAGMA user_version={}; "
      "{} {} COMMIT;",
      kRecordingApplicationId, kRecordingFormat, kTables, kViews);
}

std::int64_t VersionFacts::pack() const {
  constexpr std::int64_t kUpdated = 1;
  constexpr std::int64_t kDeleted = 2;
  std::int64_t packed = type == ChangeType::added     ? 0
                        : type == ChangeType::deleted ? kDeleted
                                                      : kUpdated;
  packed |= (source == ChangeSource::list ? 0 : source == ChangeSource::watch ? 1 : 2) << 2;
  packed |= (final_state_unknown ? 1 : 0) << 4;
  packed |= (recreated ? 1 : 0) << 5;
  return packed;
}

VersionFacts VersionFacts::unpack(std::int64_t packed) {
  constexpr std::array kTypes = {ChangeType::added, ChangeType::updated, ChangeType::deleted,
                                 ChangeType::deleted};
  constexpr std::array kSources = {ChangeSource::list, ChangeSource::watch, ChangeSource::relist,
                                   ChangeSource::relist};
  return {.type = kTypes[static_cast<std::size_t>(packed & 3)],
          .source = kSources[static_cast<std::size_t>(packed >> 2 & 3)],
          .final_state_unknown = (packed >> 4 & 1) != 0,
          .recreated = (packed >> 5 & 1) != 0};
}

void VersionText::append_to(std::string& text) const {
  for (std::size_t i = 0; i < kSizeBytes; ++i) {
    text += static_cast<char>(cells.size() >> (8 * i) & 0xff);
  }
  text += cells;
  text += json;
}

VersionText VersionText::split(std::string_view text) {
  if (text.size() < kSizeBytes) return {};
  std::size_t size = 0;
  for (std::size_t i = 0; i < kSizeBytes; ++i) {
    size |= std::size_t{static_cast<unsigned char>(text[i])} << (8 * i);
  }
  text.remove_prefix(kSizeBytes);
  if (size > text.size()) return {};
  return {text.substr(0, size), text.substr(size)};
}

bool RecordedScope::is_secret() const {
  return type.type.gvr.group.empty() && type.type.gvr.resource == "secrets";
}

std::string RecordedScope::flags_text() const {
  std::vector<std::string> flags;
  if (type.type.namespaced) flags.push_back(ns.empty() ? "-A" : "-n " + shell_word(ns));
  if (!name.empty()) flags.push_back(shell_word(name));
  if (!label_selector.empty()) flags.push_back("-l " + shell_word(label_selector));
  if (!field_selector.empty()) {
    flags.push_back("--field-selector " + shell_word(field_selector));
  }
  return flags.empty() ? "no selectors" : fmt::format("{}", fmt::join(flags, " "));
}

}  // namespace kinf
