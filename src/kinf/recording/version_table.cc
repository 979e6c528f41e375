// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/version_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "kinf/base/ascii.h"
#include "kinf/base/assign.h"
#include "kinf/base/json_string.h"
#include "kinf/base/limits.h"

namespace kinf {
namespace {

enum Query : std::size_t {
  kAddVersion,
  kAddObject,
  kFindObject,
  kManagerId,
  kColumnsId,
  kDropOthers,
  kDropUnused,
  kAddSample,
};

/// How far the time of a version must be behind an earlier one for this to be recorded. Versions of
/// different informers are written a little out of order, which is not worth the bytes.
constexpr std::int64_t kLate = 100'000'000;

/// Differences of this size, in bytes, are small.
constexpr std::size_t kSmallDelta = 64;

constexpr std::array<std::string_view, 8> kQueries = {
    "INSERT INTO version VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "INSERT OR IGNORE INTO object(type, namespace, name, uid) VALUES(?, ?, ?, ?)",
    "SELECT id FROM object WHERE type = ? AND namespace = ? AND name = ? AND uid = ?",
    "INSERT INTO manager(name) VALUES(?) ON CONFLICT DO UPDATE SET name = excluded.name "
    "RETURNING id",
    "INSERT INTO column_set(definitions) VALUES(?) ON CONFLICT DO UPDATE SET definitions = "
    "excluded.definitions RETURNING id",
    "DELETE FROM version WHERE seq != ?1 AND object IN "
    "(SELECT id FROM object WHERE type = ?2 AND namespace = ?3 AND name = ?4)",
    "DELETE FROM object WHERE type = ?2 AND namespace = ?3 AND name = ?4 AND "
    "id IS NOT (SELECT object FROM version WHERE seq = ?1)",
    "INSERT INTO sample(type, since, data) VALUES(?, ?, ?)",
};

/// Returns the column definitions as JSON, like those in a Table of the API.
std::string definitions_json(const TableColumns& columns) {
  std::string text = "[";
  for (const TableColumn& column : columns.columns) {
    const auto member = [&](std::string_view name, std::string_view value) {
      text.append("\"").append(name).append("\":");
      append_json_string(text, value);
      text += ',';
    };
    if (text.size() > 1) text += ',';
    text += '{';
    member("name", column.name);
    member("type", column.type);
    member("format", column.format);
    member("description", column.description);
    text += "\"priority\":" + std::to_string(column.priority) + "}";
  }
  return text + "]";
}

/// Binds a resourceVersion. Stores a decimal number as an integer, which takes less space, and any
/// other text as it is.
void bind_version(Statement& statement, int index, std::string_view version) {
  const auto number = parse_number<std::int64_t>(version);
  const bool canonical = number && *number >= 0 && (version.size() == 1 || version[0] != '0') &&
                         version[0] >= '0' && version[0] <= '9';
  canonical ? statement.bind(index, *number) : statement.bind(index, version);
}

/// Returns the id that a statement finds; 0 if there is none.
Result<std::int64_t> id_of(Statement& statement) {
  const auto id = statement.first_integer();
  if (!id) return fail(id);
  return id->value_or(0);
}

}  // namespace

Result<std::unique_ptr<VersionTable>> VersionTable::open(Database& database) {
  std::unique_ptr<VersionTable> table(new VersionTable(database));
  if (Result<void> ready = table->prepare(); !ready) return fail(ready);
  return table;
}

namespace {

/// Returns the first parts of a list, as many as a type may have.
std::vector<std::string> listed_names(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty() && parts.size() < limits::kTypeNames) {
    const std::size_t comma = std::min(list.find(','), list.size());
    parts.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return parts;
}

}  // namespace

RecordedType recorded_type(const Statement& row, int first) {
  RecordedType type;
  type.type.gvr = {.group = std::string(row.text(first)),
                   .version = std::string(row.text(first + 1)),
                   .resource = std::string(row.text(first + 2))};
  type.type.kind = row.text(first + 3);
  type.type.singular = row.text(first + 4);
  type.type.namespaced = row.integer(first + 5) != 0;
  type.short_names = listed_names(row.text(first + 6));
  type.categories = listed_names(row.text(first + 7));
  return type;
}

Result<void> VersionTable::prepare() {
  for (const std::string_view query : kQueries) {
    const bool has_text = query == kQueries[kAddVersion] || query == kQueries[kAddSample];
    Result<Statement> statement =
        database_.prepare(query, has_text ? limits::kVersionBytes : limits::kRecordedTextBytes);
    if (!statement) return fail(statement);
    statements_.push_back(*std::move(statement));
  }
  Result<void> last = database_.for_each_row(
      "SELECT seq, time + coalesce(late, 0) FROM version ORDER BY seq DESC LIMIT 1",
      [&](const Statement& row) {
        seq_ = row.integer(0);
        latest_ = recorded_time(row.integer(1));
      });
  if (!last) return last;
  if (seq_ < 0 || seq_ > kVersionsBound) {
    return fail(database_.damaged(fmt::format("version {} cannot be", seq_)));
  }
  if (auto done = assign(rebuilder_, TextRebuilder::open(database_)); !done) return fail(done);
  return {};
}

Result<std::int64_t> VersionTable::type_id(const RecordedType& recorded) {
  const ResourceType& type = recorded.type;
  Result<Statement> insert = database_.prepare(
      "INSERT INTO type(api_group, version, resource, kind, singular, namespaced, short_names, "
      "categories) VALUES(?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET kind = excluded.kind "
      "RETURNING id");
  if (!insert) return fail(insert);
  const std::string short_names = fmt::format("{}", fmt::join(recorded.short_names, ","));
  const std::string categories = fmt::format("{}", fmt::join(recorded.categories, ","));
  return id_of(insert->bind_all(type.gvr.group, type.gvr.version, type.gvr.resource, type.kind,
                                type.singular, type.namespaced, short_names, categories));
}

Result<std::int64_t> VersionTable::object_id(std::int64_t type, std::string_view ns,
                                             std::string_view name, std::string_view uid) {
  const Result<void> added = statements_[kAddObject].bind_all(type, ns, name, uid).run();
  if (!added) return fail(added);
  return id_of(statements_[kFindObject].bind_all(type, ns, name, uid));
}

Result<std::int64_t> VersionTable::manager_id(std::string_view name) {
  const auto known = managers_.find(std::string(name));
  if (known != managers_.end()) return known->second;
  const Result<std::int64_t> id = id_of(statements_[kManagerId].bind(1, name));
  if (id) managers_.emplace(name, *id);
  return id;
}

Result<std::int64_t> VersionTable::columns_id(const TableColumns& columns) {
  if (last_columns_ && *last_columns_ == columns) return last_columns_id_;
  const std::string definitions = definitions_json(columns);
  const Result<std::int64_t> id = id_of(statements_[kColumnsId].bind(1, definitions));
  if (!id) return id;
  last_columns_ = std::make_shared<const TableColumns>(columns);
  last_columns_id_ = *id;
  return id;
}

Result<void> VersionTable::insert(const VersionFields& fields) {
  Statement& insert = statements_[kAddVersion];
  const auto bind = [&](int column, const std::optional<std::int64_t>& value) {
    value ? insert.bind(column, *value) : insert.bind_null(column);
  };
  insert.bind_all(fields.seq, fields.object, fields.time, fields.facts);
  bind_version(insert, 5, fields.resource_version);
  bind(6, fields.manager);
  bind(7, fields.column_set);
  bind(8, fields.distance);
  bind(9, fields.sample);
  fields.data ? insert.bind_bytes(10, *fields.data) : insert.bind_null(10);
  bind(11, fields.late);
  return insert.bind(12, checksum_of(fields)).run();
}

Result<void> VersionTable::add(const VersionRow& row) {
  VersionFields fields{.seq = seq_ + 1,
                       .object = row.object,
                       .time = row.time,
                       .facts = row.facts.pack(),
                       .resource_version = row.resource_version};
  if (!row.manager.empty()) {
    const Result<std::int64_t> id = manager_id(row.manager);
    if (!id) return fail(id);
    fields.manager = *id;
  }
  if (row.columns != nullptr) {
    const Result<std::int64_t> id = columns_id(*row.columns);
    if (!id) return fail(id);
    fields.column_set = *id;
  }
  TypeSample& sample = samples_[row.type];
  if (!row.text.empty()) {
    const Result<std::string_view> data = codec_.encode(row.text, sample.content(), row.before);
    if (!data) return fail(data);
    if (row.base != 0) fields.distance = seq_ + 1 - row.base;
    if (sample.id() != 0) fields.sample = sample.id();
    fields.data = *data;
  }
  if (latest_ - row.time >= kLate) fields.late = latest_ - row.time;
  latest_ = std::max(latest_, row.time);
  if (Result<void> added = insert(fields); !added) return added;
  ++seq_;
  return note_sample(row, sample);
}

bool VersionTable::is_much_closer(std::string_view near, std::string_view far,
                                  std::string_view text) {
  differ_.make(near, text, delta_);
  const std::size_t size = delta_.size();
  differ_.make(far, text, delta_);
  return delta_.size() > size + size / 2 + kSmallDelta;
}

Result<void> VersionTable::note_sample(const VersionRow& row, TypeSample& sample) {
  if (row.type == 0 || row.text.empty()) return {};
  row.base == 0 ? sample.note_whole(row.text) : sample.note_change(codec_.delta());
  Result<std::optional<TypeSample::Made>> made = sample.improve(codec_);
  if (!made) return fail(made);
  if (!*made) return {};
  Statement& insert = statements_[kAddSample];
  insert.bind(1, row.type).bind(2, seq_ + 1).bind_bytes(3, (*made)->data);
  if (Result<void> added = insert.run(); !added) return added;
  sample.use(**std::move(made), database_.last_row_id());
  return {};
}

Result<void> VersionTable::drop_versions(std::int64_t type, std::string_view ns,
                                         std::string_view name, std::int64_t kept) {
  for (const Query query : {kDropOthers, kDropUnused}) {
    Result<void> done = statements_[query].bind_all(kept, type, ns, name).run();
    if (!done) return done;
  }
  return {};
}

}  // namespace kinf
