// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/recording_schema.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "kinf/base/quote.h"
#include "kinf/recording/recording_file.h"

namespace kinf {
namespace {

// The bits of `facts`: two for the type, two for the source, then a bit for each flag.
constexpr int kSourceBits = 2;
constexpr int kUnknownBit = 4;
constexpr int kRecreatedBit = 5;
constexpr std::int64_t kTwoBits = 3;
constexpr std::array kTypes = {ChangeType::added, ChangeType::updated, ChangeType::deleted,
                               ChangeType::deleted};
constexpr std::array kSources = {ChangeSource::list, ChangeSource::watch, ChangeSource::relist,
                                 ChangeSource::relist};
static_assert(kSources[facts_sql::kWatch] == ChangeSource::watch);

/// Returns the index of `value`, or if `values` does not contain it, the index of the last value
/// before the padding. (The last element of `values` is padding, because two bits have four
/// values.)
template <class Value, std::size_t kSize>
std::int64_t number_of(const std::array<Value, kSize>& values, Value value) {
  const auto found = std::ranges::find(values, value);
  return std::min(found - values.begin(), static_cast<std::ptrdiff_t>(kSize) - 2);
}

// Times are nanoseconds since 1970. Names of tables are singular; names of views are plural. The
// text of a version is stored as a TextDelta from the same object's version `seq - distance`, or as
// a whole if `distance` is NULL. It is compressed by zstd with a `sample` of the object's type, or
// without a sample if `sample` is NULL. The data of a sample has zstd's checksum; that of an
// earlier kinf and the rows of format 1 have none. `since` is the first version that may use a
// sample. If `data` is NULL, the text is the same as in the previous version. The file has all
// changes in a scope up to the time `watched`. `gathered` is the last `seq` before a session began
// to print without waiting for all initial lists. A gap without a scope is one of all scopes.
//
// Format 2 adds the columns of kAddedColumns. `late` is by how much `time` is behind the time of an
// earlier version, because the clock was set back; NULL means that it is not. `checksum` is that of
// the other columns (see version_checksum.h), NULL in rows of format 1. `cluster` identifies the
// cluster of a session. The file has all changes in a scope up to the resourceVersion
// `resume_version`.
constexpr std::string_view kTables = R"(
CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE type(id INTEGER PRIMARY KEY, api_group TEXT, version TEXT, resource TEXT, kind TEXT,
  singular TEXT, namespaced INTEGER, short_names TEXT, categories TEXT,
  UNIQUE(api_group, version, resource));
CREATE TABLE session(id INTEGER PRIMARY KEY, started INTEGER, ended INTEGER, server TEXT,
  namespace TEXT, gathered INTEGER{session});
CREATE TABLE scope(id INTEGER PRIMARY KEY, session INTEGER, type INTEGER, namespace TEXT, name TEXT,
  label_selector TEXT, field_selector TEXT, listed INTEGER, synced_seq INTEGER, version TEXT,
  watched INTEGER, late INTEGER{scope});
CREATE TABLE object(id INTEGER PRIMARY KEY, type INTEGER, namespace TEXT, name TEXT, uid TEXT,
  UNIQUE(type, namespace, name, uid));
CREATE TABLE column_set(id INTEGER PRIMARY KEY, definitions TEXT UNIQUE);
CREATE TABLE manager(id INTEGER PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE sample(id INTEGER PRIMARY KEY, type INTEGER, since INTEGER, data BLOB);
CREATE TABLE version(seq INTEGER PRIMARY KEY, object INTEGER, time INTEGER, facts INTEGER,
  resource_version, manager INTEGER, column_set INTEGER, distance INTEGER, sample INTEGER, data BLOB{version});
CREATE INDEX version_by_object ON version(object);  -- and seq, as every index
CREATE TABLE gap(scope INTEGER, begin INTEGER, end INTEGER, reason TEXT);
)";

struct AddedColumns {
  std::string_view table;
  std::string_view columns;
};

constexpr std::array kAddedColumns = {
    AddedColumns{"session", ", cluster TEXT"},
    AddedColumns{"scope", ", resume_version TEXT"},
    AddedColumns{"version", ", late INTEGER, checksum INTEGER"},
};

constexpr std::string_view kViews = R"(
CREATE VIEW events AS SELECT v.seq,
  strftime('%Y-%m-%dT%H:%M:%S', v.time / 1000000000, 'unixepoch') ||
    printf('.%03dZ', v.time / 1000000 % 1000) AS time,
  CASE {type} WHEN 0 THEN 'ADDED' WHEN 1 THEN 'MODIFIED' ELSE 'DELETED' END AS type,
  CASE {source} WHEN 0 THEN 'list' WHEN 1 THEN 'watch' ELSE 'relist' END AS source,
  t.resource, o.namespace, o.name, o.uid, v.resource_version, m.name AS manager,
  {unknown} AS final_state_unknown, length(v.data) AS bytes
  FROM version v JOIN object o ON o.id = v.object JOIN type t ON t.id = o.type
  LEFT JOIN manager m ON m.id = v.manager ORDER BY v.seq;
CREATE VIEW objects AS SELECT t.resource, o.namespace, o.name, o.uid,
  (SELECT count(*) FROM version v WHERE v.object = o.id) AS versions,
  (SELECT {object_type} FROM version v WHERE v.object = o.id ORDER BY seq DESC LIMIT 1) = 2 AS deleted
  FROM object o JOIN type t ON t.id = o.type;
CREATE VIEW gaps AS SELECT t.resource, s.namespace,
  strftime('%Y-%m-%dT%H:%M:%SZ', g.begin / 1000000000, 'unixepoch') AS begin,
  strftime('%Y-%m-%dT%H:%M:%SZ', g.end / 1000000000, 'unixepoch') AS end, g.reason
  FROM gap g LEFT JOIN scope s ON s.id = g.scope LEFT JOIN type t ON t.id = s.type;
)";

constexpr std::size_t kSizeBytes = 4;

}  // namespace

std::string recording_schema(std::int64_t format) {
  const auto added = [&](std::size_t table) {
    return format < 2 ? std::string_view() : kAddedColumns.at(table).columns;
  };
  return fmt::format(
      // One transaction, so that a crash leaves no file without the application id.
      "BEGIN; PRAGMA auto_vacuum=INCREMENTAL; PRAGMA application_id={}; PRAGMA user_version={}; "
      "{} {} COMMIT;",
      kRecordingApplicationId, format,
      fmt::format(kTables, fmt::arg("session", added(0)), fmt::arg("scope", added(1)),
                  fmt::arg("version", added(2))),
      fmt::format(kViews, fmt::arg("type", facts_sql::type("v.facts")),
                  fmt::arg("source", facts_sql::source("v.facts")),
                  fmt::arg("unknown", facts_sql::final_state_unknown("v.facts")),
                  fmt::arg("object_type", facts_sql::type("facts"))));
}

std::string recording_migration() {
  std::string sql;
  for (const AddedColumns& added : kAddedColumns) {
    std::string_view left = added.columns;
    while (!left.empty()) {
      left.remove_prefix(2);  // the comma and the space
      const std::string_view column = left.substr(0, left.find(','));
      left.remove_prefix(column.size());
      sql += fmt::format("ALTER TABLE {} ADD COLUMN {};", added.table, column);
    }
  }
  return sql + fmt::format("PRAGMA user_version={};", kRecordingFormat);
}

std::string facts_sql::type(std::string_view column) {
  return fmt::format("{} & {}", column, kTwoBits);
}

std::string facts_sql::source(std::string_view column) {
  return fmt::format("{} >> {} & {}", column, kSourceBits, kTwoBits);
}

std::string facts_sql::final_state_unknown(std::string_view column) {
  return fmt::format("{} >> {} & 1", column, kUnknownBit);
}

std::int64_t VersionFacts::pack() const {
  // A resync is stored as an update that a relist found.
  const ChangeType packed_type = type == ChangeType::resync ? ChangeType::updated : type;
  return number_of(kTypes, packed_type) | number_of(kSources, source) << kSourceBits |
         std::int64_t{final_state_unknown} << kUnknownBit |
         std::int64_t{recreated} << kRecreatedBit;
}

VersionFacts VersionFacts::unpack(std::int64_t packed) {
  const auto at = [&](int bits) { return static_cast<std::size_t>(packed >> bits & kTwoBits); };
  return {.type = kTypes[at(0)],
          .source = kSources[at(kSourceBits)],
          .final_state_unknown = (packed >> kUnknownBit & 1) != 0,
          .recreated = (packed >> kRecreatedBit & 1) != 0};
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
  if (!field_selector.empty()) flags.push_back("--field-selector " + shell_word(field_selector));
  return flags.empty() ? "no selectors" : fmt::format("{}", fmt::join(flags, " "));
}

}  // namespace kinf
