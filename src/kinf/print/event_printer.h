// SPDX-License-Identifier: Apache-2.0
// EventPrinter: formats changes as text. The caller passes the time and writes the text.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/api/change.h"
#include "kinf/api/group_version_resource.h"
#include "kinf/print/output_form.h"
#include "kinf/print/table_text.h"
#include "kinf/query/ignored_paths.h"

namespace kinf {

struct EventNote;
struct Gap;

struct PrintOptions : ShowOptions {
  /// Whether to print the type of each change: in an EVENT column, or as an event that contains the
  /// document.
  bool with_events = true;
  bool with_cluster = false;     ///< table: add a CLUSTER column; JSON: add a field `cluster`
  bool with_namespace = false;   ///< table: add a NAMESPACE column
  bool several_types = false;    ///< table: print names as TYPE/NAME, and one table for all types
  bool several_objects = false;  ///< table of `kinf history`: add an OBJECT column
  bool headers = true;
  bool colour = false;
  TerminalWidth terminal_width;  ///< empty if the output is not a terminal
  IgnoredPaths ignored;          ///< changes at these paths are shown only in form patch
  Clock::Wall start{};           ///< the time from which TimeForm::relative counts
};

/// Returns the separator of the cells in csv and tsv; nullopt for other formats.
std::optional<Separator> separator_of(OutputFormat format);

/// Replaces the short form of times by RFC 3339 in csv and tsv, whose times need a date.
void add_dates(PrintOptions& options);

/// The contents of a BOOKMARK event: every change up to `resource_version` has been printed.
struct Bookmark {
  std::string resource_version;
  bool ends_initial_list = false;
  Clock::Wall time{};
};

/// The maximum number of rows that a printer holds back to align them.
inline constexpr std::size_t kHeldRows = 10'000;

/// Returns whether a change is part of an initial list or of a resync. Printers of tables hold such
/// changes back, to align their rows.
bool comes_in_a_batch(const Change& change);

/// The width of the longest word in the EVENT column.
inline constexpr std::size_t kEventWidth = 7;

/// The base class of the printers, one for each output format. Threads: one thread at a time.
class EventPrinter {
 public:
  virtual ~EventPrinter() = default;
  /// Appends the text of `change`, a change of an object of type `type`, to `out`. May hold text
  /// back until flush(). Ages are relative to `now`.
  virtual void print(const ResourceType& type, const Change& change, Clock::Wall now,
                     std::string& out) = 0;
  /// Appends an Event (v1) about a printed object. `change` is the change of the Event, `note` its
  /// contents. The default implementation prints the Event like any other object.
  virtual void print_note(const ResourceType& type, const Change& change, const EventNote& /*note*/,
                          Clock::Wall now, std::string& out) {
    print(type, change, now, out);
  }
  virtual void flush(std::string& out) { (void)out; }
  /// Adds the headers, if they are the same for all types and not printed yet. kubectl prints those
  /// of custom columns also when there is no object.
  virtual void add_headers() {}
  /// Appends an event of type BOOKMARK. Formats other than json and yaml append nothing.
  virtual void print_bookmark(const ResourceType& /*type*/, const Bookmark& /*bookmark*/,
                              std::string& /*out*/) {}
  /// Appends a gap of the recording, at its place between the changes. Returns false, and appends
  /// nothing, if the format has no form for gaps.
  virtual bool print_gap(const Gap& /*gap*/, std::string& /*out*/) { return false; }
  /// Returns the number of changes that could not be printed, because the server sent a damaged
  /// document. Each is logged.
  virtual std::size_t unprinted() const { return 0; }
  /// Sets the cluster of the next changes to print, for PrintOptions::with_cluster.
  void set_cluster(std::string_view cluster) { cluster_ = cluster; }

 protected:
  const std::string& cluster() const { return cluster_; }

 private:
  std::string cluster_;
};

/// Returns the printer for `options.format`, which must not be json_lines or keys.
std::unique_ptr<EventPrinter> make_event_printer(const PrintOptions& options);

/// Returns the type of a watch event in the API's spelling: `ADDED`, `MODIFIED` or `DELETED`.
std::string_view wire_word(ChangeType type);

/// Returns the word of the EVENT column: `Added`, `Updated`, `Deleted` or `Resync`.
std::string_view event_word(ChangeType type);

/// Returns a name with its type, such as `pod/web-1` or `deployment.apps/web`. Escapes characters
/// that are not printable, so that a name stays on one line and cannot control the terminal.
std::string typed_name(const ResourceType& type, std::string_view name);

}  // namespace kinf
