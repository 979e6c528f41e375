// SPDX-License-Identifier: Apache-2.0
// ListerWatcher: the interface between the pipeline and the source of objects: an API server, a
// recording, a test. Only wait() blocks, so a loop can run on a thread of its own, or a test can
// drive it step by step.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>

#include "kinf/api/list_options.h"
#include "kinf/api/object.h"
#include "kinf/api/watch_event.h"
#include "kinf/base/clock.h"
#include "kinf/base/error.h"

namespace kinf {

/// Receives the items of a list page as they arrive.
class ListSink {
 public:
  virtual ~ListSink() = default;
  virtual void item(ObjectPtr object) = 0;
};

/// The result of one page.
struct ListPage {
  std::string resource_version;
  std::string continue_token;  ///< empty: this was the last page
};

/// The request of one list page. Destroying it cancels the request.
class ListCall {
 public:
  virtual ~ListCall() = default;
  /// Reads what has arrived, without blocking, and gives the items to the sink. Returns nothing
  /// until the page is complete or has failed; must not be called again after that.
  virtual std::optional<Result<ListPage>> poll() = 0;
  /// The continue token of this page, as soon as it was read: from an API server, before the first
  /// item. Empty text: this is the last page. Nothing: not known yet. Valid until the next poll().
  virtual std::optional<std::string_view> continue_token() const { return std::nullopt; }
};

/// The results of WatchCall::poll().
struct WatchPending {};  ///< nothing to do now: call wait()
struct WatchOpened {};   ///< the server accepted the watch; once, as the first result
struct WatchClosed {};   ///< the stream ended, perhaps in the middle of an event
using WatchPoll = std::variant<WatchPending, WatchOpened, WatchEvent, WatchClosed, Error>;

/// The request of one watch. Destroying it cancels the request.
class WatchCall {
 public:
  virtual ~WatchCall() = default;
  /// Returns what happened next, without blocking. An Error before WatchOpened means that the
  /// request failed, after it that the stream cannot be read any further. Must not be called again
  /// after WatchClosed or an Error.
  virtual WatchPoll poll() = 0;
  /// When the last byte arrived, to detect dead streams; kNever if none has.
  virtual Clock::Mono last_byte() const = 0;
};

/// Lists and watches the objects of one type.
/// Threads: one thread owns it and its calls; wake() may be called from any thread.
class ListerWatcher {
 public:
  virtual ~ListerWatcher() = default;

  /// Starts the request of one page. `sink` must outlive the call. The caller continues with the
  /// next page, falls back, or starts again.
  virtual std::unique_ptr<ListCall> list(const ListOptions& options, ListSink& sink) = 0;
  /// Starts the request of a watch.
  virtual std::unique_ptr<WatchCall> watch(const ListOptions& options) = 0;

  /// Blocks until a call may have something new to poll, until `deadline`, `stop` or wake().
  virtual void wait(Clock::Mono deadline, const std::stop_token& stop) = 0;
  /// Ends wait(), or the next one. Never blocks.
  virtual void wake() = 0;

  /// Sets a function that returns the stored object in the same state. A source that decodes bytes
  /// may call it, from poll(), for the objects of a list or streaming list, and deliver what it
  /// returns: that saves a copy. Other sources ignore it.
  virtual void set_held(HeldObjects held) { (void)held; }

  /// Drops all connections, so that the next request opens a new one. Called when a stream seems
  /// dead.
  virtual void reset_connections() {}

  /// Whether streaming lists may work. False after give_up_watch_list().
  virtual bool supports_watch_list() const { return true; }
  /// Reports that a streaming list was refused or did not end, so that other sources for this
  /// server and type do not try one.
  virtual void give_up_watch_list() {}
  /// The name of the source in messages: `pods`.
  virtual std::string description() const = 0;
};

}  // namespace kinf
