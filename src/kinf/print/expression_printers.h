// SPDX-License-Identifier: Apache-2.0
// Prints changes with the user's expressions (-o jsonpath= and -o custom-columns=). Builds a tree
// of each document, which costs more than the other formats.
#pragma once

#include <string>

#include "kinf/print/event_document.h"
#include "kinf/print/event_printer.h"
#include "kinf/print/table_text.h"

namespace kinf {

/// Applies the expression to each object, or to each event if PrintOptions::with_events. Adds no
/// line end, as in kubectl. Logs an error of an expression with the name of the object.
class JsonPathPrinter final : public EventPrinter {
 public:
  explicit JsonPathPrinter(const PrintOptions& options);
  void print(const ResourceType& type, const Change& change, Clock::Wall now,
             std::string& out) override;
  std::size_t unprinted() const override { return document_.unprinted(); }

 private:
  const OutputForm form_;
  const bool allow_missing_keys_;
  EventDocument document_;
};

/// Prints one row per change. Holds the rows of the initial list back until flush(), so that they
/// are aligned with each other. With PrintOptions::time_form, with_events and with_cluster, the
/// first columns are TIME, EVENT and CLUSTER. A TIME among the custom columns replaces the first
/// one. Logs damaged documents and leaves them out.
class CustomColumnsPrinter final : public EventPrinter {
 public:
  explicit CustomColumnsPrinter(const PrintOptions& options);
  void print(const ResourceType& type, const Change& change, Clock::Wall now,
             std::string& out) override;
  void flush(std::string& out) override;
  std::size_t unprinted() const override { return unprinted_; }

 private:
  /// Adds a row of the wanted ones of `time`, `event` and `cluster`, and of `cells`.
  void add_row(std::string_view time, std::string_view event, std::string_view cluster,
               const std::vector<std::string>& cells);

  const PrintOptions options_;
  const bool has_time_;  ///< the first column is TIME
  TableText table_;
  std::size_t rows_ = 0;  ///< since the last flush
  std::size_t unprinted_ = 0;
  bool has_headers_ = false;
};

}  // namespace kinf
