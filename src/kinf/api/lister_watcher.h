// SPDX-License-Identifier: Apache-2.0
// ListerWatcher: the seam between the pipeline and wherever objects come from: an API server, a
// recording, a test. Nothing here blocks but wait(), so a loop can be driven by a thread of its
// own or pumped by a test, step by step.
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

/// Takes the items of a list page while they arrive.
class ListSink {
 public:
  virtual ~ListSink() = default;
  virtual void item(ObjectPtr object) = 0;
};

/// The end of one page.
struct ListPage {
  std::string resource_version;
  std::string continue_token;  ///< empty: this was the last page
};

/// One page in flight. Destroying it cancels the request.
class ListCall {
 public:
  virtual ~ListCall() = default;
  /// Moves what can move without blocking; items go to the sink given at the start. Empty while
  /// unfinished; after a result it must not be called again.
  virtual std::optional<Result<ListPage>> poll() = 0;
  /// The token of the page after this one, as soon as it has been read, which from an API server is
  /// before the first item; empty text: there is no other page. Nothing while it is not known.
  /// Valid until the next poll().
  virtual std::optional<std::string_view> continue_token() const { return std::nullopt; }
};

/// What WatchCall::poll found.
struct WatchPending {};  ///< nothing to do now: wait()
struct WatchOpened {};   ///< the server accepted the watch; comes once, first
struct WatchClosed {};   ///< the stream ended normally (also: cut in the middle of an event)
using WatchPoll = std::variant<WatchPending, WatchOpened, WatchEvent, WatchClosed, Error>;

/// One watch in flight. Destroying it cancels the request.
class WatchCall {
 public:
  virtual ~WatchCall() = default;
  /// The next thing that happened, without blocking. An Error before WatchOpened is a refused
  /// request; one after it a stream that cannot be read on. After WatchClosed or Error it must
  /// not be called again.
  virtual WatchPoll poll() = 0;
  /// When the last byte arrived, for the detection of dead streams; kNever while none has.
  virtual Clock::Mono last_byte() const = 0;
};

/// Threads: one loop owns it and makes every call, except wake().
class ListerWatcher {
 public:
  virtual ~ListerWatcher() = default;

  /// Starts the request of ONE page. `sink` must outlive the call. Continuing, falling back and
  /// starting anew are the informer's business.
  virtual std::unique_ptr<ListCall> list(const ListOptions& options, ListSink& sink) = 0;
  virtual std::unique_ptr<WatchCall> watch(const ListOptions& options) = 0;

  /// Blocks until a call in flight may have something to poll, until `deadline`, stop or wake().
  virtual void wait(Clock::Mono deadline, const std::stop_token& stop) = 0;
  /// Makes a wait() return early; from any thread, never blocks.
  virtual void wake() = 0;

  /// From now on a list, streamed or not, may give what `held` returns in the place of an object in
  /// the same state: a source that decodes bytes saves their copy by asking. `held` is called by
  /// the loop, from within poll().
  virtual void set_held(HeldObjects held) { (void)held; }

  /// Drops pooled connections, so that the next request dials anew. Called when a stream is
  /// taken for dead.
  virtual void reset_connections() {}

  /// False if the source is known not to do streaming lists.
  virtual bool supports_watch_list() const { return true; }
  /// A streaming list was refused, or never came to its end: whoever else asks this server for
  /// this type should not have to find that out again.
  virtual void give_up_watch_list() {}
  /// Names the source in messages: `pods`.
  virtual std::string description() const = 0;
};

}  // namespace kinf
