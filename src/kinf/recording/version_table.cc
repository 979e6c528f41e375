// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/version_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "kinf/base/json_string.h"
#include "kinf/base/parse_number.h"
#include "kinf/recording/text_rebuilder.h"

namespace kinf {
namespace {

enum Query : std::size_t {
  kAddVersion,
  kAddObject,
  kFindObject,
  kAddManager,
  kFindManager,
  kAddColumns,
  kFindColumns,
  kMakeWhole,
  kDropVersions,
  kDropObject,
  kDropOthers,
  kDropUnused,
};

constexpr std::array<std::string_view, 12> kQueries = {
    "INSERT INTO version VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
    "INSERT OR IGNORE INTO object(type, namespace, name, uid) VALUES(?, ?, ?, ?)",
    "SELECT id FROM object WHERE type = ? AND namespace = ? AND name = ? AND uid = ?",
    "INSERT OR IGNORE INTO manager(name) VALUES(?)",
    "SELECT id FROM manager WHERE name = ?",
    "INSERT OR IGNORE INTO column_set(definitions) VALUES(?)",
    "SELECT id FROM column_set WHERE definitions = ?",
    "UPDATE version SET facts = ?, data = ? WHERE seq = ?",
    "DELETE FROM version WHERE object = ? AND seq < ?",
    "DELETE FROM object WHERE id = ?",
    "DELETE FROM version WHERE seq != ?1 AND object IN "
    "(SELECT id FROM object WHERE type = ?2 AND namespace = ?3 AND name = ?4)",
    "DELETE FROM object WHERE type = ?2 AND namespace = ?3 AND name = ?4 AND "
    "id IS NOT (SELECT object FROM version WHERE seq = ?1)",
};

/// Writes the definitions in the form of a Table of the API.
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

/// Binds a decimal number as an integer, which takes less space; any other text as it is.
void bind_version(Statement& statement, int index, std::string_view version) {
  const auto number = parse_number<std::int64_t>(version);
  const bool canonical = number && *number >= 0 && (version.size() == 1 || version[0] != '0') &&
                         version[0] >= '0' && version[0] <= '9';
  canonical ? statement.bind(index, *number) : statement.bind(index, version);
}

}  // namespace

Result<std::unique_ptr<VersionTable>> VersionTable::open(Database& database) {
  std::unique_ptr<VersionTable> table(new VersionTable(database));
  if (Result<void> ready = table->prepare(); !ready) {
    return std::unexpected(std::move(ready).error());
  }
  return table;
}

Result<void> VersionTable::prepare() {
  for (const std::string_view query : kQueries) {
    Result<Statement> statement = database_.prepare(query);
    if (!statement) return std::unexpected(std::move(statement).error());
    statements_.push_back(*std::move(statement));
  }
  const auto last = database_.integer("SELECT max(seq) FROM version");
  if (!last) return std::unexpected(last.error());
  seq_ = last->value_or(0);
  return {};
}

Result<std::int64_t> VersionTable::text_id(Statement& insert, Statement& select,
                                           std::string_view text) {
  if (const Result<void> added = insert.bind(1, text).run(); !added) {
    return std::unexpected(added.error());
  }
  const Result<bool> found = select.bind(1, text).step();
  const std::int64_t id = found && *found ? select.integer(0) : 0;
  select.reset();
  if (!found) return std::unexpected(found.error());
  return id;
}

Result<std::int64_t> VersionTable::type_id(const RecordedType& recorded) {
  const ResourceType& type = recorded.type;
  Result<Statement> insert = database_.prepare(
      "INSERT INTO type(api_group, version, resource, kind, singular, namespaced, short_names, "
      "categories) VALUES(?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET kind = excluded.kind "
      "RETURNING id");
  if (!insert) return std::unexpected(std::move(insert).error());
  const std::string short_names = fmt::format("{}", fmt::join(recorded.short_names, ","));
  const std::string categories = fmt::format("{}", fmt::join(recorded.categories, ","));
  insert->bind(1, type.gvr.group).bind(2, type.gvr.version).bind(3, type.gvr.resource);
  insert->bind(4, type.kind).bind(5, type.singular).bind(6, type.namespaced ? 1 : 0);
  insert->bind(7, short_names).bind(8, categories);
  const Result<bool> row = insert->step();
  if (!row) return std::unexpected(row.error());
  return insert->integer(0);
}

Result<std::int64_t> VersionTable::object_id(std::int64_t type, std::string_view ns,
                                             std::string_view name, std::string_view uid) {
  const auto bind = [&](Statement& statement) -> Statement& {
    return statement.bind(1, type).bind(2, ns).bind(3, name).bind(4, uid);
  };
  if (const Result<void> added = bind(statements_[kAddObject]).run(); !added) {
    return std::unexpected(added.error());
  }
  Statement& find = bind(statements_[kFindObject]);
  const Result<bool> found = find.step();
  const std::int64_t id = found && *found ? find.integer(0) : 0;
  find.reset();
  if (!found) return std::unexpected(found.error());
  return id;
}

Result<std::int64_t> VersionTable::manager_id(std::string_view name) {
  const auto known = managers_.find(std::string(name));
  if (known != managers_.end()) return known->second;
  const Result<std::int64_t> id =
      text_id(statements_[kAddManager], statements_[kFindManager], name);
  if (id) managers_.emplace(name, *id);
  return id;
}

Result<std::int64_t> VersionTable::columns_id(const TableColumns& columns) {
  if (last_columns_ && *last_columns_ == columns) return last_columns_id_;
  const std::string definitions = definitions_json(columns);
  const Result<std::int64_t> id =
      text_id(statements_[kAddColumns], statements_[kFindColumns], definitions);
  if (!id) return id;
  last_columns_ = std::make_shared<const TableColumns>(columns);
  last_columns_id_ = *id;
  return id;
}

Result<void> VersionTable::add(const VersionRow& row) {
  Statement& insert = statements_[kAddVersion];
  insert.bind(1, seq_ + 1).bind(2, row.object).bind(3, row.time).bind(4, row.facts.pack());
  bind_version(insert, 5, row.resource_version);
  insert.bind_null(6).bind_null(7).bind_null(8);
  if (!row.manager.empty()) {
    const Result<std::int64_t> id = manager_id(row.manager);
    if (!id) return std::unexpected(id.error());
    insert.bind(6, *id);
  }
  if (row.columns != nullptr) {
    const Result<std::int64_t> id = columns_id(*row.columns);
    if (!id) return std::unexpected(id.error());
    insert.bind(7, *id);
  }
  if (!row.text.empty()) {
    const Result<std::string_view> data =
        codec_.encode(row.text, row.facts.whole ? std::string_view() : row.before);
    if (!data) return std::unexpected(data.error());
    insert.bind_bytes(8, *data);
  }
  Result<void> added = insert.run();
  if (added) ++seq_;
  return added;
}

Result<void> VersionTable::drop_versions(std::int64_t type, std::string_view ns,
                                         std::string_view name, std::int64_t kept) {
  for (const Query query : {kDropOthers, kDropUnused}) {
    Statement& drop = statements_[query];
    drop.bind(1, kept).bind(2, type).bind(3, ns).bind(4, name);
    if (Result<void> done = drop.run(); !done) return done;
  }
  return {};
}

Result<std::int64_t> VersionTable::drop_before(std::int64_t seq) {
  const auto count = [&]() { return database_.integer("SELECT count(*) FROM version"); };
  const auto before = count();
  if (!before) return std::unexpected(before.error());
  Result<Statement> newest = database_.prepare(
      "SELECT object, max(seq), count(*) FROM version WHERE seq < ? GROUP BY object");
  if (!newest) return std::unexpected(std::move(newest).error());
  newest->bind(1, seq);
  std::vector<std::pair<std::int64_t, std::int64_t>> objects;
  while (true) {
    const Result<bool> row = newest->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) break;
    objects.emplace_back(newest->integer(0), newest->integer(1));
  }
  newest->reset();
  Result<TextRebuilder> rebuilder = TextRebuilder::open(database_);
  if (!rebuilder) return std::unexpected(std::move(rebuilder).error());
  for (const auto& [object, last] : objects) {
    if (Result<void> dropped = drop_object(object, last, *rebuilder); !dropped) {
      return std::unexpected(std::move(dropped).error());
    }
  }
  const auto after = count();
  if (!after) return std::unexpected(after.error());
  return before->value_or(0) - after->value_or(0);
}

Result<void> VersionTable::drop_object(std::int64_t object, std::int64_t newest,
                                       TextRebuilder& rebuilder) {
  std::string text;
  const Result<std::optional<FoundVersion>> found = rebuilder.find(object, newest, true, text);
  if (!found) return std::unexpected(found.error());
  VersionFacts facts = (*found)->facts;
  const bool is_deleted = facts.type == ChangeType::deleted;
  if (!is_deleted && !facts.whole) {
    facts.whole = true;
    const Result<std::string_view> data = codec_.encode(text, {});
    if (!data) return std::unexpected(data.error());
    Statement& update = statements_[kMakeWhole];
    update.bind(1, facts.pack()).bind_bytes(2, *data).bind(3, newest);
    if (Result<void> done = update.run(); !done) return done;
  }
  Statement& drop = statements_[kDropVersions];
  if (Result<void> done = drop.bind(1, object).bind(2, is_deleted ? newest + 1 : newest).run();
      !done) {
    return done;
  }
  if (!is_deleted) return {};
  // Keep the object if a later session saw it again.
  Result<Statement> later = database_.prepare("SELECT 1 FROM version WHERE object = ? LIMIT 1");
  if (!later) return std::unexpected(std::move(later).error());
  const Result<bool> is_used = later->bind(1, object).step();
  if (!is_used) return std::unexpected(is_used.error());
  return *is_used ? Result<void>() : statements_[kDropObject].bind(1, object).run();
}

}  // namespace kinf
