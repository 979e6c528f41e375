// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/grouped_table.h"

namespace kinf {

void GroupedTable::print(const ResourceType& type, const Change& change, Clock::Wall now,
                         std::string& out) {
  EventTable& table = table_of(type);
  if (&table != current_) {
    flush(out);
    if (current_ != nullptr && options_.headers) out += '\n';
    current_ = &table;
    table.repeat_headers();
  }
  table.set_cluster(cluster());
  table.print(type, change, now, out);
}

void GroupedTable::print_note(const ResourceType& type, const Change& change, const EventNote& note,
                              Clock::Wall now, std::string& out) {
  if (current_ == nullptr) current_ = &table_of(type);
  current_->set_cluster(cluster());
  current_->print_note(type, change, note, now, out);
}

EventTable& GroupedTable::table_of(const ResourceType& type) {
  return tables_.try_emplace(type.gvr.group_resource(), options_).first->second;
}

void GroupedTable::flush(std::string& out) {
  if (current_ != nullptr) current_->flush(out);
}

}  // namespace kinf
