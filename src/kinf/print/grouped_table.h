// SPDX-License-Identifier: Apache-2.0
// GroupedTable: one table per type (--group, and several types in `kinf get`).
#pragma once

#include <map>
#include <string>

#include "kinf/print/event_table.h"

namespace kinf {

/// Prints an empty line and the headers whenever the type changes, as kubectl does between types.
/// Threads: one thread at a time.
class GroupedTable final : public EventPrinter {
 public:
  explicit GroupedTable(const PrintOptions& options) : options_(options) {}
  void print(const ResourceType& type, const Change& change, Clock::Wall now,
             std::string& out) override;
  /// Prints the Event in the table of the last change.
  void print_note(const ResourceType& type, const Change& change, const EventNote& note,
                  Clock::Wall now, std::string& out) override;
  void flush(std::string& out) override;

 private:
  /// Returns the table of a type.
  EventTable& table_of(const ResourceType& type);

  const PrintOptions options_;
  std::map<std::string, EventTable> tables_;  ///< by group and resource
  EventTable* current_ = nullptr;             ///< the table of the last change
};

}  // namespace kinf
