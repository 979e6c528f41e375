// SPDX-License-Identifier: Apache-2.0
// LiveHandler: a handler of `kinf demo --live`. Takes at most one change per step, and can be slow.
#pragma once

#include <functional>
#include <string>

#include "kinf/api/event_handler.h"
#include "kinf/base/clock.h"
#include "kinf/cli/demo/pipeline_picture.h"

namespace kinf {

/// Threads: one.
class LiveHandler final : public EventHandler {
 public:
  /// Called with a sentence for each call of the handler.
  using Tell = std::function<void(std::string sentence)>;

  LiveHandler(std::string name, Clock& clock, Tell tell)
      : name_(std::move(name)), clock_(clock), tell_(std::move(tell)) {}

  void on_add(const Change& change) override { take(change, "OnAdd"); }
  void on_update(const Change& change) override { take(change, "OnUpdate"); }
  void on_delete(const Change& change) override { take(change, "OnDelete"); }
  void on_synced(const SyncedEvent& event) override;

  /// Starts a step. `may_take`: whether the handler may take a change in it.
  void begin_step(bool may_take) { may_take_ = may_take; }
  /// For HandlerOptions::is_ready.
  bool is_ready() const { return may_take_ && !is_busy(); }
  bool is_busy() const { return clock_.now() < busy_until_; }
  /// When the handler takes its next change. In the past if it is not busy.
  Clock::Mono busy_until() const { return busy_until_; }
  void set_slow(bool is_slow) { is_slow_ = is_slow; }
  bool is_slow() const { return is_slow_; }

  /// Returns all of the picture except the waiting changes.
  PipelinePicture::Handler picture() const;

 private:
  void take(const Change& change, std::string_view function);

  const std::string name_;
  Clock& clock_;
  const Tell tell_;
  bool may_take_ = false;
  bool is_slow_ = false;
  bool has_synced_ = false;
  Clock::Mono busy_until_{};
  std::string last_;
  std::uint64_t calls_ = 0;
};

/// Returns a change in short: `add pod-1`, `update pod-1 (2 merged)`.
std::string short_text(const Change& change);
/// Returns a duration in seconds with one decimal: `2.5 s`.
std::string in_seconds(Clock::Duration duration);

}  // namespace kinf
