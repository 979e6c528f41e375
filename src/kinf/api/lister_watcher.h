// SPDX-License-Identifier: Apache-2.0
// ListerWatcher: the interface between the informer and a source of objects, such as an API server,
// a recording or a test. Only wait() blocks, so that a thread can run the loop, or a test can run
// it step by step.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>

#include "kinf/api/group_version_resource.h"
#include "kinf/api/object.h"
#include "kinf/base/clock.h"
#include "kinf/base/error.h"

namespace [[gnu::visibility("default")]] kinf {

// WatchEvent: one event of a watch stream.

enum class WatchEventType { added, modified, deleted, bookmark, error };

struct WatchEvent {
  WatchEventType type = WatchEventType::added;
  ObjectPtr object;                 ///< set for added, modified and deleted
  std::string resource_version;     ///< the resourceVersion of the object or bookmark
  bool initial_events_end = false;  ///< bookmark: the initial events of a streaming list end here
  /// For `error` events: the server's Status, or if the event contains no Status, an error that
  /// quotes it.
  std::optional<Error> error;
};

// ListOptions: the query parameters of a list or watch request (meta/v1 ListOptions). Empty
// parameters are not sent.

struct ListOptions {
  std::string label_selector;
  std::string field_selector;
  std::string resource_version;
  std::string resource_version_match;  ///< `NotOlderThan` or `Exact`
  std::int64_t limit = 0;              ///< objects per page; 0 means all
  std::string continue_token;
  bool allow_watch_bookmarks = false;
  bool send_initial_events = false;             ///< watch only: the streaming list (KEP-3157)
  std::optional<std::chrono::seconds> timeout;  ///< the time after which the server ends the watch

  friend bool operator==(const ListOptions&, const ListOptions&) = default;
};

/// What an informer lists. A SharedInformerFactory has one informer for each identity.
struct InformerIdentity {
  GroupVersionResource gvr{};
  std::string ns{};  ///< empty means all namespaces, or a cluster-scoped type
  std::string label_selector{};
  std::string field_selector{};
  ObjectForm form = ObjectForm::raw;
  /// What else distinguishes the objects from those of another source, such as parts that are left
  /// out. Empty for the default of the source.
  std::string variant{};

  friend auto operator<=>(const InformerIdentity&, const InformerIdentity&) = default;
};

/// Receives the items of a list page as they arrive.
class ListSink {
 public:
  virtual ~ListSink() = default;
  virtual void item(ObjectPtr object) = 0;
};

/// The metadata of one page.
struct ListPage {
  std::string resource_version;
  std::string continue_token;  ///< empty on the last page
  /// Number of items beyond this page; 0 if the server does not say.
  std::int64_t remaining_items = 0;
};

/// A running request for one list page. The destructor cancels it.
class ListCall {
 public:
  virtual ~ListCall() = default;
  /// Passes the items that have arrived to the sink, without blocking. Returns nullopt until the
  /// page is complete or has failed. Must not be called again after that.
  virtual std::optional<Result<ListPage>> poll() = 0;
  /// Returns the continue token of this page. It is empty on the last page, and nullopt while it is
  /// not known. An API server sends it before the first item. Valid until the next poll().
  virtual std::optional<std::string_view> continue_token() const { return std::nullopt; }
  /// Returns when the last byte arrived; kNever if no byte has arrived.
  virtual Clock::Mono last_byte() const { return Clock::kNever; }
};

/// The results of WatchCall::poll().
struct WatchPending {};  ///< no result yet: call wait()
struct WatchOpened {};   ///< the server accepted the watch; always the first result, returned once
struct WatchClosed {};   ///< the stream ended, possibly within an event
using WatchPoll = std::variant<WatchPending, WatchOpened, WatchEvent, WatchClosed, Error>;

/// A running watch request. The destructor cancels it.
class WatchCall {
 public:
  virtual ~WatchCall() = default;
  /// Returns the next result, without blocking. An Error before WatchOpened means that the request
  /// failed. An Error after WatchOpened means that the rest of the stream cannot be read. Must not
  /// be called again after WatchClosed or an Error.
  virtual WatchPoll poll() = 0;
  /// Returns when the last byte arrived, to detect dead streams; kNever if no byte has arrived.
  virtual Clock::Mono last_byte() const = 0;
};

/// Which lists of the newest state (lists without a resourceVersion) a server answers from its
/// memory. The server reads all others from etcd.
enum class NewestFromMemory {
  none,   ///< no list, so request version "0" (any) or the last version, as client-go does
  whole,  ///< a list in one page (kube-apiserver 1.31: consistent reads)
  pages,  ///< all pages of a list (kube-apiserver 1.34: snapshots)
};

/// Lists and watches the objects of one type.
/// Threads: one thread owns it and its calls; wake() may be called from any thread.
class ListerWatcher {
 public:
  virtual ~ListerWatcher() = default;

  /// Requests one page. `sink` must outlive the returned ListCall. The caller requests the
  /// following pages, and handles errors.
  virtual std::unique_ptr<ListCall> list(const ListOptions& options, ListSink& sink) = 0;
  /// Starts a watch.
  virtual std::unique_ptr<WatchCall> watch(const ListOptions& options) = 0;

  /// Blocks until a poll() may have a new result, `deadline` is reached, `stop` is requested, or
  /// wake() is called.
  virtual void wait(Clock::Mono deadline, const std::stop_token& stop) = 0;
  /// Ends the current wait(), or the next one. Never blocks.
  virtual void wake() = 0;

  /// Sets a function that looks up an object in the cache by its key, uid and resourceVersion. To
  /// save memory, a source that decodes bytes may call this function, from poll(), for the objects
  /// of a list or streaming list, and deliver the cached object instead of a new one. Other sources
  /// ignore the function.
  virtual void set_held(HeldObjects held) { (void)held; }

  /// Drops all connections, so that the next request opens a new one. Call when a stream seems
  /// dead.
  virtual void reset_connections() {}

  /// Returns whether streaming lists may work. Returns false after give_up_watch_list().
  virtual bool supports_watch_list() const { return true; }
  /// Records that a streaming list was refused or did not end, so that other ListerWatchers for
  /// this server and type do not try one.
  virtual void give_up_watch_list() {}
  /// Returns whether a streaming list costs the server less than other lists.
  virtual bool prefers_watch_list() const { return supports_watch_list(); }
  virtual NewestFromMemory newest_from_memory() const { return NewestFromMemory::none; }
  /// Returns false if the last complete list was what an earlier run of the program knew. The
  /// informer then checks with newest_version(), when its watch opens, that the server has not gone
  /// back to older versions meanwhile.
  virtual bool has_fresh_list() const { return true; }
  /// Requests the newest resourceVersion of the source, with at most one object. Returns null if
  /// the source cannot tell it cheaply. `sink` must outlive the returned ListCall.
  virtual std::unique_ptr<ListCall> newest_version(ListSink& sink) {
    (void)sink;
    return nullptr;
  }
  /// Returns what the source lists, if it knows. SharedInformerFactory compares it with the
  /// identity of the informer.
  virtual std::optional<InformerIdentity> identity() const { return std::nullopt; }
  /// Returns the name of the source for messages: `pods`.
  virtual std::string description() const = 0;
};

}  // namespace kinf
