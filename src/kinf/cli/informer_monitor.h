// SPDX-License-Identifier: Apache-2.0
// InformerMonitor: observes the informers of a command. Logs their progress and failures, and ends
// the command when retrying makes no sense.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/sync.h"
#include "kinf/cli/exit_request.h"
#include "kinf/informer/informer_observer.h"

namespace kinf {

struct MonitorOptions {
  bool retry_forbidden = false;
  bool wait_for_type = false;     ///< a type that the server does not know does not end the command
  bool notify_when_idle = false;  ///< notifies ExitRequest whenever an informer has caught up
  std::string network_hint{};     ///< for network errors without a hint of their own
  std::string ns{};               ///< for the hint about permissions
};

/// Ends the command with 5 if the server refuses everything. A refusal after the first list must
/// last for kDenialGrace, because a restarted server may refuse requests at first. Ends the command
/// with 6 if there is no server before the first list, and with the error's own code for requests
/// that cannot succeed. Threads: every call from any thread.
class InformerMonitor {
 public:
  static constexpr std::chrono::seconds kDenialGrace{3};

  InformerMonitor(MonitorOptions options, Clock& clock, ExitRequest& exit_request);
  ~InformerMonitor();

  /// The observer of one more informer, which lives as long as this.
  InformerObserver& add(std::string description);

  /// The types that have no informers yet, with the reason. While there are any, not everything is
  /// synced or denied.
  void set_awaited(std::vector<std::string> types);

  /// Logs that the first list is complete, unless verbosity 2 has done so already. Call it when the
  /// objects have been printed. `description` is the one given to add().
  void announce(std::string_view description) const;

  /// When to call denied_for_good() again; kNever if nothing is denied.
  Clock::Mono denial_deadline() const;
  /// The server refuses everything, and has done so for long enough.
  bool denied_for_good() const;
  /// How long the first lists of all informers took.
  std::optional<Clock::Duration> time_to_sync() const;
  /// All informers have their first list, and no types are awaited.
  bool all_synced() const;
  /// The description and last failure of each informer without a list, and the awaited types.
  std::vector<std::string> unsynced() const;

 private:
  struct Observer;
  void synced(Observer& one, const SyncedEvent& event);
  std::string sync_text_locked(const Observer& one) const KINF_REQUIRES(mu_);
  void failed(Observer& one, const InformerFailure& failure);
  void recovered(Observer& one, Clock::Duration lasted);
  /// Reports the error and ends the command, unless it is ending already.
  void give_up(const Error& error);
  bool all_denied_locked() const KINF_REQUIRES(mu_);

  const MonitorOptions options_;
  Clock& clock_;
  ExitRequest& exit_request_;
  const Clock::Mono started_;
  mutable Mutex mu_;
  std::vector<std::unique_ptr<Observer>> all_ KINF_GUARDED_BY(mu_);
  std::vector<std::string> awaited_ KINF_GUARDED_BY(mu_);
  std::optional<Clock::Duration> time_to_sync_ KINF_GUARDED_BY(mu_);
};

/// `1,204`
std::string with_commas(std::size_t number);
/// `1 object`, `1,204 objects`
std::string counted(std::size_t number, std::string_view noun);
/// `0.04s`, `12.3s`
std::string seconds_text(Clock::Duration duration);

}  // namespace kinf
