// SPDX-License-Identifier: Apache-2.0
// HistoryTable: prints the versions of an object: when, what happened, who did it, what changed.
#pragma once

#include <string>
#include <string_view>

#include "kinf/print/diff_text.h"
#include "kinf/print/event_printer.h"
#include "kinf/print/shown_diff.h"
#include "kinf/print/table_text.h"

namespace kinf {

/// One changed path is shown with its values; several are named. With PrintOptions::diff, the
/// differences follow each row instead.
class HistoryTable final : public EventPrinter {
 public:
  explicit HistoryTable(const PrintOptions& options);
  void print(const ResourceType& type, const Change& change, Clock::Wall now,
             std::string& out) override;

 private:
  std::string changed_text(const ResourceType& type, const Change& change, Clock::Wall now);

  const PrintOptions options_;
  ShownDiff diff_;
  DiffText diff_text_;
  TableText table_;
  bool has_headers_ = false;
};

}  // namespace kinf
