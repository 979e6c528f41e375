// SPDX-License-Identifier: Apache-2.0
// WatchSession: one watch request from its sending to its end: how old it is, what it brought, and
// when its silence becomes suspicious. Draws no conclusions; the Reflector does.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include "kinf/api/lister_watcher.h"

namespace kinf {

/// Threads: one owner.
class WatchSession {
 public:
  /// A stream of this age is healthy whatever it brought; with events, a younger one too.
  static constexpr Clock::Duration kHealthyAge = std::chrono::seconds(5);
  static constexpr Clock::Duration kHealthyAgeWithEvents = std::chrono::seconds(1);

  WatchSession(std::unique_ptr<WatchCall> call, Clock::Mono now)
      : call_(std::move(call)), touched_(now), counting_since_(now), window_start_(now) {}

  WatchPoll poll() { return call_->poll(); }

  void opened() { opened_ = true; }
  bool is_open() const { return opened_; }
  /// An event that counts was taken.
  void count_event() { ++events_; }
  bool has_events() const { return events_ > 0; }
  /// The streaming list is over, the same stream goes on as a watch: counts from here.
  void restart_counting(Clock::Mono now) {
    counting_since_ = now;
    events_ = 0;
  }

  Clock::Duration age(Clock::Mono now) const { return now - counting_since_; }
  bool is_very_short(Clock::Mono now) const {
    return age(now) < std::chrono::seconds(1) && events_ == 0;
  }
  bool was_healthy(Clock::Mono now) const {
    return age(now) >= kHealthyAge || (events_ > 0 && age(now) >= kHealthyAgeWithEvents);
  }
  /// Since when no byte has come.
  Clock::Mono silent_since() const {
    const Clock::Mono last = call_->last_byte();
    return last == Clock::kNever ? touched_ : std::max(last, touched_);
  }
  /// Something was read; with a full queue perhaps long after it had arrived.
  void touch(Clock::Mono now) { touched_ = now; }

  /// For a streaming list: whether it still flows like a list. A server that ignores the wish for
  /// one sends its events one by one for ever, so that silence alone does not give it away.
  bool still_flows(Clock::Mono now) {
    if (now - window_start_ < kFlowWindow) return true;
    const bool flows = events_ - window_events_ >= kFlowEvents;
    window_start_ = now;
    window_events_ = events_;
    return flows;
  }
  Clock::Mono next_flow_check() const { return window_start_ + kFlowWindow; }

 private:
  static constexpr Clock::Duration kFlowWindow = std::chrono::seconds(30);
  static constexpr std::uint64_t kFlowEvents = 100;

  std::unique_ptr<WatchCall> call_;
  Clock::Mono touched_;
  Clock::Mono counting_since_;
  Clock::Mono window_start_;
  std::uint64_t window_events_ = 0;
  std::uint64_t events_ = 0;
  bool opened_ = false;
};

}  // namespace kinf
