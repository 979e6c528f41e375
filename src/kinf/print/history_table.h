// SPDX-License-Identifier: Apache-2.0
// HistoryTable: prints the versions of objects, with the columns TIME, EVENT, OBJECT, MANAGER and
// CHANGED.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinf/print/diff_text.h"
#include "kinf/print/event_printer.h"
#include "kinf/print/shown_diff.h"
#include "kinf/print/table_text.h"

namespace kinf {

/// Prints the versions of objects. The table of one object has no column OBJECT; that of several
/// namespaces or clusters has columns for them. If one path changed, the CHANGED cell shows that
/// path with its old and new value. If several paths changed, the cell lists the paths: at most six
/// in a table, all of them with wide, csv and tsv. With PrintOptions::diff, the differences are
/// printed below each row instead. By default, csv and tsv have times in RFC 3339. Their cells are
/// empty where a table has `–`. An Event about an object and a gap of the recording are rows, too.
/// Threads: one thread at a time.
class HistoryTable final : public EventPrinter {
 public:
  explicit HistoryTable(const PrintOptions& options);
  void print(const ResourceType& type, const Change& change, Clock::Wall now,
             std::string& out) override;
  void print_note(const ResourceType& type, const Change& change, const EventNote& note,
                  Clock::Wall now, std::string& out) override;
  bool print_gap(const Gap& gap, std::string& out) override;
  void flush(std::string& out) override;

 private:
  /// The cells of a row.
  struct Row {
    Clock::Wall time{};
    std::string_view event{};
    std::string_view ns{};
    std::string object{};
    std::string_view manager{};
    std::string changed{};
    bool is_in_batch = false;  ///< held back, to align it with the next rows
  };

  std::string changed_text(const ResourceType& type, const Change& change, Clock::Wall now);

  /// Returns the TIME cell.
  std::string when_text(Clock::Wall time) const;
  std::string gap_text(const Gap& gap) const;
  void add_row(Row row, std::string& out);
  void add_header_row(std::string& out);
  void add_cells(std::vector<std::string> cells, std::string& out);

  const PrintOptions options_;
  const std::optional<Separator> separator_;  ///< nullopt if rows are aligned as a table
  ShownDiff diff_;
  DiffText diff_text_;
  TableText table_;
  bool has_headers_ = false;
  std::size_t held_ = 0;  ///< rows that table_ holds back
};

}  // namespace kinf
