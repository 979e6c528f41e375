// SPDX-License-Identifier: Apache-2.0
// WatchStream: writes the events of one watch: the existing objects, changes, bookmarks, and an
// ERROR event if the history was dropped. Ends the watch at its timeout.
#pragma once

#include <functional>
#include <optional>

#include "kinf/http/http_message.h"
#include "kinf/sandbox/api/list_request.h"
#include "kinf/sandbox/api/object_filter.h"
#include "kinf/sandbox/api/response_form.h"
#include "kinf/sandbox/faults/fault_injector.h"
#include "kinf/sandbox/store/resource_store.h"

namespace kinf::sandbox {

struct WatchStreamOptions {
  ApiTypePtr type;
  ListRequest request;
  ObjectFilter filter;
  ResponseForm representation;
  std::chrono::seconds timeout{};
  /// Called once, when all existing objects have been written.
  std::function<void()> on_synced;
  /// Returns whether the type is still served. The stream ends when it returns false.
  std::function<bool()> is_served;
  RequestFault fault;  ///< injected into this watch
};

/// Threads: call start(), write_to() and the destructor from one thread at a time.
class WatchStream final : public BodyStream, private ChangeListener {
 public:
  /// `store` and `clock` must outlive the stream.
  WatchStream(ResourceStore& store, Clock& clock, WatchStreamOptions plan)
      : store_(store), clock_(clock), plan_(std::move(plan)) {}
  ~WatchStream() override;
  WatchStream(const WatchStream&) = delete;
  WatchStream& operator=(const WatchStream&) = delete;

  void start(std::function<void()> wake) override;
  std::optional<Clock::Mono> write_to(ByteSink& sink) override;

 private:
  enum class Stage { begin, initial, changes, ended };

  void changed() override { wake_(); }
  Stage begin(ByteSink& sink);
  Stage send_initial(ByteSink& sink);
  Stage synced();
  Stage send_changes(ByteSink& sink);
  void send_due_bookmark(ByteSink& sink, bool is_asked_for);
  void send(ByteSink& sink, std::string_view type, const StoredObject& object);
  void send_change(ByteSink& sink, const StoredChange& change);
  void send_bookmark(ByteSink& sink, bool initial_events_end);
  Stage fail_with(ByteSink& sink, const ApiStatus& status);
  Clock::Mono next_bookmark(Clock::Mono now) const;

  ResourceStore& store_;
  Clock& clock_;
  WatchStreamOptions plan_;
  std::function<void()> wake_;
  Stage stage_ = Stage::begin;
  Snapshot initial_;              ///< the existing objects, until they have been written
  std::size_t next_initial_ = 0;  ///< index of the first object that has not been written
  Clock::Mono end_;
  Clock::Mono bookmark_ = Clock::kNever;  ///< when to send the next bookmark
  std::uint64_t bookmark_rounds_ = 0;     ///< number of bookmark requests that were answered
  std::uint64_t position_ = 0;            ///< all changes up to this version have been written
  bool has_more_ = true;                  ///< whether there may be changes after `position_`
  bool sent_columns_ = false;             ///< whether an event with Table columns was written
};

}  // namespace kinf::sandbox
