// SPDX-License-Identifier: Apache-2.0
// Reflector: fills a Queue with the changes of one resource type, by listing and watching a
// ListerWatcher until it is stopped (client-go: Reflector). Holds no objects and calls no handlers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kinf/api/lister_watcher.h"
#include "kinf/base/random.h"
#include "kinf/cache/queue.h"
#include "kinf/informer/failure_reporter.h"
#include "kinf/informer/informer_options.h"
#include "kinf/informer/list_round.h"
#include "kinf/informer/pager.h"
#include "kinf/informer/setback_check.h"
#include "kinf/informer/shared_informer.h"
#include "kinf/informer/version_tracker.h"

namespace kinf {

/// The informer that owns a reflector. The default implementations disable resyncs and ignore
/// reports. All functions are called from the reflector's thread without a lock.
class ReflectorHost {
 public:
  virtual ~ReflectorHost() = default;
  /// Behaviour::client_go: how often to call begin_resync() (0: never).
  virtual Clock::Duration resync_check_period() const { return {}; }
  /// Behaviour::strict: when the next resync of any handler is due; kNever if no handler resyncs.
  virtual Clock::Mono next_resync() const { return Clock::kNever; }
  /// Starts a resync of the handlers that are due. Returns its number, called the round, or 0 if no
  /// handler is due.
  virtual std::uint32_t begin_resync() { return 0; }
  /// Called before the first list is queued, and called again if queueing failed.
  virtual void first_list(const std::string& version) { (void)version; }
  /// Called before any list after the first is queued. The deltas of that list carry `round`.
  virtual void relisting(std::uint32_t round, Relisted list) { (void)round, (void)list; }
  /// Called after a list was queued, even if the list added nothing to the queue.
  virtual void list_queued() {}
};

/// Threads: call step(), run() and finish() from one thread, last_sync_resource_version() and
/// last_error() from any.
class Reflector {
 public:
  /// All references and `observer` (may be null) must outlive the reflector.
  Reflector(ListerWatcher& source, Queue& queue, Clock& clock, const InformerOptions& options,
            ReflectorHost& host, InformerCounters& counters, InformerObserver* observer);

  /// Makes the first list ask for a version not older than `version`. If `is_complete`, that list
  /// counts as a relist. Call it before step().
  void set_restored(const std::string& version, bool is_complete);
  /// Does the work that is ready. Blocks only while the queue is full. `stop` ends the wait.
  StepResult step(const std::stop_token& stop);
  /// Calls step() and waits for the source, until `stop`. ListerWatcher::wake() ends a wait.
  void run(const std::stop_token& stop);
  /// Cancels the current request. A later step() starts with a new list.
  void finish();

  std::string last_sync_resource_version() const { return versions_.last(); }
  std::optional<Error> last_error() const { return failures_.last_error(); }

 private:
  /// The initial value of doubt_after_, a number of silent watches. Each list that is caused by
  /// silence doubles doubt_after_.
  static constexpr int kFirstDoubt = 2;

  enum class State { waiting, listing, streaming, watching };
  enum class Request { init, list, stream, watch };

  /// One watch request: a streaming list, a watch, or a streaming list that continues as a watch.
  struct Stream {
    std::unique_ptr<WatchCall> call;
    /// Start of the request. After a streaming list, start of the watch.
    Clock::Mono counting_since;
    Clock::Mono touched;              ///< time of the last read, at first the start of the request
    Clock::Mono window_start;         ///< start of the current kFlowWindow
    std::uint64_t window_events = 0;  ///< value of `events` at window_start
    std::uint64_t events = 0;         ///< events applied since counting_since
    bool opened = false;              ///< whether the server accepted the request
  };

  bool strict() const { return options_.behaviour == Behaviour::strict; }
  Clock::Mono now() const { return clock_.now(); }

  // Transitions between states.
  void go(Request request, Clock::Duration delay = {});
  /// Returns the next backoff delay, or the server's Retry-After (at most 5 minutes) if that is
  /// longer.
  Clock::Duration backoff_for(const Error& error);
  void relist_after(const Error& error, std::string reason);
  /// Makes step() send no further request until finish() is called.
  void rest();
  void start();

  // Lists.
  bool wants_stream() const;
  void start_list();
  StepResult step_list(const std::stop_token& stop);
  bool take_list(std::vector<ObjectPtr> objects, const std::string& version,
                 const std::stop_token& stop);
  void announce_list(bool streaming, std::string version);

  // Streams: streaming lists and watches.
  ListOptions watch_options();
  void open_stream(const ListOptions& options);
  Clock::Duration stream_age() const { return now() - stream_->counting_since; }
  bool was_very_short() const;
  bool was_healthy() const;
  void reset_backoff_if_healthy();
  Clock::Mono silent_since() const;
  bool still_flows();
  void start_stream();
  void start_watch();
  StepResult step_stream(const std::stop_token& stop);
  StepResult step_silent();
  void took(WatchEvent event, const std::stop_token& stop);
  void took_initial(WatchEvent event, const std::stop_token& stop);
  void apply(const WatchEvent& event, const std::stop_token& stop);
  Result<void> enqueue(const WatchEvent& event, const std::stop_token& stop);
  bool is_foreign(const WatchEvent& event) const;
  void stream_failed(const Error& error, bool was_open);
  void streaming_list_closed();
  void streaming_list_failed(const Error& error, bool was_open);
  void give_up_streaming_list(std::string_view why);
  void watch_closed();
  void watch_refused(const Error& error);
  void watch_failed(const Error& error);
  void watch_opened();
  void stalled();
  bool doubts_silence();
  bool check_setback();
  bool lists_at_once(const Error& error);
  void set_back(const std::string& from, const std::string& to);
  void tell_stalled();

  // Resync.
  bool in_watch() const;
  void arm_resync();
  /// Returns the time of the next resync; kNever unless watching.
  Clock::Mono next_resync() const;
  /// Returns whether a resync was due.
  bool resync_if_due(const std::stop_token& stop);
  StepResult idle_until(Clock::Mono wake) const;

  ListerWatcher& source_;
  Queue& queue_;
  Clock& clock_;
  const InformerOptions& options_;
  ReflectorHost& host_;
  InformerCounters& counters_;
  InformerObserver* const observer_;
  const std::string what_;  ///< description of the source, for messages

  Random random_;
  Backoff backoff_;  ///< delays after failures
  Backoff redial_;   ///< delays after watches that closed too early
  DialPacer pacer_;  ///< limits the rate of all requests
  FailureReporter failures_;
  VersionTracker versions_;
  ListRound list_;
  SetbackCheck setback_;

  State state_ = State::waiting;
  Request request_ = Request::init;  ///< in State::waiting: the next request
  Clock::Mono resume_at_{};          ///< in State::waiting: the time of the next request
  bool listed_once_ = false;         ///< whether a list has succeeded
  bool restored_ = false;            ///< whether the first list counts as a relist
  std::uint32_t relists_ = 0;        ///< number of lists received after the first success
  std::string relist_reason_;        ///< the next Relisted::reason
  Clock::Wall watched_until_{};      ///< the next Relisted::watched_until

  std::optional<Stream> stream_;  ///< set in State::streaming and State::watching
  InitialEvents initial_;
  bool skip_stream_ = false;         ///< the next list must not be a streaming list
  bool stream_unsupported_ = false;  ///< with WatchListMode::automatic: use paged lists only
  int streams_without_end_ = 0;  ///< streaming lists in a row that closed before the end bookmark
  /// How many streaming lists in a row failed because the server could not serve the version.
  int stream_retries_ = 0;
  int short_watches_ = 0;  ///< unhealthy watches in a row that closed without an error
  int brief_watches_ = 0;  ///< watches in a row that closed within seconds, with or without events
  int expired_fresh_ = 0;  ///< number of times in a row that a version expired right after a list
  int stalls_ = 0;         ///< number of stalled watches in a row
  int mute_watches_ = 0;   ///< number of watches in a row that opened but got no event or bookmark
  int doubt_after_ = kFirstDoubt;            ///< list again when mute_watches_ reaches this
  std::optional<Clock::Mono> silent_since_;  ///< start of the current stall

  /// The time of the next begin_resync() call. Used by Behaviour::client_go only.
  std::optional<Clock::Mono> next_check_;
};

}  // namespace kinf
