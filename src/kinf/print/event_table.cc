// SPDX-License-Identifier: Apache-2.0
// TIME, EVENT, CLUSTER and NAMESPACE are ordinary columns before those of the server, so that all
// variants of the table share one layout.
#include "kinf/print/event_table.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "kinf/print/object_row.h"

namespace kinf {
namespace {

/// The maximum number of rows of the initial list that are held back.
constexpr std::size_t kMostHeldRows = 10'000;

/// The spaces between two columns.
constexpr std::size_t kColumnGap = 3;
/// The indentation of a diff, relative to the EVENT column of its row.
constexpr std::size_t kDiffIndent = 2;
/// The maximum width of the paths in STATE, unless the first one is longer.
constexpr std::size_t kPathsWidth = 48;

/// The text of a change in the EVENT column and its colour.
struct EventWord {
  std::string_view word;
  std::string_view colour;
};

constexpr std::array<EventWord, 4> kEventWords = {{{"Added", "\x1b[32m"},
                                                   {"Updated", "\x1b[33m"},
                                                   {"Deleted", "\x1b[31m"},
                                                   {"Resync", "\x1b[90m"}}};

std::string_view table_word(ChangeType type) {
  return kEventWords[static_cast<std::size_t>(type)].word;
}

TablePrinterOptions printer_options(const PrintOptions& options) {
  TablePrinterOptions result;
  result.headers = options.headers;
  result.wide = options.format == OutputFormat::wide;
  result.show_labels = options.show_labels;
  result.label_columns = options.label_columns;
  return result;
}

/// Returns the initial width of a column: the length of its longest common cell, so that the
/// columns do not move while events are printed. Returns 0 for other columns.
std::size_t reserved_width(std::string_view column, bool is_pod) {
  if (column == "Event") return 7;
  if (!is_pod) return 0;
  if (column == "Ready") return 5;
  if (column == "Status") return 17;
  return column == "Restarts" ? 10 : 0;
}

}  // namespace

EventTable::EventTable(const PrintOptions& options)
    : options_(options),
      printer_(printer_options(options)),
      diff_(options),
      diff_text_(options.diff.value_or(DiffForm::lines), options.colour) {}

void EventTable::print(const ResourceType& type, const Change& change, Clock::Wall now,
                       std::string& out) {
  follow_columns(type, change, out);
  const bool hold = change.origin.source == ChangeSource::list && change.type == ChangeType::added;
  if (!hold) flush(out);
  held_.push_back(make_row(type, change, now));
  if (!hold || held_.size() >= kMostHeldRows) flush(out);
  const ObjectDiff* const found = has_diff() ? diff_.of(type, change) : nullptr;
  if (found == nullptr) return;
  const std::size_t time = options_.time_form ? time_width(*options_.time_form) + kColumnGap : 0;
  diff_text_.append(out, *found, time + kDiffIndent);
}

void EventTable::flush(std::string& out) {
  if (held_.empty()) return;
  const auto* columns = std::exchange(columns_changed_, false) ? &columns_ : nullptr;
  const std::string lines = printer_.print(columns, held_);
  held_.clear();
  out += options_.colour && options_.with_events ? coloured(lines) : lines;
}

void EventTable::follow_columns(const ResourceType& type, const Change& change, std::string& out) {
  if (has_diff()) {
    if (columns_.empty()) use_columns({{"Name", "string", "name", "", 0}}, type);
    return;
  }
  if (has_state_column()) {
    if (columns_.empty()) {
      use_columns({{"Name", "string", "name", "", 0},
                   {"Age", "string", "", "", 0},
                   {"State", "string", "", "", 0}},
                  type);
    }
    return;
  }
  if (!change.object) return;
  const TableColumns& definition = row_columns(*change.object);
  if (&definition == definition_) return;
  if (definition_ == nullptr || definition.columns != definition_->columns) {
    flush(out);
    use_columns(definition.columns, type);
  }
  definition_ = &definition;
  definition_owner_ = change.object;
}

void EventTable::use_columns(const std::vector<TableColumn>& columns, const ResourceType& type) {
  columns_.clear();
  if (options_.time_form) columns_.push_back({"Time", "string", "", "", 0});
  if (options_.with_events) columns_.push_back({"Event", "string", "", "", 0});
  if (options_.with_cluster) columns_.push_back({"Cluster", "string", "", "", 0});
  if (options_.with_namespace) columns_.push_back({"Namespace", "string", "", "", 0});
  columns_.insert(columns_.end(), columns.begin(), columns.end());
  columns_changed_ = true;
  if (options_.time_form) printer_.text().reserve(0, time_width(*options_.time_form));
  if (!options_.with_events) return;
  const bool is_pod = !has_diff() && type.gvr.group.empty() && type.gvr.resource == "pods";
  std::size_t position = 0;
  for (const TableColumn& column : columns_) {
    if (column.priority > 0 && options_.format != OutputFormat::wide) continue;
    const std::size_t width = reserved_width(column.name, is_pod && !has_state_column());
    if (width > 0) printer_.text().reserve(position, width);
    ++position;
  }
}

PrintedRow EventTable::make_row(const ResourceType& type, const Change& change, Clock::Wall now) {
  const Object* object = change.object.get();
  PrintedRow row;
  std::vector<std::string>& cells = row.cells;
  const std::string name(object != nullptr ? object->name()
                                           : change.key.substr(change.key.rfind('/') + 1));
  if (has_diff()) {
    cells = {typed_name(type, name)};
  } else if (!has_state_column() && object != nullptr) {
    cells = row_cells(*object, now);
    if (options_.several_types) add_type_to_name(type, row_columns(*object), cells);
  } else {
    cells = {options_.several_types ? typed_name(type, name) : name, age_text(object, now)};
    if (has_state_column()) cells.push_back(state_of(type, change, now));
  }
  if (options_.with_namespace) {
    const std::size_t slash = change.key.rfind('/');
    cells.insert(cells.begin(), slash == std::string::npos ? "" : change.key.substr(0, slash));
  }
  if (options_.with_cluster) cells.insert(cells.begin(), cluster());
  if (options_.with_events) cells.insert(cells.begin(), std::string(table_word(change.type)));
  if (options_.time_form) {
    cells.insert(cells.begin(),
                 time_text(*options_.time_form, change.origin.arrived, options_.start));
  }
  const bool shows_labels = options_.show_labels || !options_.label_columns.empty();
  for (std::size_t i = 0; shows_labels && object != nullptr && i < object->label_count(); ++i) {
    row.labels.emplace_back(object->label_at(i));
  }
  return row;
}

std::string EventTable::state_of(const ResourceType& type, const Change& change, Clock::Wall now) {
  const bool wide = options_.format == OutputFormat::wide;
  // An object that left a selection is shown whole, like every deleted one.
  const Object* const old = change.type == ChangeType::deleted ? nullptr : change.old.get();
  std::string text = state_text(change.object.get(), old, wide, now);
  if (!text.empty()) return text;
  const ObjectDiff* const found = diff_.of(type, change);
  if (found == nullptr) return text;
  std::vector<std::string> paths;
  for (const bool of_metadata : {false, true}) {  // what matters more comes first
    for (const Difference& difference : found->changes) {
      std::string path = path_text(difference.path);
      if (path.starts_with(".metadata.") == of_metadata) paths.push_back(std::move(path));
    }
  }
  for (const std::string& path : paths) {
    if (!text.empty() && text.size() + path.size() >= kPathsWidth) return text + " …";
    if (!text.empty()) text += ' ';
    text += path;
  }
  return text;
}

std::string EventTable::coloured(const std::string& lines) const {
  std::string result;
  std::string_view rest = lines;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n') + 1);
    rest.remove_prefix(line.size());
    // Times have no blanks inside.
    const std::size_t at =
        options_.time_form ? std::min(line.find_first_not_of(' ', line.find(' ')), line.size()) : 0;
    const std::string_view words = line.substr(at);
    const auto found = std::ranges::find_if(
        kEventWords, [&](const EventWord& event) { return words.starts_with(event.word); });
    result += line.substr(0, at);
    if (found == kEventWords.end()) {
      result += words;
    } else {
      result.append(found->colour).append(found->word).append("\x1b[0m");
      result += words.substr(found->word.size());
    }
  }
  return result;
}

}  // namespace kinf
