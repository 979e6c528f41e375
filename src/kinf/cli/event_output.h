// SPDX-License-Identifier: Apache-2.0
// EventOutput: where the events of all informers of a `watch` come together: printer, buffer,
// stdout. EventOutput::handler() is what each informer calls.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/base/clock.h"
#include "kinf/base/sync.h"
#include "kinf/cli/exit_request.h"
#include "kinf/cli/file_writer.h"
#include "kinf/print/event_printer.h"
#include "kinf/query/update_filter.h"

namespace kinf {

struct EventOutputOptions {
  PrintOptions print;
  bool watch_only = false;        ///< the first list is not printed
  bool notify_when_idle = false;  ///< notifies ExitRequest when all events so far are printed
  std::optional<std::uint64_t> max_events;
  UpdateFilter filter;
};

/// Writes whenever a handler has caught up, and before that when much text is ready. After the last
/// event that was asked for, and when writing fails, sets the exit code and drops the rest.
/// Threads: the handlers on any threads at the same time.
class EventOutput {
 public:
  /// All references must outlive this.
  EventOutput(EventOutputOptions options, FileWriter& writer, Clock& clock,
              ExitRequest& exit_request);
  ~EventOutput();

  /// The handler of one more informer; lives as long as this. `after_initial` is called once, when
  /// the objects of its first list have been written; with no lock held.
  EventHandler& handler(const ResourceType& type, std::function<void()> after_initial = {});
  /// With several handlers, nothing is printed until all have their first lists: these are then
  /// printed as one table, in the order of the handlers. This prints what there is and ends that.
  void stop_gathering();
  /// Events printed so far.
  std::uint64_t printed() const;
  /// Updates that the filter left out so far; nothing if there is no filter.
  std::optional<std::uint64_t> left_out() const;
  /// Prints and writes the rest. Call it when no handler is called any more.
  void finish();

 private:
  class Handler;
  void take(Handler& handler, const Change& change);
  void take_update(Handler& handler, const Change& change);
  void initial_taken(Handler& handler);
  /// Ends gathering. Returns the after_initial functions to call without the lock.
  std::vector<std::function<void()>> release_locked() KINF_REQUIRES(mu_);
  void print_locked(const ResourceType& type, const Change& change) KINF_REQUIRES(mu_);
  void write_out();
  void write_out_locked() KINF_REQUIRES(mu_);

  const EventOutputOptions options_;
  FileWriter& writer_;
  Clock& clock_;
  ExitRequest& exit_request_;
  mutable Mutex mu_;
  std::vector<std::unique_ptr<Handler>> handlers_ KINF_GUARDED_BY(mu_);
  std::unique_ptr<EventPrinter> printer_ KINF_GUARDED_BY(mu_);
  std::string text_ KINF_GUARDED_BY(mu_);
  bool gathering_ KINF_GUARDED_BY(mu_) = true;
  std::uint64_t printed_ KINF_GUARDED_BY(mu_) = 0;
  std::uint64_t left_out_ KINF_GUARDED_BY(mu_) = 0;
};

}  // namespace kinf
