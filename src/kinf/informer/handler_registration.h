// SPDX-License-Identifier: Apache-2.0
// HandlerRegistration: a handler's registration with an informer, as returned by
// SharedInformer::add_event_handler.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "kinf/api/change.h"
#include "kinf/base/clock.h"

namespace [[gnu::visibility("default")]] kinf {

// HandlerOptions: per-handler delivery options.

/// The thread that calls a handler.
enum class Delivery {
  /// The informer's processor thread. Has the least delay, but a slow handler blocks the cache and
  /// all other handlers. Meant for a single handler that must see every change.
  direct,
  /// The handler's own thread, which reads from a queue.
  queued,
};

/// What the informer does when HandlerOptions::bound changes are waiting for a queued handler.
enum class WhenFull {
  /// Merges changes of the same object: a newer state replaces an older one. Keeps additions and
  /// deletions, but only the last pair if an object is created and deleted repeatedly. Counts
  /// merged changes (InformerStats::folded). The number of objects then limits the queue.
  coalesce,
  block,  ///< the processor waits, so all other handlers wait too; nothing is merged
  grow,   ///< the queue has no limit, as in client-go
};

struct HandlerOptions {
  /// How often the handler gets a resync, that is, one update for every object. Empty means the
  /// informer's default, 0 means never. The minimum is one second.
  std::optional<Clock::Duration> resync{};
  Delivery delivery = Delivery::queued;
  WhenFull when_full = WhenFull::coalesce;
  std::size_t bound = 1024;  ///< number of changes that may wait before `when_full` applies
  /// Returns whether the handler can take its next change now (empty: always). While it returns
  /// false, the changes wait as for a busy handler. Used only for queued handlers of an informer
  /// that runs through SharedInformer::step(), because such an informer has no thread per handler.
  std::function<bool()> is_ready{};
};

class ProcessorListener;

/// Represents the registration of a handler. The informer calls the handler until remove() is
/// called, this object is destroyed or the informer ends (client-go:
/// ResourceEventHandlerRegistration, RemoveEventHandler, ShutDownEventHandler). This object may
/// outlive the informer.
///
/// Threads: call every function from any thread, even inside the handler: a handler may remove
/// itself by remove() or by assigning `{}`. Only one thread may assign another registration, move
/// or destroy the object, so register such a handler before start().
class [[nodiscard]] HandlerRegistration {
 public:
  HandlerRegistration() = default;
  explicit HandlerRegistration(std::shared_ptr<ProcessorListener> listener)
      : listener_(std::move(listener)) {}
  HandlerRegistration(HandlerRegistration&&) noexcept = default;
  /// Removes the handler that this object held before. Assigning `{}` is the same as remove().
  HandlerRegistration& operator=(HandlerRegistration other) noexcept {
    // Keep listener_ then: a handler may remove itself while another thread uses this object.
    if (!other.listener_) {
      remove();
    } else {
      std::swap(listener_, other.listener_);
    }
    return *this;
  }
  ~HandlerRegistration() { remove(); }

  /// Returns true once the handler has processed the whole initial list. remove() does not change
  /// the result.
  bool has_synced() const;
  /// Returns the handler's resync period (0: never).
  Clock::Duration resync_period() const;
  /// Returns a copy of the changes that wait for the handler, oldest first, for diagnostics.
  std::vector<Change> waiting() const;
  /// Removes the handler: no call to it starts after remove() has returned. Waits for a running
  /// call, unless remove() is called inside a callback of an informer. Further calls do nothing.
  void remove();

 private:
  std::shared_ptr<ProcessorListener> listener_;
};

}  // namespace kinf
