// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/version_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "kinf/base/ascii.h"
#include "kinf/base/assign.h"
#include "kinf/base/json_string.h"

namespace kinf {
namespace {

enum Query : std::size_t {
  kAddVersion,
  kAddObject,
  kFindObject,
  kManagerId,
  kColumnsId,
  kReplaceText,
  kDropVersions,
  kDropObject,
  kDropOthers,
  kDropUnused,
  kFindOrphans,
  kAddSample,
  kReadState,
};

/// The compressed size of a version that compresses well, in bytes.
constexpr std::size_t kSmallVersion = 30;
/// The excess of a stored version is the part of its compressed size beyond kSmallVersion. A sample
/// is replaced when the total excess of the versions stored since it was made reaches this many
/// times the size of the sample's text. The first samples are replaced earlier, because they were
/// made from few objects.
constexpr std::size_t kExcessPerByte = 3;
/// Larger texts are not used as samples, because compressing each version would take too long.
constexpr std::size_t kLargestSample = 32 * 1024;
constexpr std::size_t kLargestChange = 4 * 1024;

constexpr std::array<std::string_view, 13> kQueries = {
    "INSERT INTO version VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    "INSERT OR IGNORE INTO object(type, namespace, name, uid) VALUES(?, ?, ?, ?)",
    "SELECT id FROM object WHERE type = ? AND namespace = ? AND name = ? AND uid = ?",
    "INSERT INTO manager(name) VALUES(?) ON CONFLICT DO UPDATE SET name = excluded.name "
    "RETURNING id",
    "INSERT INTO column_set(definitions) VALUES(?) ON CONFLICT DO UPDATE SET definitions = "
    "excluded.definitions RETURNING id",
    "UPDATE version SET distance = ?, sample = NULL, data = ? WHERE seq = ?",
    "DELETE FROM version WHERE object = ? AND seq < ?",
    "DELETE FROM object WHERE id = ?",
    "DELETE FROM version WHERE seq != ?1 AND object IN "
    "(SELECT id FROM object WHERE type = ?2 AND namespace = ?3 AND name = ?4)",
    "DELETE FROM object WHERE type = ?2 AND namespace = ?3 AND name = ?4 AND "
    "id IS NOT (SELECT object FROM version WHERE seq = ?1)",
    "SELECT seq FROM version WHERE object = ?1 AND seq > ?2 AND seq - distance < ?2",
    "INSERT INTO sample(type, since, data) VALUES(?, ?, ?)",
    "SELECT facts, distance, sample FROM version WHERE seq = ?",
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

Result<void> VersionTable::prepare() {
  for (const std::string_view query : kQueries) {
    Result<Statement> statement = database_.prepare(query);
    if (!statement) return fail(statement);
    statements_.push_back(*std::move(statement));
  }
  const auto last = database_.integer("SELECT max(seq) FROM version");
  if (!last) return fail(last);
  seq_ = last->value_or(0);
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

Result<void> VersionTable::add(const VersionRow& row) {
  Statement& insert = statements_[kAddVersion];
  insert.bind(1, seq_ + 1).bind(2, row.object).bind(3, row.time).bind(4, row.facts.pack());
  bind_version(insert, 5, row.resource_version);
  for (int column = 6; column <= 10; ++column) insert.bind_null(column);
  if (!row.manager.empty()) {
    const Result<std::int64_t> id = manager_id(row.manager);
    if (!id) return fail(id);
    insert.bind(6, *id);
  }
  if (row.columns != nullptr) {
    const Result<std::int64_t> id = columns_id(*row.columns);
    if (!id) return fail(id);
    insert.bind(7, *id);
  }
  Sample& sample = samples_[row.type];
  std::size_t size = 0;
  if (!row.text.empty()) {
    const Result<std::string_view> data = codec_.encode(row.text, sample.content, row.before);
    if (!data) return fail(data);
    if (row.base != 0) insert.bind(8, seq_ + 1 - row.base);
    if (sample.id != 0) insert.bind(9, sample.id);
    insert.bind_bytes(10, *data);
    size = data->size();
  }
  if (Result<void> added = insert.run(); !added) return added;
  ++seq_;
  return consider(row, sample, size);
}

Result<void> VersionTable::consider(const VersionRow& row, Sample& sample, std::size_t size) {
  if (row.type == 0 || size <= kSmallVersion) return {};
  sample.excess += size - kSmallVersion;
  if (row.base == 0) {
    if (row.text.size() <= kLargestSample) sample.text = row.text;
  } else if (codec_.delta().size() <= kLargestChange) {
    sample.changes[sample.next_change++ % kChanges] = codec_.delta();
  }
  const std::size_t most = std::min(kExcessPerByte, sample.number) * sample.content.text().size();
  return sample.excess < most ? Result<void>() : replace(row.type, sample);
}

Result<void> VersionTable::replace(std::int64_t type, Sample& sample) {
  std::string text = sample.text;
  for (const std::string& change : sample.changes) text += change;
  if (text.empty()) return {};
  const Result<std::string_view> data = codec_.encode(text, {}, {});
  if (!data) return fail(data);
  Statement& insert = statements_[kAddSample].bind(1, type).bind(2, seq_ + 1).bind_bytes(3, *data);
  if (Result<void> added = insert.run(); !added) return added;
  sample.id = database_.last_row_id();
  sample.content = CodecSample(std::move(text));
  sample.excess = 0;
  ++sample.number;
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

Result<std::int64_t> VersionTable::drop_before(std::int64_t seq) {
  const auto count = [&]() { return database_.integer("SELECT count(*) FROM version"); };
  const auto before = count();
  if (!before) return fail(before);
  std::vector<std::pair<std::int64_t, std::int64_t>> objects;
  Result<void> done = database_.for_each_row(
      "SELECT object, max(seq), count(*) FROM version WHERE seq < ? GROUP BY object",
      [&](const Statement& row) { objects.emplace_back(row.integer(0), row.integer(1)); }, seq);
  for (const auto& [object, last] : objects) {
    if (done) done = drop_object(object, last);
  }
  // Drop a sample if a newer sample of the same type has a `since` of at most `seq`. Versions from
  // that `since` on use newer samples. Older versions that are kept use no sample, because
  // drop_object() has stored them as a whole.
  if (done) {
    done = database_.execute(
        "DELETE FROM sample WHERE EXISTS(SELECT 1 FROM sample next WHERE next.type = sample.type "
        "AND next.id > sample.id AND next.since <= ?)",
        seq);
  }
  if (!done) return fail(done);
  const auto after = count();
  if (!after) return fail(after);
  return before->value_or(0) - after->value_or(0);
}

Result<void> VersionTable::replace_text(std::int64_t seq, std::int64_t base,
                                        std::string_view before, std::string_view text) {
  const Result<std::string_view> data = codec_.encode(text, {}, before);
  if (!data) return fail(data);
  Statement& update = statements_[kReplaceText];
  base == 0 ? update.bind_null(1) : update.bind(1, seq - base);
  return update.bind_bytes(2, *data).bind(3, seq).run();
}

Result<void> VersionTable::make_whole(std::int64_t object, std::int64_t newest) {
  std::string whole;
  const auto found = rebuilder_->find(object, newest, true, whole);
  if (!found) return fail(found);
  std::vector<std::int64_t> later;
  Result<void> listed =
      statements_[kFindOrphans].bind_all(object, newest).for_each_row([&](const Statement& row) {
        later.push_back(row.integer(0));
      });
  if (!listed) return listed;
  for (const std::int64_t seq : later) {
    std::string text;
    const Result<bool> rebuilt = rebuilder_->rebuild(seq, text);
    if (!rebuilt) return fail(rebuilt);
    if (Result<void> done = replace_text(seq, newest, whole, text); !done) return done;
  }
  return replace_text(newest, 0, {}, whole);
}

Result<void> VersionTable::drop_object(std::int64_t object, std::int64_t newest) {
  Statement& state = statements_[kReadState].bind(1, newest);
  const Result<bool> row = state.step();
  if (!row) return fail(row);
  const bool is_deleted = VersionFacts::unpack(state.integer(0)).type == ChangeType::deleted;
  const bool stands_alone = state.is_null(1) && state.is_null(2);
  state.reset();
  if (!is_deleted && !stands_alone) {
    if (Result<void> done = make_whole(object, newest); !done) return done;
  }
  Result<void> done =
      statements_[kDropVersions].bind_all(object, is_deleted ? newest + 1 : newest).run();
  if (!done || !is_deleted) return done;
  // Keep the object if a later session saw it again.
  const auto later = database_.integer("SELECT 1 FROM version WHERE object = ? LIMIT 1", object);
  if (!later) return fail(later);
  return *later ? done : statements_[kDropObject].bind(1, object).run();
}

}  // namespace kinf
