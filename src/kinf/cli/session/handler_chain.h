// SPDX-License-Identifier: Apache-2.0
// HandlerChain: the handlers that a change goes through between its informer and the handler of the
// command.
#pragma once

#include <functional>
#include <memory>

#include "kinf/base/clock.h"

namespace kinf {

class EventHandler;
class Selection;
class SelectingHandler;

/// This is the only place that decides the order of the handlers. A change passes them like this:
///
/// 1. `replays`: with --from, holds the change back until its recorded position. An informer
///    delivers all changes of a list at once, although changes of other informers were recorded
///    between them. The later handlers see the recorded order.
/// 2. `records`: with --record, records the change. This comes before everything that leaves out or
///    alters changes, so that a recording holds what the server sent, with its origin.
/// 3. `saves`: with --state, notes that the change was handled. An object that is not selected
///    counts as handled too; otherwise the next start would report it as new.
/// 4. `selection`: leaves out objects that the user did not select. An update becomes an addition
///    or a deletion if the object starts or stops matching.
/// 5. `is_late`: marks additions as later than the initial list. This comes last, so that it also
///    marks the additions that the selection makes, and recordings and states stay unaltered.
/// 6. The handler of the command.
///
/// Threads: the informer calls front() like any other handler; for refresh(), see SelectingHandler.
class HandlerChain {
 public:
  /// Returns a handler that passes the changes on to `inner`. The handler must outlive the chain.
  using Layer = std::function<EventHandler&(EventHandler& inner)>;
  /// The handlers that a change passes before the handler of the command. An empty function adds no
  /// handler.
  struct Layers {
    Layer replays{};
    Layer records{};
    Layer saves{};
    const Selection* selection = nullptr;  ///< null if all objects are selected
    bool is_late = false;  ///< the informer's first list is not an initial list of the command
  };

  /// `selection` and `command` must outlive this object.
  HandlerChain(const Layers& layers, EventHandler& command);
  ~HandlerChain();
  HandlerChain(const HandlerChain&) = delete;
  HandlerChain& operator=(const HandlerChain&) = delete;

  /// Returns the handler to register with the informer.
  EventHandler& front() { return *front_; }
  /// Returns SelectingHandler::due(); Wall::max() if there is no selection.
  Clock::Wall due() const;
  /// Calls SelectingHandler::refresh() if there is a selection.
  void refresh(Clock::Wall now);

 private:
  std::unique_ptr<EventHandler> late_;           ///< null unless Layers::is_late
  std::unique_ptr<SelectingHandler> selecting_;  ///< null if all objects are selected
  EventHandler* front_;
};

}  // namespace kinf
