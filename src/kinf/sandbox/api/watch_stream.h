// SPDX-License-Identifier: Apache-2.0
// WatchStream: sends all events of one watch: the existing objects, changes, bookmarks, and an
// ERROR event if the history was dropped. Ends the watch at its timeout.
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
  /// Called once, when all existing objects have been sent.
  std::function<void()> on_synced;
  /// Returns true if the type is still served. The stream ends when it returns false.
  std::function<bool()> is_served;
  RequestFault fault;  ///< injected into this watch
};

/// Threads: run() from one thread. It blocks until the watch ends.
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
  std::uint64_t position_ = 0;  ///< all changes up to this version have been sent
  bool sent_columns_ = false;   ///< whether an event with Table columns was sent
};

}  // namespace kinf::sandbox
