// SPDX-License-Identifier: Apache-2.0
// InformerMonitor: what the informers of a command say about themselves, turned into lines on
// stderr and, where going on makes no sense, into the end of the command.
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
#include "kinf/cli/ending.h"
#include "kinf/informer/informer_observer.h"

namespace kinf {

struct MonitorOptions {
  bool retry_forbidden = false;
  bool wait_for_type = false;  ///< a type that the server does not know is no reason to end
  /// What to do about a network error, if nothing better is known: other contexts.
  std::string network_hint{};
  std::string ns{};  ///< for the hint about rights
};

/// Ends the command with 5 if the server refuses everything and still does after three seconds,
/// with 6 if there is no server before the first list, and with the error's own code for
/// requests that cannot succeed. Threads: every call from any thread.
class InformerMonitor {
 public:
  static constexpr std::chrono::seconds kDenialGrace{3};

  InformerMonitor(MonitorOptions options, Clock& clock, Ending& ending);
  ~InformerMonitor();

  /// The observer of one more informer; all before the first starts. Lives as long as this.
  InformerObserver& add(std::string description);

  /// Says that the first list is there, as verbosity 2 does at once; for when its objects have been
  /// printed. `description` is the one given to add().
  void announce(std::string_view description) const;

  /// When to look at denied_for_good() again; kNever if nothing is denied.
  Clock::Mono denial_deadline() const;
  /// The server has refused everything for as long as it is given.
  bool denied_for_good() const;
  /// When the first lists of all informers were there, counted from the start.
  std::optional<Clock::Duration> time_to_sync() const;
  /// All informers have their first list.
  bool all_synced() const { return time_to_sync().has_value(); }
  /// A description and the last failure of each that has no list yet.
  std::vector<std::string> unsynced() const;

 private:
  struct One;
  void synced(One& one, const SyncedEvent& event);
  std::string sync_text(const One& one) const;
  void failed(One& one, const InformerFailure& failure);
  void recovered(One& one, Clock::Duration lasted);
  /// Reports the error and ends, unless another has.
  void give_up(const Error& error);
  bool all_denied_locked() const KINF_REQUIRES(mu_);

  const MonitorOptions options_;
  Clock& clock_;
  Ending& ending_;
  const Clock::Mono started_;
  mutable Mutex mu_;
  std::vector<std::unique_ptr<One>> all_;  ///< grows before the start only
  std::optional<Clock::Duration> time_to_sync_ KINF_GUARDED_BY(mu_);
};

/// `1,204`
std::string with_commas(std::size_t number);
/// `0.04s`, `12.3s`
std::string seconds_text(Clock::Duration duration);

}  // namespace kinf
