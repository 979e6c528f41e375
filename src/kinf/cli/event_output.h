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

namespace kinf {

struct EventOutputOptions {
  PrintOptions print;
  bool watch_only = false;        ///< the first list is not printed
  bool notify_when_idle = false;  ///< notifies ExitRequest when all events so far are printed
  std::optional<std::uint64_t> max_events;
};

/// Writes when nothing more waits, and before that when much has gathered. After the last event
/// that is wanted, and once nobody reads, it sets the exit code and drops the rest.
/// Threads: the handlers on any thread, side by side.
class EventOutput {
 public:
  /// All references must outlive this.
  EventOutput(EventOutputOptions options, FileWriter& writer, Clock& clock,
              ExitRequest& exit_request);
  ~EventOutput();

  /// The handler of one more informer, all before the first is started; lives as long as this.
  /// `after_initial` is called once, when the objects of its first list have been taken; with no
  /// lock held.
  EventHandler& handler(const ResourceType& type, std::function<void()> after_initial = {});
  /// Writes at once from now on. Before that, with several handlers, nothing is written until the
  /// first lists of all are there, so that they are laid out as one.
  void stop_gathering();
  /// Events printed so far.
  std::uint64_t printed() const;
  /// Writes what is held back. For the end, when no handler is called any more.
  void finish();

 private:
  class Handler;
  void take(const ResourceType& type, const Change& change);
  void initial_taken();
  void write_out();
  void write_out_locked() KINF_REQUIRES(mu_);

  const EventOutputOptions options_;
  FileWriter& writer_;
  Clock& clock_;
  ExitRequest& exit_request_;
  std::vector<std::unique_ptr<Handler>> handlers_;
  mutable Mutex mu_;
  std::unique_ptr<EventPrinter> printer_ KINF_GUARDED_BY(mu_);
  std::string text_ KINF_GUARDED_BY(mu_);
  bool gathering_ KINF_GUARDED_BY(mu_) = false;
  std::size_t synced_ KINF_GUARDED_BY(mu_) = 0;
  std::uint64_t printed_ KINF_GUARDED_BY(mu_) = 0;
};

}  // namespace kinf
