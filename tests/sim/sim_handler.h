// SPDX-License-Identifier: Apache-2.0
// SimHandler: a handler that replays its changes, and checks that each follows from the last.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kinf/api/event_handler.h"
#include "kinf/informer/handler_registration.h"
#include "kinf/workqueue/rate_limiting_queue.h"
#include "sim/etcd.h"
#include "sim/sim_clock.h"
#include "sim/verdict.h"

namespace kinf::sim {

/// Reads the uid and the revision of an object. `value` stays 0.
Version version_of(const Object& object);
/// Returns whether both are the same version of the same object.
bool is_same(const Version& a, const Version& b);
std::string text_of(const Version& version);

struct HandlerPlan {
  std::string name;
  bool strict = true;
  bool is_restored = false;  ///< the informer has begun with all objects of an earlier run
  Clock::Duration resync{};
  bool is_direct = false;
  WhenFull when_full = WhenFull::grow;
  std::size_t bound = 1024;
  std::uint64_t throws_each = 0;   ///< throws in each N-th call (0: never)
  std::uint64_t leaves_after = 0;  ///< removes itself in the N-th call (0: never)
};

class SimHandler final : public EventHandler {
 public:
  /// `queue` may be null; else the handler adds the key of each change to it. `waiting` returns the
  /// number of changes that wait in the informer or that a handler processes.
  SimHandler(HandlerPlan plan, const Etcd& etcd, const SimClock& clock, Verdict& verdict,
             RateLimitingQueue* queue, std::function<std::size_t()> waiting)
      : plan_(std::move(plan)),
        etcd_(etcd),
        clock_(clock),
        verdict_(verdict),
        queue_(queue),
        waiting_(std::move(waiting)) {}

  void on_add(const Change& change) override;
  void on_update(const Change& change) override;
  void on_delete(const Change& change) override;
  void on_known(const Change& known) override;
  void on_synced(const SyncedEvent& event) override;

  HandlerOptions options();
  void set_busy(Clock::Duration busy) { busy_ = busy; }
  /// A restore of etcd brings older versions back: from now on, the order of versions is not known.
  void lose_timeline() { is_lost_ = true; }
  /// All objects that it has are of etcd's timeline.
  void find_timeline() {
    is_lost_ = false;
    newest_ = state_;
  }
  /// Returns until when the handler works on its last change.
  Clock::Mono ready_at() const { return ready_at_; }
  const State& state() const { return state_; }
  bool has_left() const { return has_left_; }
  std::size_t resyncs() const { return resyncs_; }
  std::uint64_t folded() const { return folded_; }
  const HandlerPlan& plan() const { return plan_; }

  HandlerRegistration registration;

 private:
  template <class... Args>
  void expect(bool holds, const Change& change, fmt::format_string<Args...> format,
              Args&&... args) {
    if (holds) return;
    verdict_.expect(false, "history", "handler {}: {} {}: {}", plan_.name, change.key,
                    static_cast<int>(change.type),
                    fmt::format(format, std::forward<Args>(args)...));
  }
  /// Returns the entry of the object in state_.
  Version& held(const Change& change);
  void expect_newer(const Version& held, const Change& change);
  void expect_real(const Change& change);
  void called(const Change& change);

  const HandlerPlan plan_;
  const Etcd& etcd_;
  const SimClock& clock_;
  Verdict& verdict_;
  RateLimitingQueue* const queue_;
  const std::function<std::size_t()> waiting_;
  State state_{};
  State newest_{};  ///< the last version of each object, also of deleted ones
  Clock::Duration busy_{};
  Clock::Mono ready_at_{};
  std::uint64_t calls_ = 0;
  std::uint64_t folded_ = 0;  ///< the changes that were merged into others
  std::size_t resyncs_ = 0;   ///< objects in resyncs
  bool has_synced_ = false;
  bool has_left_ = false;
  bool is_lost_ = false;  ///< changes may be of a timeline that etcd has left
};

}  // namespace kinf::sim
