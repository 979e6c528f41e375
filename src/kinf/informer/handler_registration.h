// SPDX-License-Identifier: Apache-2.0
// HandlerRegistration: a handler's place in an informer. What SharedInformer::add_event_handler
// returns.
#pragma once

#include <memory>
#include <utility>

#include "kinf/base/clock.h"

namespace kinf {

class ProcessorListener;

/// The handler is called until remove(), the end of this object or the end of the informer
/// (client-go: ResourceEventHandlerRegistration, RemoveEventHandler, ShutDownEventHandler). May
/// outlive the informer.
///
/// Threads: every call from any thread, also inside the handler, except that only one thread may
/// assign to it or destroy it.
class HandlerRegistration {
 public:
  HandlerRegistration() = default;
  explicit HandlerRegistration(std::shared_ptr<ProcessorListener> listener)
      : listener_(std::move(listener)) {}
  HandlerRegistration(HandlerRegistration&&) noexcept = default;
  /// Removes the handler that this was for before.
  HandlerRegistration& operator=(HandlerRegistration other) noexcept {
    std::swap(listener_, other.listener_);
    return *this;
  }
  ~HandlerRegistration() { remove(); }

  /// The handler has handled all of the state it was first shown. Keeps its answer after remove().
  bool has_synced() const;
  /// How often the handler is reminded of every object; 0: never.
  Clock::Duration resync_period() const;
  /// No call to the handler begins after this. Waits for a running call, unless called inside a
  /// callback of an informer. Twice is no error.
  void remove();

 private:
  std::shared_ptr<ProcessorListener> listener_;
};

}  // namespace kinf
