// SPDX-License-Identifier: Apache-2.0
// FunctionHandler: an EventHandler made of functions, such as lambdas (client-go:
// ResourceEventHandlerFuncs).
#pragma once

#include <functional>
#include <utility>

#include "kinf/api/event_handler.h"

namespace kinf {

/// The functions of a FunctionHandler. Empty ones are skipped.
struct HandlerFunctions {
  std::function<void(const Change&)> on_add{};
  std::function<void(const Change&)> on_update{};
  std::function<void(const Change&)> on_delete{};
  std::function<void(const SyncedEvent&)> on_synced{};
};

/// Threads: like EventHandler. What the functions refer to must outlive the registration.
class FunctionHandler final : public EventHandler {
 public:
  explicit FunctionHandler(HandlerFunctions functions) : functions_(std::move(functions)) {}
  /// Calls `on_change` for each addition, update and deletion; see Change::type.
  explicit FunctionHandler(const std::function<void(const Change&)>& on_change)
      : functions_{on_change, on_change, on_change, {}} {}

  void on_add(const Change& change) override { call(functions_.on_add, change); }
  void on_update(const Change& change) override { call(functions_.on_update, change); }
  void on_delete(const Change& change) override { call(functions_.on_delete, change); }
  void on_synced(const SyncedEvent& event) override { call(functions_.on_synced, event); }

 private:
  template <class Event>
  static void call(const std::function<void(const Event&)>& function, const Event& event) {
    if (function) function(event);
  }

  const HandlerFunctions functions_;
};

}  // namespace kinf
