// SPDX-License-Identifier: Apache-2.0
// InformerMonitor: observes the informers of a command. Logs their progress and failures, and ends
// the command if retries cannot help.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/sync.h"
#include "kinf/cli/runtime/exit_request.h"
#include "kinf/cli/session/status_line.h"
#include "kinf/client/http_lister_watcher.h"
#include "kinf/informer/informer_observer.h"

namespace kinf {

class Outage;

struct MonitorOptions {
  bool retry_forbidden = false;
  bool wait_for_type = false;     ///< keep retrying if the server lacks the type
  bool notify_when_idle = false;  ///< notify ExitRequest when an informer becomes idle
  std::string network_hint{};     ///< the hint for network errors without their own hint
  std::string cluster{};          ///< name of the context; empty if the command uses only one
  Outage* outage = nullptr;       ///< reports the failures of the cluster; null without `cluster`
  /// Called without a lock when the server does not find a synced type that is one of all. Such a
  /// failure is then not logged. May be empty.
  std::function<void()> on_lost_type{};
  bool replays = false;  ///< the informers read a recording, which logs its gaps itself
  /// Continue without an informer whose initial list is denied. True for commands that only list,
  /// unless --retry-forbidden is given.
  bool leave_out_denied = false;
};

/// The purpose of an informer.
enum class InformerRole {
  requested,   ///< the objects that the user asked for
  one_of_all,  ///< one of all types: the command continues without it if it cannot be listed
  extra,       ///< other objects to print, such as the Events of --with-events
};

/// If the server denies access to some of the requested informers, the others continue. If it
/// denies access to all of them, ends the command with exit code 5. After the initial list, it does
/// so only if the denial lasts for kDenialGrace, because a restarting server may deny requests at
/// first. Before the initial list, ends the command with exit code 6 if the server is unreachable,
/// and with the exit code of the error if a request can never succeed. Threads: any.
class InformerMonitor {
 public:
  static constexpr std::chrono::seconds kDenialGrace{3};

  InformerMonitor(MonitorOptions options, Clock& clock, ExitRequest& exit_request);
  ~InformerMonitor();

  /// Returns a new observer, owned by this object. `list` returns the progress of the informer's
  /// list, for running_lists(); may be empty. `denial_hint` says what to do when the
  /// server denies the list or watch.
  InformerObserver& add(std::string description, std::function<ListCount()> list = {},
                        InformerRole role = InformerRole::requested, std::string denial_hint = {});

  /// Destroys an observer that add() returned. Its informer must have stopped.
  void remove(const InformerObserver& observer);

  /// Calls `hook` from the informer's thread each time InformerObserver::on_relisting() is called
  /// for the informer of `observer`. `observer` must come from add().
  void add_relist_hook(const InformerObserver& observer, std::function<void(const Relisted&)> hook);

  /// The same for InformerObserver::on_delivered().
  void add_delivery_hook(const InformerObserver& observer,
                         std::function<void(const Delivered&)> hook);

  /// Sets whether to notify ExitRequest when an informer becomes idle. Has no effect with
  /// MonitorOptions::notify_when_idle, which always notifies it.
  void notify_when_idle(bool wanted) { notifies_when_idle_ = wanted; }

  /// Sets the types that have no informers yet, each with the reason. While there are any,
  /// all_synced() and denied_for_good() return false.
  void set_awaited(std::vector<std::string> types);

  /// Logs that the informer named `description` in add() has synced. Does nothing at verbosity 2 or
  /// more, where this is already logged. Call it after the objects are printed.
  void announce(std::string_view description) const;

  /// Returns when denied_for_good() can become true; kNever unless every requested informer is
  /// denied.
  Clock::Mono denial_deadline() const;
  /// Returns whether denial_deadline() has passed.
  bool denied_for_good() const;
  /// Returns whether the command continues without the informer of `observer`, which add()
  /// returned.
  bool has_left_out(const InformerObserver& observer) const;
  /// Returns whether the last list or watch of the informer of `observer` was denied.
  bool is_denied(const InformerObserver& observer) const;
  /// Returns whether the last list or watch of the informer of `observer` failed because the server
  /// does not have the type.
  bool is_lost(const InformerObserver& observer) const;
  /// Returns how long it took to sync all informers, except those left out. Returns nullopt if one
  /// is not synced yet.
  std::optional<Clock::Duration> time_to_sync() const;
  /// Returns whether no types are awaited and all informers have their initial lists, except those
  /// left out. Returns false if all informers are left out.
  bool all_synced() const;
  /// Returns the progress of each informer that is not synced.
  std::vector<RunningList> running_lists() const;
  /// Returns the description and last failure of each informer that is not synced, and the awaited
  /// types.
  std::vector<std::string> unsynced() const;

 private:
  struct Observer;
  void synced(Observer& one, const SyncedEvent& event);
  Observer& find_locked(const InformerObserver& observer) KINF_REQUIRES(mu_);
  /// Returns a copy, because kinf calls no hook under a lock.
  template <class Hooks>
  Hooks hooks_of(const Observer& one, Hooks Observer::* hooks) const;
  std::string sync_text_locked(const Observer& one) const KINF_REQUIRES(mu_);
  void failed(Observer& one, const InformerFailure& failure);
  void note_stall(Observer& one);
  void recovered(Observer& one, Clock::Duration lasted);
  void report_failure(const Error& error) const;
  /// Reports the error and sets the exit code, unless it is already set.
  void give_up(const Error& error);
  /// When the others are synced, logs which of all types were left out, and why. Names each once.
  void report_left_out();
  bool all_denied_locked() const KINF_REQUIRES(mu_);
  bool offers_retries_locked() const KINF_REQUIRES(mu_);
  void note_sync_locked() KINF_REQUIRES(mu_);

  const MonitorOptions options_;
  std::atomic<bool> notifies_when_idle_ = false;
  Clock& clock_;
  ExitRequest& exit_request_;
  const Clock::Mono started_;
  mutable Mutex mu_;
  std::vector<std::unique_ptr<Observer>> all_ KINF_GUARDED_BY(mu_);
  std::vector<std::string> awaited_ KINF_GUARDED_BY(mu_);
  std::optional<Clock::Duration> time_to_sync_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
