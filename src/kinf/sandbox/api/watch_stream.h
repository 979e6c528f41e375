// SPDX-License-Identifier: Apache-2.0
// WatchStream: one watch from its first event to its end: initial state, changes as they come,
// bookmarks, the timeout, and the forgotten history that ends it with an ERROR event.
#pragma once

#include <functional>
#include <stop_token>

#include "kinf/sandbox/api/list_request.h"
#include "kinf/sandbox/api/object_filter.h"
#include "kinf/sandbox/api/representation.h"
#include "kinf/sandbox/faults/fault_injector.h"
#include "kinf/sandbox/http/http_message.h"
#include "kinf/sandbox/store/resource_store.h"

namespace kinf::sandbox {

struct WatchPlan {
  ApiTypePtr type;
  ListRequest request;
  ObjectFilter filter;
  Representation representation;
  std::chrono::seconds timeout{};
  /// Called once, when only changes are still to come.
  std::function<void()> on_synced;
  /// Whether the type is still served; when it is not, the stream ends.
  std::function<bool()> is_served;
  RequestFault fault;  ///< what goes wrong with it
};

/// Threads: run() on one thread; it blocks until the stream is over.
class WatchStream {
 public:
  WatchStream(ResourceStore& store, Clock& clock, WatchPlan plan)
      : store_(store), clock_(clock), plan_(std::move(plan)) {}

  void run(ByteSink& sink, const std::stop_token& stop);

 private:
  bool send(ByteSink& sink, std::string_view type, const StoredObject& object);
  bool send_initial(ByteSink& sink);
  bool send_change(ByteSink& sink, const Change& change);
  bool send_bookmark(ByteSink& sink, bool initial_events_end);
  bool send_error(ByteSink& sink, const ApiStatus& status);
  bool send_batch(ByteSink& sink, const ChangeBatch& batch);
  Clock::Mono next_bookmark(Clock::Mono now, Clock::Mono end) const;

  ResourceStore& store_;
  Clock& clock_;
  WatchPlan plan_;
  std::uint64_t position_ = 0;  ///< everything up to this version has been sent
  bool sent_columns_ = false;
};

}  // namespace kinf::sandbox
