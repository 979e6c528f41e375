// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/selected_versions.h"

#include <algorithm>
#include <string>
#include <utility>

#include "kinf/recording/database.h"

namespace kinf {
namespace {

/// Versions are selected by the index if they are at most this part of all versions. Reading one
/// version by its `seq` takes a few times as long as reading the next one.
constexpr std::int64_t kPart = 8;
/// This many are always selected by the index, and at most kMany, because of their memory.
constexpr std::int64_t kFew = 1000;
constexpr std::int64_t kMany = 1'000'000;

}  // namespace

Result<std::optional<std::vector<std::int64_t>>> find_objects(Database& database,
                                                              const ObjectSelection& selection,
                                                              std::size_t most) {
  // An object without a namespace has the namespace ''. The unique index of the table begins with
  // the type, the namespace and the name.
  std::string sql = "SELECT id FROM object WHERE type = ?1";
  if (!selection.ns.empty() || !selection.is_namespaced) sql += " AND namespace = ?2";
  if (!selection.name.empty()) sql += " AND name = ?3";
  Result<Statement> rows = database.prepare(sql);
  if (!rows) return fail(rows);
  rows->bind_all(selection.type, selection.ns, selection.name);
  std::vector<std::int64_t> found;
  while (true) {
    const Result<bool> row = rows->step();
    if (!row) return fail(row);
    if (!*row) break;
    if (found.size() >= most) return std::optional<std::vector<std::int64_t>>();
    found.push_back(rows->integer(0));
  }
  std::ranges::sort(found);
  return found;
}

Result<std::optional<SelectedVersions>> SelectedVersions::find(
    Database& database, std::span<const ObjectSelection> selections, std::int64_t after,
    std::int64_t last) {
  after = std::max<std::int64_t>(after, 0);  // a damaged file may have any number
  const auto most = static_cast<std::size_t>(std::clamp((last - after) / kPart, kFew, kMany));
  Result<Statement> rows = database.prepare(
      "SELECT seq FROM version WHERE object = ?1 AND seq > ?2 AND seq <= ?3 LIMIT ?4");
  if (!rows) return fail(rows);
  SelectedVersions versions;
  std::vector<std::int64_t>& seqs = versions.seqs_;
  for (const ObjectSelection& selection : selections) {
    const auto objects = find_objects(database, selection, most);
    if (!objects) return fail(objects);
    if (!*objects) return std::optional<SelectedVersions>();
    for (const std::int64_t object : **objects) {
      const auto room = static_cast<std::int64_t>(most - seqs.size() + 1);
      const Result<void> read =
          rows->bind_all(object, after, last, room).for_each_row([&](const Statement& row) {
            seqs.push_back(row.integer(0));
          });
      if (!read) return fail(read);
      if (seqs.size() > most) return std::optional<SelectedVersions>();
    }
  }
  // Two selections may share objects.
  std::ranges::sort(seqs);
  seqs.erase(std::ranges::unique(seqs).begin(), seqs.end());
  return versions;
}

}  // namespace kinf
