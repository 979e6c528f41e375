// SPDX-License-Identifier: Apache-2.0
// Reflector: fills a Queue with the changes of one resource type, by listing and watching a
// ListerWatcher until it is stopped (client-go: Reflector). Holds no objects and calls no handlers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kinf/api/lister_watcher.h"
#include "kinf/base/random.h"
#include "kinf/cache/queue.h"
#include "kinf/informer/dial_pacer.h"
#include "kinf/informer/failure_reporter.h"
#include "kinf/informer/informer_options.h"
#include "kinf/informer/initial_events.h"
#include "kinf/informer/list_round.h"
#include "kinf/informer/step_result.h"
#include "kinf/informer/version_tracker.h"

namespace kinf {

/// The informer that a reflector works for; this one has no cache and no resync. Called from the
/// reflector's thread, under no lock.
class ReflectorHost {
 public:
  virtual ~ReflectorHost() = default;
  /// client_go: how often to ask for a resync; 0: never.
  virtual Clock::Duration resync_check_period() const { return {}; }
  /// strict: when the next resync is due for any handler; kNever if it is for none.
  virtual Clock::Mono next_resync() const { return Clock::kNever; }
  /// Starts a resync for the handlers that are due. Returns its round; 0: no handler is due.
  virtual std::uint32_t begin_resync() { return 0; }
  /// A list after the first is about to be queued; its deltas carry `round`.
  virtual void relisting(std::uint32_t round, Relisted list) { (void)round, (void)list; }
  /// The list has been queued; perhaps it left nothing to pop.
  virtual void list_queued(const std::string& version) { (void)version; }
};

/// Threads: step(), run() and finish() from one thread; last_sync_resource_version() and
/// last_error() from any.
class Reflector {
 public:
  /// All references, and `observer` unless null, outlive the reflector.
  Reflector(ListerWatcher& source, Queue& queue, Clock& clock, const InformerOptions& options,
            ReflectorHost& host, InformerCounters& counters, InformerObserver* observer);

  /// Does the work that needs no waiting. Waits only for room in a full queue, until `stop`.
  StepResult step(const std::stop_token& stop);
  /// Steps and waits until `stop`. ListerWatcher::wake() ends a wait.
  void run(const std::stop_token& stop);
  /// Cancels the current request. A step after this starts from the beginning.
  void finish();

  std::string last_sync_resource_version() const { return versions_.last(); }
  std::optional<Error> last_error() const { return failures_.last_error(); }

 private:
  /// A list follows this many silent watches; the next one twice as many, and so on.
  static constexpr int kFirstDoubt = 2;

  enum class State { waiting, listing, streaming, watching };
  enum class Request { init, list, stream, watch };

  /// One watch request from its start to its end, a streaming list or a watch.
  struct Stream {
    std::unique_ptr<WatchCall> call;
    Clock::Mono counting_since;       ///< restarts when a streaming list becomes a watch
    Clock::Mono touched;              ///< the last read, or the start
    Clock::Mono window_start;         ///< of the window in which a streaming list must flow
    std::uint64_t window_events = 0;  ///< `events` at its start
    std::uint64_t events = 0;         ///< those that count
    bool opened = false;
  };

  bool strict() const { return options_.behaviour == Behaviour::strict; }
  Clock::Mono now() const { return clock_.now(); }

  // Transitions.
  void go(Request request, Clock::Duration delay = {});
  /// The next delay of the backoff, or the one that the server asks for if that is longer.
  Clock::Duration backoff_for(const Error& error);
  void relist_after(const Error& error, std::string reason);
  void start();

  // Lists.
  bool wants_stream() const;
  void start_list();
  StepResult step_list(const std::stop_token& stop);
  bool take_list(std::vector<ObjectPtr> objects, const std::string& version,
                 const std::stop_token& stop);
  void announce_list(bool streaming, std::string version);

  // Streams: of the first list, and watches.
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
  Result<> enqueue(const WatchEvent& event, const std::stop_token& stop);
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
  void set_back(const std::string& version);
  void tell_stalled();

  // Resync.
  bool in_watch() const;
  void arm_resync();
  /// kNever while no resync may run.
  Clock::Mono next_resync() const;
  /// Returns true if it did something.
  bool resync_if_due(const std::stop_token& stop);
  StepResult idle_until(Clock::Mono wake) const;

  ListerWatcher& source_;
  Queue& queue_;
  Clock& clock_;
  const InformerOptions& options_;
  ReflectorHost& host_;
  InformerCounters& counters_;
  InformerObserver* const observer_;
  const std::string what_;  ///< the source in messages

  Random random_;
  Backoff backoff_;  ///< after failures
  Backoff redial_;   ///< after watches that ended too early
  DialPacer pacer_;  ///< for all requests
  FailureReporter failures_;
  VersionTracker versions_;
  ListRound list_;

  State state_ = State::waiting;
  Request request_ = Request::init;  ///< waiting: the next one
  Clock::Mono resume_at_{};          ///< waiting: its time
  bool listed_once_ = false;
  std::uint32_t relists_ = 0;  ///< tried
  std::string relist_reason_;

  std::optional<Stream> stream_;  ///< streaming and watching
  InitialEvents initial_;
  bool skip_stream_ = false;  ///< the next list is a plain one
  bool stream_unsupported_ = false;
  int streams_without_end_ = 0;
  int stream_retries_ = 0;  ///< without a pause, for the newest state
  int short_watches_ = 0;   ///< in a row
  int expired_fresh_ = 0;   ///< in a row: versions that expired right after a list
  int stalls_ = 0;          ///< in a row
  int mute_watches_ = 0;    ///< in a row: silent, without an event or bookmark
  int doubt_after_ = kFirstDoubt;
  std::optional<Clock::Mono> silent_since_;

  std::optional<Clock::Mono> next_check_;  ///< client_go: for a resync
};

}  // namespace kinf
