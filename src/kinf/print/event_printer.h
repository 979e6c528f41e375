// SPDX-License-Identifier: Apache-2.0
// EventPrinter: turns changes into text. Reads no clock and owns no stream: the caller passes the
// time and writes the text.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/change.h"
#include "kinf/api/group_version_resource.h"

namespace kinf {

enum class OutputFormat { table, wide, json, yaml, name };

struct PrintOptions {
  OutputFormat format = OutputFormat::table;
  /// Prints the kind of change too: an EVENT column, or an event around the document.
  bool with_events = true;
  bool with_namespace = false;  ///< table: a NAMESPACE column
  bool several_types = false;   ///< table: TYPE/NAME
  bool headers = true;
  bool show_labels = false;
  std::vector<std::string> label_columns;
  bool show_secrets = false;
  bool colour = false;
};

/// Threads: one owner at a time.
class EventPrinter {
 public:
  virtual ~EventPrinter() = default;
  /// Appends the text of `change`, to an object of `type`, to `out`. May keep some back until
  /// flush(). Ages are counted up to `now`.
  virtual void print(const ResourceType& type, const Change& change, Clock::Wall now,
                     std::string& out) = 0;
  virtual void flush(std::string& out) { (void)out; }
};

/// Returns the printer for `options.format`.
std::unique_ptr<EventPrinter> make_event_printer(const PrintOptions& options);

/// Returns the type of a watch event as the API writes it: `ADDED`, `MODIFIED` or `DELETED`.
std::string_view wire_word(ChangeType type);

/// Returns `pod/web-1` or `deployment.apps/web`. Control characters become `?`, so that a name
/// cannot steer the terminal.
std::string typed_name(const ResourceType& type, std::string_view name);

}  // namespace kinf
