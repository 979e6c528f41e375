// SPDX-License-Identifier: Apache-2.0
// LiveHandler and LiveWorker: the handlers and the worker in the diagram of `kinf demo --live`.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "kinf/api/event_handler.h"
#include "kinf/base/clock.h"
#include "kinf/demo/live/pipeline_picture.h"
#include "kinf/informer/handler_registration.h"
#include "kinf/informer/shared_informer.h"
#include "kinf/workqueue/rate_limiting_queue.h"

namespace kinf {

/// Returns a key without the namespace.
std::string_view name_of(std::string_view key);

/// A handler in the diagram. Handles at most one change per step, and can be slow or fail.
/// Threads: not thread-safe.
class LiveHandler final : public EventHandler {
 public:
  /// How many changes may wait for a handler before they are merged.
  static constexpr std::size_t kBacklog = 4;
  /// Called with a sentence that describes a call of the handler.
  using Tell = std::function<void(std::string sentence)>;

  LiveHandler(std::string name, Clock& clock, Tell tell)
      : name_(std::move(name)), clock_(clock), tell_(std::move(tell)) {}

  /// Registers the handler. `resync` is its resync period (0 means no resyncs).
  void join(SharedInformer& informer, Clock::Duration resync = {});
  /// Makes the first call for the pod `name` fail.
  void fail_first(std::string name) { failing_ = std::move(name); }
  /// Passes the key of each change to `enqueue`.
  void enqueue_with(std::function<void(const std::string& key)> enqueue) {
    enqueue_ = std::move(enqueue);
  }

  void on_add(const Change& change) override { take(change, "OnAdd"); }
  void on_update(const Change& change) override { take(change, "OnUpdate"); }
  void on_delete(const Change& change) override { take(change, "OnDelete"); }
  void on_synced(const SyncedEvent& event) override;

  /// Call at the start of each step. `may_take` says whether the handler may receive a change in
  /// this step.
  void begin_step(bool may_take) { may_take_ = may_take; }
  /// Returns when a busy handler can receive its next change, or kNever if it is not busy.
  Clock::Mono next_due() const { return is_busy() ? busy_until_ : Clock::kNever; }
  /// Slows the handler down, or makes it fast again. Returns whether it is slow now.
  bool toggle_slow() { return is_slow_ = !is_slow_; }

  PipelinePicture::Handler picture() const;

 private:
  void take(const Change& change, std::string_view function);
  bool is_busy() const { return clock_.now() < busy_until_; }
  std::string activity() const;

  const std::string name_;
  Clock& clock_;
  const Tell tell_;
  HandlerRegistration registration_;
  Clock::Duration resync_{};
  std::string failing_;  ///< the name of the pod for which the next call fails
  std::string failed_;   ///< the name of the pod for which a call has failed
  std::function<void(const std::string& key)> enqueue_;
  bool has_joined_ = false;
  bool is_late_ = false;  ///< the handler was registered after the first list
  bool may_take_ = false;
  bool is_slow_ = false;
  bool has_synced_ = false;
  Clock::Mono busy_until_{};
  std::string last_;
  std::uint64_t calls_ = 0;
};

/// A work queue and its worker in `kinf demo --live`. A handler adds keys; the worker
/// takes one key per step and reads the object from the cache.
/// Threads: not thread-safe.
class LiveWorker {
 public:
  struct Outcome {
    bool is_done = true;  ///< false: the key is queued again after a delay
    std::string text;     ///< what the worker did, such as `writes the label`
  };
  /// Handles a key. `failures` is the number of failures for this key so far.
  using Work = std::function<Outcome(const std::string& key, int failures)>;
  /// Called with a sentence after each key that was handled.
  using Tell = std::function<void(std::string sentence)>;

  LiveWorker(Clock& clock, Work work, Tell tell);

  void add(const std::string& key) { queue_.add(key); }
  /// Handles the next key. Returns false if no key is due.
  bool step();
  /// Returns when the first delayed key is due, or kNever if no key is delayed.
  Clock::Mono next_due() const;

  PipelinePicture::Handler picture();

 private:
  Clock& clock_;
  const Work work_;
  const Tell tell_;
  RateLimitingQueue queue_;
  std::map<std::string, Clock::Mono> retries_;  ///< delayed keys, and when they are due
  std::string last_;
};

}  // namespace kinf
