// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/object_row.h"

#include <algorithm>
#include <utility>

#include "kinf/base/json_string.h"
#include "kinf/base/timestamp.h"
#include "kinf/columns/human_duration.h"
#include "kinf/print/event_printer.h"
#include "kinf/print/json_tree.h"

namespace kinf {
namespace {

const TableColumns& name_and_age() {
  static const TableColumns columns{
      {{"Name", "string", "name", "", 0}, {"Age", "string", "", "", 0}}};
  return columns;
}

/// Returns true if the column shows the time since creation. The column Age of built-in types
/// always does. The description of a custom column names its field.
bool shows_creation_time(const TableColumn& column) {
  if (column.name != "Age") return false;
  const bool is_custom = column.description.starts_with("Custom resource definition column");
  return !is_custom || column.description.find(".metadata.creationTimestamp") != std::string::npos;
}

std::string cell_of(const JsonTree::Node& node) {
  if (node.kind == JsonTree::Kind::string) return json_unquoted(node.text);
  return node.text == "null" ? std::string() : std::string(node.text);
}

bool says_something(std::string_view cell) { return !cell.empty() && cell != "<none>"; }

/// Returns the first `count` cells that the server sent. Returns none if they are missing or
/// invalid.
std::vector<std::string> server_cells(const Object& object, std::size_t count) {
  std::vector<std::string> cells;
  const Result<JsonTree> tree = JsonTree::parse(object.cells());
  if (!tree || tree->root().kind != JsonTree::Kind::array) return cells;
  for (const JsonTree::Node* node : tree->children(tree->root())) {
    if (cells.size() == count) break;
    cells.push_back(cell_of(*node));
  }
  return cells;
}

}  // namespace

const TableColumns& row_columns(const Object& object) {
  const TableColumns* columns = object.columns();
  return columns != nullptr && !columns->columns.empty() ? *columns : name_and_age();
}

std::string age_text(const Object* object, Clock::Wall now) {
  const auto created = object == nullptr ? std::nullopt : object->creation_time();
  return created ? human_age(wall_time(*created), now) : "<unknown>";
}

std::vector<std::string> row_cells(const Object& object, Clock::Wall now) {
  const TableColumns& definition = row_columns(object);
  if (&definition == &name_and_age()) {
    return {std::string(object.name()), age_text(&object, now)};
  }
  std::vector<std::string> cells = server_cells(object, definition.columns.size());
  cells.resize(definition.columns.size());
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (object.creation_time() && shows_creation_time(definition.columns[i])) {
      cells[i] = age_text(&object, now);
    }
  }
  return cells;
}

std::string state_text(const Object* object, const Object* before, bool wide, Clock::Wall now) {
  if (object == nullptr) return {};
  const std::vector<TableColumn>& columns = row_columns(*object).columns;
  const std::vector<std::string> cells = row_cells(*object, now);
  std::vector<std::string> old_cells;
  const bool comparable = before != nullptr && row_columns(*before).columns == columns;
  if (comparable) old_cells = row_cells(*before, now);
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const TableColumn& column = columns[i];
    if (column.format == "name" || column.name == "Age" || (column.priority > 0 && !wide)) continue;
    if (comparable ? cells[i] == old_cells[i] : !says_something(cells[i])) continue;
    if (!text.empty()) text += ' ';
    const std::size_t name_begin = text.size();
    text += column.name;
    std::replace(text.begin() + static_cast<std::ptrdiff_t>(name_begin), text.end(), ' ', '-');
    text += '=';
    text += cells[i];
  }
  return text;
}

void add_type_to_name(const ResourceType& type, const TableColumns& columns,
                      std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size() && i < columns.columns.size(); ++i) {
    if (columns.columns[i].format == "name") cells[i].insert(0, typed_name(type, ""));
  }
}

}  // namespace kinf
