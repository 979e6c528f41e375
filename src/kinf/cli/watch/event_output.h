// SPDX-License-Identifier: Apache-2.0
// EventOutput: prints the events of all informers of `kinf watch` to stdout.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/base/clock.h"
#include "kinf/base/sync.h"
#include "kinf/cli/flags/event_types.h"
#include "kinf/cli/flags/until.h"
#include "kinf/cli/runtime/exit_request.h"
#include "kinf/cli/runtime/file_writer.h"
#include "kinf/cli/watch/involved_objects.h"
#include "kinf/informer/informer_observer.h"
#include "kinf/print/event_printer.h"
#include "kinf/query/sort_order.h"
#include "kinf/query/update_filter.h"

namespace kinf {

class HistoryRows;
class StateSaver;
struct Gap;
struct HistoryRow;

struct EventOutputOptions {
  PrintOptions print;
  bool watch_only = false;                  ///< skip the initial list
  bool notify_when_idle = false;            ///< notify ExitRequest when all events are printed
  std::optional<std::uint64_t> max_events;  ///< exit after this many events; nullopt means no limit
  UpdateFilter filter;
  /// The types of changes to print. nullopt means all except resyncs, and except deletions of
  /// Events, because the server deletes every Event after an hour.
  std::optional<EventTypes> events;
  /// Exit after the first printed event that satisfies `until`; null without --until.
  std::shared_ptr<Until> until;
  /// A jq program. Its results are printed instead of the JSON events. Null without --jq.
  std::shared_ptr<Jq> jq;
  bool for_terminal = false;  ///< stdout is a terminal
  SortOrder sort;  ///< the order of the initial list; empty: Events by time, others as they came
  bool is_history = false;  ///< print the table of `kinf history`
  bool sorts_rows = false;  ///< a history: sort the rows by time; see HistoryRows
  /// Print each change where it arrives, without waiting for the initial lists of other handlers.
  bool in_order = false;
  bool mark_initial_end = false;  ///< print a bookmark after each initial list
};

/// Collects text, and writes it when a handler becomes idle or the text reaches 64 KiB. After
/// `max_events` events, the event that `until` waits for, or a failed write, sets the exit code and
/// drops further events.
/// Threads: any thread may call the handlers, also concurrently.
class EventOutput {
 public:
  /// All references must outlive this object.
  EventOutput(EventOutputOptions options, FileWriter& writer, Clock& clock,
              ExitRequest& exit_request);
  ~EventOutput();

  /// Makes this object tell `state` which changes it has written and which it will never write.
  /// `state` must outlive this object. Call it before any handler is called.
  void set_state(StateSaver* state) { state_ = state; }
  /// Returns a new handler, owned by this object. Calls `after_initial` once, after the initial
  /// list of the handler is written, without holding a lock. `cluster`: see
  /// EventPrinter::set_cluster().
  EventHandler& handler(const ResourceType& type, std::function<void()> after_initial = {},
                        std::string cluster = {});
  /// Returns a new handler for the Events of --with-events, owned by this object. It prints the
  /// Events about objects that the other handlers of its cluster received. Of the initial Events,
  /// it prints those of the last hour, oldest first, after the objects. It skips deletions and
  /// resyncs of Events.
  EventHandler& events_handler(const ResourceType& type, std::string cluster = {});
  /// Stops waiting for initial lists, and prints the events so far. Without this call, an output
  /// with several handlers prints nothing until all initial lists are complete, and then prints
  /// them as one table in the order of the handlers, or sorted. An initial list that is to be
  /// sorted is still printed as a whole.
  void stop_gathering();
  /// Removes the handlers of a cluster, whose informers must have stopped. Drops their changes that
  /// are not printed yet, because the next attempt to use the cluster lists all objects again.
  void leave_cluster(std::string_view cluster);
  /// Prints a gap of the recording of a history. If it is not between two rows, or the format has
  /// no form for gaps, logs it.
  void take_gap(const Gap& gap);
  /// Prints a bookmark if `delivered` has a newer version than what was printed last, or if the
  /// server has sent a bookmark. Call it when all changes up to this version have been passed to
  /// `handler`, which handler() returned.
  void bookmark(EventHandler& handler, const Delivered& delivered);
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
  void end_with(const Error& error);
  bool wants(const ResourceType& type, const Change& change) const;
  enum class Receives { objects, events };
  void take(Handler& handler, const Change& change, bool print = true);
  void take_note(Handler& handler, const Change& change);
  void take_update(Handler& handler, const Change& change);
  void initial_taken(Handler& handler, const std::string& version);
  bool has_all_lists_locked() const KINF_REQUIRES(mu_);
  bool holds_locked(const Handler& handler) const KINF_REQUIRES(mu_);
  using Initial = std::vector<std::pair<const Handler*, Change>>;
  std::vector<std::size_t> initial_order(const Initial& initial) const;
  void print_initial_locked() KINF_REQUIRES(mu_);
  /// Ends gathering. Returns the after_initial functions to call without the lock.
  std::vector<std::function<void()>> release_locked() KINF_REQUIRES(mu_);
  /// Appends a change to text_, which on_idle() of a handler writes.
  void print_locked(const Handler& handler, const Change& change) KINF_REQUIRES(mu_);
  /// Adds a row of a history, and prints the rows that need not wait any longer.
  void add_row_locked(HistoryRow row) KINF_REQUIRES(mu_);
  /// Prints the rows of a history that need not wait any longer, or all of them.
  void print_rows_locked(bool all) KINF_REQUIRES(mu_);
  void print_gap_locked(const HistoryRow& row) KINF_REQUIRES(mu_);
  /// Prints the Events that were held back, oldest first.
  void release_notes_locked() KINF_REQUIRES(mu_);
  /// Prints an Event if it is about an object of the other handlers.
  void print_note_locked(const Handler& handler, const Change& change) KINF_REQUIRES(mu_);
  /// Counts a printed event. Writes text_ if it is large. Ends the command after the last event.
  void printed_locked(const ResourceType& type, const Change& change) KINF_REQUIRES(mu_);
  void drop_locked(const ResourceType& type, const Change& change) KINF_REQUIRES(mu_);
  void write_out();
  void write_out_locked() KINF_REQUIRES(mu_);

  /// The state of the output. It begins with gathering, and then alternates between the other two.
  enum class Phase {
    gathering,  ///< with several handlers, holds changes until all initial lists are complete
    releasing,  ///< prints the held changes; those of some handlers are not in text_ yet
    passing_on  ///< prints each change at once, unless its handler must still sort its list
  };
  struct Progress {
    std::uint64_t printed = 0;   ///< number of printed events
    std::uint64_t left_out = 0;  ///< number of updates that the filter skipped
    bool is_done = false;        ///< the last event was printed; later events are dropped
  };

  const EventOutputOptions options_;
  FileWriter& writer_;
  Clock& clock_;
  ExitRequest& exit_request_;
  StateSaver* state_ = nullptr;  ///< null without --state
  mutable Mutex mu_;
  /// In the order of registration, which is the order of the objects in the first table. The
  /// handlers of removed informers are kept until leave_cluster().
  std::vector<std::unique_ptr<Handler>> handlers_ KINF_GUARDED_BY(mu_);
  std::unique_ptr<EventPrinter> printer_ KINF_GUARDED_BY(mu_);
  /// Text of the printer that is not written to the output yet. Its last line or document may be
  /// incomplete until EventPrinter::flush().
  std::string text_ KINF_GUARDED_BY(mu_);
  /// For each cluster, the handler of its Events and the objects that they may be about. Empty
  /// without --with-events.
  std::map<std::string, ClusterEvents> events_ KINF_GUARDED_BY(mu_);
  Phase phase_ KINF_GUARDED_BY(mu_);
  std::unique_ptr<HistoryRows> rows_ KINF_GUARDED_BY(mu_);  ///< unused in a watch
  Progress progress_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
