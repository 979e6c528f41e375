// SPDX-License-Identifier: Apache-2.0
// TIME, EVENT, CLUSTER and NAMESPACE are ordinary columns before those of the server, so that all
// variants of the table share one layout.
#include "kinf/print/event_table.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "kinf/print/event_note.h"
#include "kinf/print/object_row.h"
#include "kinf/print/time_text.h"

namespace kinf {
namespace {

/// The number of spaces between two columns.
constexpr std::size_t kColumnGap = 3;
/// The indentation of a diff, relative to the EVENT column of its row.
constexpr std::size_t kDiffIndent = 2;
/// The maximum width of the paths in STATE, unless the first path is longer.
constexpr std::size_t kPathsWidth = 48;

/// The colours of the words in the EVENT column, in the order of ChangeType.
constexpr std::array<Colour, 4> kEventColours = {Colour::green, Colour::yellow, Colour::red,
                                                 Colour::grey};

/// The names of the columns before those of the server.
constexpr std::array<const char*, 4> kLeadNames = {"Time", "Event", "Cluster", "Namespace"};

bool is_image(const Difference& change) {
  return !change.path.empty() && change.path.back().name == "image";
}

/// Returns the order of the changes in one line: images first, and the metadata last.
int rank_of(const Difference& change) {
  if (is_image(change)) return 0;
  return !change.path.empty() && change.path.front().name == "metadata" ? 2 : 1;
}

/// Returns the initial width of a column: the length of its longest usual cell, so that the columns
/// do not move while events are printed. Returns 0 for columns without a usual length.
std::size_t reserved_width(std::string_view column, bool is_pod) {
  if (column == "Event") return kEventWidth;
  if (!is_pod) return 0;
  if (column == "Ready") return 5;
  if (column == "Status") return 17;
  return column == "Restarts" ? 10 : 0;
}

}  // namespace

EventTable::EventTable(const PrintOptions& options)
    : options_(options),
      cells_of_(separator_of(options.format) ? data_cells : row_cells),
      printer_(options),
      diff_(options),
      diff_text_(options) {
  set_leads(options.with_namespace);
}

void EventTable::set_leads(bool has_namespace) {
  leads_.clear();
  if (options_.time_form) leads_.push_back(Lead::time);
  if (options_.with_events) leads_.push_back(Lead::event);
  if (options_.with_cluster) leads_.push_back(Lead::cluster);
  if (has_namespace) leads_.push_back(Lead::ns);
}

PrintedRow EventTable::begin_row(const ResourceType& type, const Change& change,
                                 std::string_view event, Colour colour, std::string_view ns) const {
  PrintedRow row;
  for (const Lead lead : leads_) {
    switch (lead) {
      case Lead::time:
        row.cells.push_back(
            time_text(*options_.time_form, shown_time(type, change), options_.start));
        break;
      case Lead::event: row.cells.emplace_back(event); break;
      case Lead::cluster: row.cells.push_back(cluster()); break;
      case Lead::ns: row.cells.emplace_back(ns); break;
    }
    row.colours.push_back(lead == Lead::event ? colour : Colour::none);
  }
  return row;
}

void EventTable::print(const ResourceType& type, const Change& change, Clock::Wall now,
                       std::string& out) {
  follow_columns(type, change, out);
  const bool hold = comes_in_a_batch(change);
  if (!hold) flush(out);
  held_.push_back(make_row(type, change, now));
  if (!hold || held_.size() >= kHeldRows) flush(out);
  const ObjectDiff* const found = has_diff() ? diff_.of(type, change) : nullptr;
  if (found == nullptr) return;
  const std::size_t time = options_.time_form ? time_width(*options_.time_form) + kColumnGap : 0;
  diff_text_.append(out, *found, time + kDiffIndent);
}

void EventTable::print_note(const ResourceType& type, const Change& change, const EventNote& note,
                            Clock::Wall /*now*/, std::string& out) {
  flush(out);
  if (columns_.empty() && (has_diff() || has_state_column())) {
    follow_columns(type, change, out);
  } else if (columns_.empty()) {  // no object was printed before
    use_columns({{"Name", "string", "name", "", 0}, {"Message", "string", "", "", 0}}, type);
  }
  held_.push_back(note_row(type, change, note));
  flush(out);
}

PrintedRow EventTable::note_row(const ResourceType& type, const Change& change,
                                const EventNote& note) const {
  PrintedRow row = begin_row(type, change, "Event", Colour::grey, note.ns);
  row.is_note = true;
  row.cells.push_back(shows_kind() ? note.typed_name() : note.name);
  row.cells.push_back(note.text);
  row.colours.insert(row.colours.end(),
                     {Colour::none, note.is_warning ? Colour::yellow : Colour::none});
  if (!options_.colour) row.colours.clear();
  return row;
}

void EventTable::flush(std::string& out) {
  if (held_.empty()) return;
  const auto* columns = std::exchange(columns_changed_, false) ? &columns_ : nullptr;
  out += printer_.print(columns, held_);
  held_.clear();
}

void EventTable::follow_columns(const ResourceType& type, const Change& change, std::string& out) {
  if (has_diff()) {
    if (columns_.empty()) use_columns({{"Name", "string", "name", "", 0}}, type);
    return;
  }
  if (has_state_column()) {
    if (columns_.empty()) {
      use_columns({{"Name", "string", "name", "", 0},
                   {is_data() ? "Created" : "Age", "string", "", "", 0},
                   {"State", "string", "", "", 0}},
                  type);
    }
    return;
  }
  if (!change.object) return;
  const TableColumns& definition = row_columns(*change.object);
  if (&definition == definition_) return;
  if (definition_ == nullptr || definition.columns != definition_->columns ||
      has_namespace() != needs_namespace(type)) {
    flush(out);
    use_columns(is_data() ? data_columns(definition.columns) : definition.columns, type);
  }
  definition_ = &definition;
  definition_owner_ = change.object;
}

void EventTable::use_columns(const std::vector<TableColumn>& columns, const ResourceType& type) {
  set_leads(needs_namespace(type));
  columns_.clear();
  for (const Lead lead : leads_) {
    const bool is_fixed = lead == Lead::time || lead == Lead::event;
    columns_.push_back({kLeadNames.at(static_cast<std::size_t>(lead)), "string",
                        is_fixed ? std::string(kFixedFormat) : "name", "", 0});
  }
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
  const std::size_t slash = change.key.rfind('/');
  PrintedRow row = begin_row(type, change, event_word(change.type),
                             kEventColours.at(static_cast<std::size_t>(change.type)),
                             slash == std::string::npos ? "" : change.key.substr(0, slash));
  const std::string name(object != nullptr ? object->name() : change.key.substr(slash + 1));
  std::vector<std::string> cells;
  std::vector<Colour> colours;
  if (has_diff()) {
    cells = {typed_name(type, name)};
  } else if (!has_state_column() && object != nullptr) {
    cells = cells_of_(*object, now);
    colours = attention_colours(type.kind, row_columns(*object).columns, cells);
    if (shows_kind()) add_type_to_name(type, row_columns(*object), cells);
  } else {
    cells = {shows_kind() ? typed_name(type, name) : name,
             is_data() ? created_text(object) : age_text(object, now)};
    if (has_state_column()) {
      cells.push_back(state_of(type, change, now));
      colours = {Colour::none, Colour::none, state_colour(type, change, now)};
    }
  }
  std::ranges::move(cells, std::back_inserter(row.cells));
  row.colours.insert(row.colours.end(), colours.begin(), colours.end());
  if (!options_.colour) row.colours.clear();
  row.changed = changed_behind(type, change, now);
  const bool shows_labels = options_.show_labels || !options_.label_columns.empty();
  for (std::size_t i = 0; shows_labels && object != nullptr && i < object->label_count(); ++i) {
    row.labels.emplace_back(object->label_at(i));
  }
  return row;
}

std::string EventTable::state_of(const ResourceType& type, const Change& change, Clock::Wall now) {
  const bool wide = options_.format == OutputFormat::wide;
  // Only updates are compared. A deletion shows all cells, even if the object only left the
  // selection and has an old state. A resync shows all cells, because it changes nothing.
  const Object* const old = change.type == ChangeType::updated ? change.old.get() : nullptr;
  std::string text = state_text(change.object.get(), old, wide, now, cells_of_);
  return text.empty() ? changed_text(type, change) : text;
}

std::string EventTable::changed_text(const ResourceType& type, const Change& change) {
  const ObjectDiff* const found = diff_.of(type, change);
  if (found == nullptr) return {};
  std::vector<Difference> changes = main_changes(*found);
  std::ranges::stable_sort(changes, {}, rank_of);
  std::string text;
  for (const Difference& one : changes) {
    const bool has_values = changes.size() == 1 || is_image(one);
    const std::string part = has_values ? change_text(one) : path_text(one.path);
    if (!text.empty() && text.size() + part.size() >= kPathsWidth) return text + " …";
    if (!text.empty()) text += ' ';
    text += part;
  }
  return text;
}

std::string EventTable::changed_behind(const ResourceType& type, const Change& change,
                                       Clock::Wall now) {
  const bool has_room = options_.is_table() && options_.with_events && !has_diff();
  const bool is_update = change.type == ChangeType::updated && change.old && change.object;
  if (!has_room || !is_update || has_state_column()) return {};
  if (type.kind == "Event") return {};  // the message may be long, and only the count changes
  if (change.old->form() != ObjectForm::raw || change.object->form() != ObjectForm::raw) return {};
  const bool wide = options_.format == OutputFormat::wide;
  const std::string cells = state_text(change.object.get(), change.old.get(), wide, now);
  return cells.empty() ? changed_text(type, change) : std::string();
}

Colour EventTable::state_colour(const ResourceType& type, const Change& change,
                                Clock::Wall now) const {
  if (!options_.colour || !change.object) return Colour::none;
  const Object& object = *change.object;
  return strongest(
      attention_colours(type.kind, row_columns(object).columns, row_cells(object, now)));
}

}  // namespace kinf
