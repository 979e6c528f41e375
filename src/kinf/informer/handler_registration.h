// SPDX-License-Identifier: Apache-2.0
// HandlerRegistration: a handler's registration with an informer, as returned by
// SharedInformer::add_event_handler.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "kinf/api/change.h"
#include "kinf/base/clock.h"

namespace kinf {

class ProcessorListener;

/// The informer calls the handler until remove() is called, this object is destroyed or the
/// informer ends (client-go: ResourceEventHandlerRegistration, RemoveEventHandler,
/// ShutDownEventHandler). May outlive the informer.
///
/// Threads: call every function from any thread, also from the handler. Only one thread may assign
/// to the object or destroy it.
class HandlerRegistration {
 public:
  HandlerRegistration() = default;
  explicit HandlerRegistration(std::shared_ptr<ProcessorListener> listener)
      : listener_(std::move(listener)) {}
  HandlerRegistration(HandlerRegistration&&) noexcept = default;
  /// Removes the handler that this object held before.
  HandlerRegistration& operator=(HandlerRegistration other) noexcept {
    std::swap(listener_, other.listener_);
    return *this;
  }
  ~HandlerRegistration() { remove(); }

  /// Returns true once the handler has processed the whole initial list. remove() does not change
  /// it.
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
