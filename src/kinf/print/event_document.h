// SPDX-License-Identifier: Apache-2.0
// EventDocument: the JSON of a change: the object alone, or {"type","object",…}.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "kinf/print/event_printer.h"
#include "kinf/print/json_check.h"
#include "kinf/print/object_document.h"
#include "kinf/print/shown_diff.h"

namespace kinf {

/// Threads: one owner.
class EventDocument {
 public:
  explicit EventDocument(const PrintOptions& options);

  /// Appends one line without a line end: the object, or the event if PrintOptions::with_events.
  /// `cluster` is as in EventExtras. Returns false, and appends nothing, if the document of the
  /// object is damaged.
  bool append(std::string& out, const ResourceType& type, const Change& change,
              std::string_view cluster);

  /// Logs a change that could not be printed.
  void report_unprinted(const ResourceType& type, const Change& change, const Error& error);
  /// Returns the number of reports.
  std::size_t unprinted() const { return unprinted_; }

 private:
  bool is_valid(const ResourceType& type, const Change& change, const ObjectDocument& document);
  /// Returns `"diff":[…]` or `"patch":[…]` of an update; empty if there is none.
  std::string diff_field(const ResourceType& type, const Change& change);

  const bool with_events_;
  const bool show_secrets_;
  const bool show_old_;
  ShownDiff diff_;
  JsonCheck check_;
  std::size_t unprinted_ = 0;
  Scratch scratch_;
  Scratch old_scratch_;
};

}  // namespace kinf
