// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/watch/object_tree.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "kinf/print/object_row.h"
#include "kinf/print/table_printer.h"

namespace kinf {
namespace {

/// The owned objects, by the uid of an owner.
using Owned = std::map<std::string_view, std::vector<ObjectPtr>>;

Owned owned_by_uid(const std::vector<ObjectPtr>& objects) {
  Owned owned;
  for (const ObjectPtr& object : objects) {
    for (std::size_t i = 0; i < object->owner_count(); ++i) {
      const std::string_view uid = object->owner_at(i).uid;
      if (!uid.empty()) owned[uid].push_back(object);
    }
  }
  for (auto& [uid, children] : owned) {
    std::ranges::sort(children, {}, [](const ObjectPtr& one) {
      return std::tuple(one->kind(), one->api_version(), one->ns(), one->name(), one->uid());
    });
  }
  return owned;
}

/// The owned objects of one object that have no row yet.
struct Branches {
  std::vector<ObjectPtr> left;  ///< in reverse order
  std::string indent;
};

/// Adds the branches of `object` that are not in `seen`.
void open_branches(std::vector<Branches>& open, const Owned& owned, const Object& object,
                   std::string indent, std::set<std::string_view>& seen) {
  const auto found = owned.find(object.uid());
  if (found == owned.end() || open.size() >= kDeepestBranch) return;
  Branches branches{{}, std::move(indent)};
  for (const ObjectPtr& child : found->second) {
    if (seen.insert(child->uid()).second) branches.left.push_back(child);
  }
  std::ranges::reverse(branches.left);
  if (!branches.left.empty()) open.push_back(std::move(branches));
}

/// Returns the uids of all objects that one of the roots owns, directly or not.
std::set<std::string_view> uids_below(const std::vector<ObjectPtr>& roots, const Owned& owned) {
  std::set<std::string_view> below;
  std::vector<std::string_view> owners;
  for (const ObjectPtr& root : roots) owners.push_back(root->uid());
  while (!owners.empty()) {
    const auto found = owned.find(owners.back());
    owners.pop_back();
    if (found == owned.end()) continue;
    for (const ObjectPtr& child : found->second) {
      if (below.insert(child->uid()).second) owners.push_back(child->uid());
    }
  }
  below.erase("");
  return below;
}

void add_tree(std::vector<TreeRow>& rows, const ObjectPtr& root, const Owned& owned) {
  std::set<std::string_view> seen = {root->uid()};
  std::vector<Branches> open;
  rows.push_back({"", root});
  if (!root->uid().empty()) open_branches(open, owned, *root, "", seen);
  while (!open.empty()) {
    Branches& last = open.back();
    if (last.left.empty()) {
      open.pop_back();
      continue;
    }
    const ObjectPtr child = last.left.back();
    last.left.pop_back();
    const bool is_last = last.left.empty();
    const std::string indent = last.indent + (is_last ? "  " : "│ ");
    rows.push_back({last.indent + (is_last ? "└─" : "├─"), child});
    open_branches(open, owned, *child, indent, seen);
  }
}

/// Returns the index of the first column with one of `names`; nullopt if there is none.
std::optional<std::size_t> column_of(const std::vector<TableColumn>& columns,
                                     const std::array<std::string_view, 4>& names) {
  for (const std::string_view name : names) {
    const auto found = std::ranges::find(columns, name, &TableColumn::name);
    if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  }
  return std::nullopt;
}

PrintedRow printed(const TreeRow& row, const PrintOptions& options, Clock::Wall now) {
  constexpr std::array<std::string_view, 4> kReady = {"Ready", "Completions", "Available",
                                                      "Healthy"};
  constexpr std::array<std::string_view, 4> kStatus = {"Status", "Phase", "State", "Health"};
  const Object& object = *row.object;
  const std::vector<TableColumn>& columns = row_columns(object).columns;
  const std::vector<std::string> cells = row_cells(object, now);
  const std::vector<Colour> colours = attention_colours(object.kind(), columns, cells);
  PrintedRow line;
  const auto add = [&](std::string cell, Colour colour = Colour::none) {
    line.cells.push_back(std::move(cell));
    line.colours.push_back(options.colour ? colour : Colour::none);
  };
  if (options.with_namespace) add(std::string(object.ns()));
  add(row.branch + std::string(object.kind()) + "/" + std::string(object.name()));
  for (const auto& names : {kReady, kStatus}) {
    const std::optional<std::size_t> at = column_of(columns, names);
    const bool has_cell = at && *at < cells.size();
    add(has_cell ? cells[*at] : "", has_cell ? colours[*at] : Colour::none);
  }
  add(age_text(&object, now));
  return line;
}

}  // namespace

std::vector<TreeRow> tree_rows(const std::vector<ObjectPtr>& roots,
                               const std::vector<ObjectPtr>& objects) {
  const Owned owned = owned_by_uid(objects);
  const std::set<std::string_view> below = uids_below(roots, owned);
  std::vector<TreeRow> rows;
  for (const ObjectPtr& root : roots) {
    if (!below.contains(root->uid())) add_tree(rows, root, owned);
  }
  // Roots that own each other in a circle, or too deep below another, have no row yet.
  std::set<std::string_view> shown;
  std::size_t noted = 0;
  for (const ObjectPtr& root : roots) {
    for (; noted < rows.size(); ++noted) shown.insert(rows[noted].object->uid());
    if (below.contains(root->uid()) && !shown.contains(root->uid())) add_tree(rows, root, owned);
  }
  return rows;
}

std::string tree_text(const std::vector<TreeRow>& rows, const PrintOptions& options,
                      Clock::Wall now) {
  std::vector<TableColumn> columns;
  if (options.with_namespace) columns.push_back({"Namespace", "string", "", "", 0});
  for (const char* const name : {"Name", "Ready", "Status", "Age"}) {
    columns.push_back({name, "string", "", "", 0});
  }
  std::vector<PrintedRow> lines;
  for (const TreeRow& row : rows) lines.push_back(printed(row, options, now));
  return TablePrinter(options).print(&columns, lines);
}

}  // namespace kinf
