// SPDX-License-Identifier: Apache-2.0
// -o table and wide: prints kubectl's columns with EVENT in front. Several types share one table of
// NAME, AGE and STATE.
#pragma once

#include <string>
#include <vector>

#include "kinf/print/event_printer.h"
#include "kinf/print/table_printer.h"

namespace kinf {

class EventTable final : public EventPrinter {
 public:
  explicit EventTable(const PrintOptions& options);
  /// Holds the rows of the initial list back until flush(), so that they share their widths.
  void print(const ResourceType& type, const Change& change, Clock::Wall now,
             std::string& out) override;
  void flush(std::string& out) override;

 private:
  /// Switches the table to the columns of the object, if they differ.
  void follow_columns(const ResourceType& type, const Change& change, std::string& out);
  void use_columns(const std::vector<TableColumn>& columns, const ResourceType& type);
  PrintedRow make_row(const ResourceType& type, const Change& change, Clock::Wall now) const;
  bool has_state_column() const { return options_.with_events && options_.several_types; }
  /// Colours the word of the first column.
  std::string coloured(const std::string& lines) const;

  PrintOptions options_;
  TablePrinter printer_;
  std::vector<TableColumn> columns_;  ///< EVENT and NAMESPACE included; empty until the first row
  bool columns_changed_ = false;
  const TableColumns* definition_ = nullptr;  ///< the columns that columns_ were made from
  ObjectPtr definition_owner_;                ///< keeps definition_ alive
  std::vector<PrintedRow> held_;
};

}  // namespace kinf
