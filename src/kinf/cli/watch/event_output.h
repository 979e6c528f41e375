// SPDX-License-Identifier: Apache-2.0
// EventOutput: prints the events of all informers of `kinf watch` to stdout.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/base/clock.h"
#include "kinf/base/sync.h"
#include "kinf/cli/flags/event_types.h"
#include "kinf/cli/flags/until.h"
#include "kinf/cli/runtime/exit_request.h"
#include "kinf/cli/runtime/file_writer.h"
#include "kinf/cli/watch/involved_objects.h"
#include "kinf/print/event_printer.h"
#include "kinf/query/sort_order.h"
#include "kinf/query/update_filter.h"

namespace kinf {

class StateSaver;

struct EventOutputOptions {
  PrintOptions print;
  bool watch_only = false;                  ///< skip the initial list
  bool notify_when_idle = false;            ///< notify ExitRequest when all events are printed
  std::optional<std::uint64_t> max_events;  ///< exit after this many; nullopt: no limit
  UpdateFilter filter;
  /// nullopt: all, but no resyncs, and no deletions of Events, which the server deletes after an
  /// hour.
  std::optional<EventTypes> events;
  std::shared_ptr<Until> until;   ///< exit after the first printed event that satisfies it; or null
  std::shared_ptr<Jq> jq;         ///< print its results for each JSON event instead; or null
  bool for_terminal = false;      ///< stdout is a terminal
  SortOrder sort;                 ///< of the initial list
  bool is_history = false;        ///< print the table of `kinf history`
  bool mark_initial_end = false;  ///< print a bookmark after each initial list
};

/// Writes when a handler becomes idle or 64 KiB of text is buffered. After `max_events` events, the
/// event that `until` waits for, or a failed write, sets the exit code and drops further events.
/// Threads: any thread may call the handlers, also concurrently.
class EventOutput {
 public:
  /// All references must outlive this.
  EventOutput(EventOutputOptions options, FileWriter& writer, Clock& clock,
              ExitRequest& exit_request);
  ~EventOutput();

  /// Reports to `state`, which must outlive this, what was written and what never will be. Call it
  /// before the handlers are called.
  void set_state(StateSaver* state) { state_ = state; }
  /// Returns a new handler, owned by this object. Calls `after_initial` once, after the initial
  /// list of the handler is written, without holding a lock. `cluster`: see
  /// EventPrinter::set_cluster().
  EventHandler& handler(const ResourceType& type, std::function<void()> after_initial = {},
                        std::string cluster = {});
  /// Returns a new handler for the Events of --with-events, owned by this object. It prints those
  /// about objects that the other handlers of its cluster received; of the initial ones only those
  /// of the last hour, after the objects, the oldest first. Skips deletions and resyncs of Events.
  EventHandler& events_handler(const ResourceType& type, std::string cluster = {});
  /// With several handlers, printing waits for all initial lists, which are then printed as one
  /// table in the order of the handlers, or sorted. This call stops waiting and prints the events
  /// so far. An initial list that is to be sorted is still printed as a whole.
  void stop_gathering();
  /// Prints a bookmark if nothing was printed since the last one and `version` is newer. Call it
  /// when all changes up to this version have been passed to `handler`, which handler() returned.
  void bookmark(EventHandler& handler, const std::string& version);
  /// Returns the number of events printed so far.
  std::uint64_t printed() const;
  /// Returns the number of events that could not be printed; see EventPrinter::unprinted().
  std::size_t unprinted() const;
  /// Returns the number of updates that the filter skipped, or nullopt if there is no filter.
  std::optional<std::uint64_t> left_out() const;
  /// Prints and writes the remaining events. Call it after the informers have stopped.
  void finish();

 private:
  class Handler;
  struct ClusterEvents {
    const Handler* handler = nullptr;  ///< the handler of the Events
    InvolvedObjects involved{};
  };
  bool wants(const ResourceType& type, const Change& change) const;
  enum class Receives { objects, events };
  void take(Handler& handler, const Change& change, bool print = true);
  void take_note(Handler& handler, const Change& change);
  void take_update(Handler& handler, const Change& change);
  void initial_taken(Handler& handler, const std::string& version);
  bool holds_locked(const Handler& handler) const KINF_REQUIRES(mu_);
  void print_initial_locked() KINF_REQUIRES(mu_);
  /// Ends gathering. Returns the after_initial functions to call without the lock.
  std::vector<std::function<void()>> release_locked() KINF_REQUIRES(mu_);
  /// Appends to text_; on_idle() of a handler writes it.
  void print_locked(const Handler& handler, const Change& change) KINF_REQUIRES(mu_);
  /// Prints the held changes of the Events.
  void release_notes_locked(Handler& handler) KINF_REQUIRES(mu_);
  /// Prints an Event if it is about an object of the other handlers.
  void print_note_locked(const Handler& handler, const Change& change) KINF_REQUIRES(mu_);
  /// Counts what was printed, writes if there is much text, and ends the command if it was the
  /// last.
  void printed_locked(const ResourceType& type, const Change& change) KINF_REQUIRES(mu_);
  void drop_locked(const ResourceType& type, const Change& change) KINF_REQUIRES(mu_);
  void write_out();
  void write_out_locked() KINF_REQUIRES(mu_);

  /// The state of the output. It begins with gathering, and then alternates between the other two.
  enum class Phase {
    gathering,  ///< with several handlers, holds changes until all initial lists are here
    releasing,  ///< prints what was held; the text of other handlers is still incomplete
    passing_on  ///< prints each change as it comes, unless its handler still sorts its list
  };
  struct Progress {
    std::uint64_t printed = 0;   ///< events
    std::uint64_t left_out = 0;  ///< updates that the filter skipped
    bool is_done = false;        ///< the last event is printed; drops the others
  };

  const EventOutputOptions options_;
  FileWriter& writer_;
  Clock& clock_;
  ExitRequest& exit_request_;
  StateSaver* state_ = nullptr;  ///< null: no --state
  mutable Mutex mu_;
  /// In the order of registration, which is that of the objects in the first table. Never shrinks,
  /// although informers come and go.
  std::vector<std::unique_ptr<Handler>> handlers_ KINF_GUARDED_BY(mu_);
  std::unique_ptr<EventPrinter> printer_ KINF_GUARDED_BY(mu_);
  /// What is printed but not written. A line or document in it may be incomplete until
  /// EventPrinter::flush().
  std::string text_ KINF_GUARDED_BY(mu_);
  /// By cluster, empty without --with-events: the handler of its Events, and the objects that they
  /// may be about.
  std::map<std::string, ClusterEvents> events_ KINF_GUARDED_BY(mu_);
  Phase phase_ KINF_GUARDED_BY(mu_) = Phase::gathering;
  Progress progress_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
