// SPDX-License-Identifier: Apache-2.0
// EventTable: prints kubectl's columns after an EVENT column (-o table, wide, csv and tsv). Several
// types share one table with the columns NAME, AGE and STATE. With a diff, NAME is the only column
// after EVENT, and the differences are printed below each row.
#pragma once

#include <string>
#include <vector>

#include "kinf/print/diff_text.h"
#include "kinf/print/event_printer.h"
#include "kinf/print/object_row.h"
#include "kinf/print/shown_diff.h"
#include "kinf/print/table_printer.h"

namespace kinf {

class EventTable final : public EventPrinter {
 public:
  explicit EventTable(const PrintOptions& options);
  /// Holds the rows of the initial list back until flush(), so that they are aligned with each
  /// other.
  void print(const ResourceType& type, const Change& change, Clock::Wall now,
             std::string& out) override;
  /// Prints a row with `Event` in the EVENT column, the name of the object, and `note.text`.
  void print_note(const ResourceType& type, const Change& change, const EventNote& note,
                  Clock::Wall now, std::string& out) override;
  void flush(std::string& out) override;
  /// Prints the headers again before the next row.
  void repeat_headers() { printer_.repeat_headers(); }

 private:
  /// Switches to the columns of the object if they differ from the current ones.
  void follow_columns(const ResourceType& type, const Change& change, std::string& out);
  void use_columns(const std::vector<TableColumn>& columns, const ResourceType& type);
  /// A column that is printed before those of the server.
  enum class Lead { time, event, cluster, ns };
  /// Sets leads_ to the columns that are printed before those of the server, in their order.
  void set_leads(bool has_namespace);
  /// Returns a row with the cells of leads_. `event` is the EVENT cell.
  PrintedRow begin_row(const ResourceType& type, const Change& change, std::string_view event,
                       Colour colour, std::string_view ns) const;
  PrintedRow make_row(const ResourceType& type, const Change& change, Clock::Wall now);
  PrintedRow note_row(const ResourceType& type, const Change& change, const EventNote& note) const;
  /// Returns the STATE cell: the cells that changed, or the changed paths if no cell changed.
  std::string state_of(const ResourceType& type, const Change& change, Clock::Wall now);
  /// Returns the changed paths in one line; the old and new value of an image, and of a path that
  /// is the only one.
  std::string changed_text(const ResourceType& type, const Change& change);
  /// Returns what to print behind the row of an update that changed no cell. Empty if objects have
  /// no documents.
  std::string changed_behind(const ResourceType& type, const Change& change, Clock::Wall now);
  bool has_namespace() const { return !leads_.empty() && leads_.back() == Lead::ns; }
  bool has_diff() const { return options_.diff.has_value(); }
  bool has_state_column() const {
    return options_.several_types && !options_.group && !has_diff() &&
           (options_.with_events || !options_.is_table());
  }
  /// Returns whether the rows of a type have a NAMESPACE cell. As in kubectl, a table of only
  /// cluster-scoped objects has none.
  bool needs_namespace(const ResourceType& type) const {
    return options_.with_namespace && (type.namespaced || has_diff() || has_state_column());
  }
  /// Returns whether the cells are data (csv and tsv): times instead of ages.
  bool is_data() const { return cells_of_ == data_cells; }
  bool shows_kind() const { return options_.several_types || options_.show_kind || has_diff(); }
  Colour state_colour(const ResourceType& type, const Change& change, Clock::Wall now) const;

  PrintOptions options_;
  const CellsOf cells_of_;
  TablePrinter printer_;
  ShownDiff diff_;
  DiffText diff_text_;
  std::vector<TableColumn> columns_;  ///< all columns, with leads_; empty until the first row
  bool columns_changed_ = false;
  std::vector<Lead> leads_;
  /// The server's columns from which columns_ was built.
  const TableColumns* definition_ = nullptr;
  ObjectPtr definition_owner_;    ///< keeps definition_ alive
  std::vector<PrintedRow> held_;  ///< rows to print at the next flush()
};

}  // namespace kinf
