// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/object_row.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include "kinf/base/ascii.h"
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

/// Sets the cells that show the time since something other than the object's creation.
void set_other_ages(const Object& object, const TableColumns& definition, Clock::Wall now,
                    std::vector<std::string>& cells) {
  Scratch scratch;
  const nlohmann::json document = parse_document(object.json(scratch));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (shows_creation_age(definition.columns[i])) continue;
    if (auto cell = aged_cell(document, definition.columns[i], now)) cells[i] = *std::move(cell);
  }
}

template <std::size_t kCount>
bool is_one_of(const std::array<std::string_view, kCount>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

constexpr std::array<std::string_view, 4> kStatusColumns = {"Status", "Phase", "State", "Health"};
constexpr std::array<std::string_view, 4> kConditionColumns = {"Ready", "Available", "Healthy",
                                                               "Synced"};

/// The beginnings and ends of words that mean a failure, such as ErrImagePull and BackOff.
constexpr std::array<std::string_view, 5> kFailureStarts = {"Err", "Fail", "OutOf", "Invalid",
                                                            "Unexpected"};
constexpr std::array<std::string_view, 5> kFailureEnds = {"BackOff", "Error", "Failed", "NeverPull",
                                                          "CannotRun"};
constexpr std::array<std::string_view, 13> kFailures = {
    "OOMKilled", "Evicted",      "NodeLost",  "NodeAffinity", "DeadlineExceeded",
    "Lost",      "Unknown",      "NotReady",  "Degraded",     "ContainerStatusUnknown",
    "Unhealthy", "NodeShutdown", "Preempting"};
constexpr std::array<std::string_view, 9> kPassing = {
    "Pending",  "Terminating", "SchedulingDisabled", "SchedulingGated", "Suspended",
    "Released", "Progressing", "OutOfSync",          "Missing"};

Colour colour_of_state(std::string_view word) {
  if (word.starts_with("Init:")) word.remove_prefix(5);
  if (is_one_of(kPassing, word)) return Colour::yellow;
  if (word.starts_with("Signal:") || (word.starts_with("ExitCode:") && word != "ExitCode:0") ||
      is_one_of(kFailures, word) ||
      std::ranges::any_of(kFailureStarts, [&](auto start) { return word.starts_with(start); }) ||
      std::ranges::any_of(kFailureEnds, [&](auto end) { return word.ends_with(end); })) {
    return Colour::red;
  }
  return Colour::none;
}

/// Returns the colour of a status such as `Ready,SchedulingDisabled`. Red takes precedence.
Colour colour_of_status(std::string_view kind, std::string_view status) {
  // A pod is NotReady while one of its containers is not ready, which should not last.
  if (kind == "Pod" && status == "NotReady") return Colour::yellow;
  Colour colour = Colour::none;
  while (!status.empty()) {
    const std::string_view word = status.substr(0, status.find(','));
    status.remove_prefix(std::min(word.size() + 1, status.size()));
    const Colour one = colour_of_state(word);
    if (one == Colour::red) return one;
    if (one != Colour::none) colour = one;
  }
  return colour;
}

/// Returns the colour of a cell such as `1/2`, or of the status of a condition.
Colour colour_of_readiness(std::string_view cell) {
  if (cell == "False") return Colour::red;
  if (cell == "Unknown") return Colour::yellow;
  const std::size_t slash = cell.find('/');
  if (slash == std::string_view::npos) return Colour::none;
  const auto ready = parse_number<int>(cell.substr(0, slash));
  const auto wanted = parse_number<int>(cell.substr(slash + 1));
  return ready && wanted && *ready < *wanted ? Colour::yellow : Colour::none;
}

/// Reads the cells of one row by the names of their columns.
class Row {
 public:
  Row(const std::vector<TableColumn>& columns, const std::vector<std::string>& cells)
      : columns_(columns), cells_(cells) {}

  /// Returns an empty string if there is no such column.
  std::string_view cell(std::string_view name) const {
    for (std::size_t i = 0; i < std::min(columns_.size(), cells_.size()); ++i) {
      if (columns_[i].name == name) return cells_[i];
    }
    return {};
  }

 private:
  const std::vector<TableColumn>& columns_;
  const std::vector<std::string>& cells_;
};

bool has_completed(const Row& row) {
  const std::string_view status = row.cell("Status");
  return status == "Completed" || status == "Succeeded";
}

Colour colour_of_cell(std::string_view kind, std::string_view column, const std::string& cell,
                      const Row& row) {
  if (is_one_of(kStatusColumns, column)) return colour_of_status(kind, cell);
  if (kind == "Event") return column == "Type" && cell == "Warning" ? Colour::yellow : Colour::none;
  if (!is_one_of(kConditionColumns, column) || has_completed(row)) return Colour::none;
  if (const auto wanted = parse_number<int>(row.cell("Desired")); wanted && column == "Ready") {
    const auto ready = parse_number<int>(cell);
    return ready && *ready < *wanted ? Colour::yellow : Colour::none;
  }
  return colour_of_readiness(cell);
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
  if (&definition == &name_and_age()) return {std::string(object.name()), age_text(&object, now)};
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

std::string created_text(const Object* object) {
  const auto created = object == nullptr ? std::nullopt : object->creation_time();
  return created ? timestamp_text(*created) : "";
}

std::vector<std::string> data_cells(const Object& object, Clock::Wall now) {
  const TableColumns& definition = row_columns(object);
  if (&definition == &name_and_age()) return {std::string(object.name()), created_text(&object)};
  std::vector<std::string> cells = server_cells(object, definition.columns.size());
  cells.resize(definition.columns.size());
  const bool has_times = object.form() == ObjectForm::raw && has_other_ages(object);
  Scratch scratch;
  const nlohmann::json document = has_times ? parse_document(object.json(scratch)) : nullptr;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const TableColumn& column = definition.columns[i];
    if (shows_creation_age(column)) {
      cells[i] = created_text(&object);
    } else if (column.name == "Restarts") {
      cells[i] = without_age(std::move(cells[i]));
    } else if (has_times) {
      if (auto cell = timed_cell(document, column, now)) cells[i] = *std::move(cell);
    }
  }
  return cells;
}

std::vector<TableColumn> data_columns(std::vector<TableColumn> columns) {
  for (TableColumn& column : columns) {
    if (shows_creation_age(column)) column.name = "Created";
  }
  return columns;
}

std::string state_text(const Object* object, const Object* before, bool wide, Clock::Wall now,
                       CellsOf cells_of) {
  if (object == nullptr) return {};
  const std::vector<TableColumn>& columns = row_columns(*object).columns;
  const std::vector<std::string> cells = cells_of(*object, now);
  std::vector<std::string> old_cells;
  const bool comparable = before != nullptr && row_columns(*before).columns == columns;
  if (comparable) old_cells = cells_of(*before, now);
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

std::vector<Colour> attention_colours(std::string_view kind,
                                      const std::vector<TableColumn>& columns,
                                      const std::vector<std::string>& cells) {
  const Row row(columns, cells);
  std::vector<Colour> colours(cells.size(), Colour::none);
  for (std::size_t i = 0; i < std::min(columns.size(), cells.size()); ++i) {
    colours[i] = colour_of_cell(kind, columns[i].name, cells[i], row);
  }
  return colours;
}

Colour strongest(const std::vector<Colour>& colours) {
  for (const Colour colour : {Colour::red, Colour::yellow}) {
    if (std::ranges::find(colours, colour) != colours.end()) return colour;
  }
  return Colour::none;
}

}  // namespace kinf
