// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/object_row.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "kinf/base/json_string.h"
#include "kinf/base/timestamp.h"
#include "kinf/columns/aged_cells.h"
#include "kinf/columns/human_duration.h"
#include "kinf/print/event_printer.h"
#include "kinf/print/json_tree.h"
#include "kinf/query/jsonpath.h"

namespace kinf {
namespace {

const TableColumns& name_and_age() {
  static const TableColumns columns{
      {{"Name", "string", "name", "", 0}, {"Age", "string", "", "", 0}}};
  return columns;
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

/// Sets the cells that show the time since something else than the creation.
void set_other_ages(const Object& object, const TableColumns& definition, Clock::Wall now,
                    std::vector<std::string>& cells) {
  Scratch scratch;
  const nlohmann::json document = parse_document(object.json(scratch));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (shows_creation_age(definition.columns[i])) continue;
    if (auto cell = aged_cell(document, definition.columns[i], now)) cells[i] = *std::move(cell);
  }
}

}  // namespace

const TableColumns& row_columns(const Object& object) {
  const TableColumns* columns = object.columns();
  return columns != nullptr && !columns->columns.empty() ? *columns : name_and_age();
}

bool has_other_ages(const Object& object) {
  return object.columns() != nullptr &&
         shows_other_ages(object.api_version(), object.kind(), *object.columns(), object.cells());
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
    if (object.creation_time() && shows_creation_age(definition.columns[i])) {
      cells[i] = age_text(&object, now);
    }
  }
  if (object.form() == ObjectForm::raw && has_other_ages(object)) {
    set_other_ages(object, definition, now, cells);
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
