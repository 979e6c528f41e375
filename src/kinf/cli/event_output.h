// SPDX-License-Identifier: Apache-2.0
// EventOutput: where the events of all informers of a `watch` come together: printer, buffer,
// stdout. EventOutput::handler() is what each informer calls.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/base/clock.h"
#include "kinf/base/sync.h"
#include "kinf/cli/ending.h"
#include "kinf/cli/file_writer.h"
#include "kinf/print/event_printer.h"

namespace kinf {

struct EventOutputOptions {
  PrintOptions print;
  bool watch_only = false;  ///< the first list is not printed
  std::optional<std::uint64_t> max_events;
};

/// Writes when nothing more waits, and before that when much has gathered. After the last event
/// that is wanted, and once nobody reads, it tells `ending` and drops the rest.
/// Threads: the handlers on any thread, side by side.
class EventOutput {
 public:
  /// All references must outlive this.
  EventOutput(EventOutputOptions options, FileWriter& writer, Clock& clock, Ending& ending);
  ~EventOutput();

  /// The handler of one more informer; lives as long as this.
  EventHandler& handler(const ResourceType& type);
  /// Events printed so far.
  std::uint64_t printed() const;
  /// Writes what is held back. For the end, when no handler is called any more.
  void finish();

 private:
  class Handler;
  void take(const PrintedEvent& event);
  void write_out();
  void write_out_locked() KINF_REQUIRES(mu_);

  const EventOutputOptions options_;
  FileWriter& writer_;
  Clock& clock_;
  Ending& ending_;
  std::vector<std::unique_ptr<Handler>> handlers_;
  mutable Mutex mu_;
  std::unique_ptr<EventPrinter> printer_ KINF_GUARDED_BY(mu_);
  std::string text_ KINF_GUARDED_BY(mu_);
  std::uint64_t printed_ KINF_GUARDED_BY(mu_) = 0;
};

}  // namespace kinf
