// SPDX-License-Identifier: Apache-2.0
// HttpListerWatcher: lists and watches the objects of one type on an API server. Each list page and
// each watch is one request. The informer handles paging, resuming and retries.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "kinf/api/group_version_resource.h"
#include "kinf/api/lister_watcher.h"
#include "kinf/base/sync.h"
#include "kinf/client/server_version.h"

namespace [[gnu::visibility("default")]] kinf {

class HttpTransport;      // client/http_transport.h
class ObjectTrim;         // api/object_trim.h
class RequestAuthorizer;  // client/credentials.h
struct ApiRequest;        // client/api_client.h
struct ClientConfig;      // client/client_config.h
struct DecodeOptions;     // api/object_decoder.h
struct FieldRequirement;  // api/selectors.h
struct ProxyEnvironment;  // client/client_config.h

// WatchListMemory: the types for which streaming lists have failed on one server. Shared by all
// HttpListerWatchers of that server.

/// Threads: call every function from any thread.
class WatchListMemory {
 public:
  /// Returns whether give_up() was called for `type`.
  bool has_given_up(const GroupVersionResource& type) const {
    MutexLock lock(mu_);
    return given_up_.contains(type);
  }
  /// Records that streaming lists of `type` do not work.
  void give_up(const GroupVersionResource& type) {
    MutexLock lock(mu_);
    given_up_.insert(type);
  }

 private:
  mutable Mutex mu_;
  std::set<GroupVersionResource> given_up_ KINF_GUARDED_BY(mu_);
};

// ListCounter: counts the objects of a list while they arrive, to show its progress.

/// The progress of a list.
struct ListCount {
  std::uint64_t received = 0;  ///< objects received so far
  std::uint64_t total = 0;     ///< objects in the complete list; 0 if not known
};

/// Threads: one thread calls start(), add() and set_total(); any thread may call count().
class ListCounter {
 public:
  /// Resets the counts for a new list.
  void start() {
    received_.store(0, std::memory_order_relaxed);
    total_.store(0, std::memory_order_relaxed);
  }
  void add(std::uint64_t objects) { received_.fetch_add(objects, std::memory_order_relaxed); }
  void set_total(std::uint64_t objects) { total_.store(objects, std::memory_order_relaxed); }
  ListCount count() const {
    return {received_.load(std::memory_order_relaxed), total_.load(std::memory_order_relaxed)};
  }

 private:
  std::atomic<std::uint64_t> received_{0};
  std::atomic<std::uint64_t> total_{0};
};

/// The representation of objects to request from the server. A server that does not support it
/// sends plain objects, which are accepted too.
enum class Representation {
  object,
  metadata,           ///< PartialObjectMetadata
  table,              ///< Table cells, with the object's metadata
  table_with_object,  ///< Table cells, with the complete object
};

/// Selects the objects to list and watch, their representation, and the parts of them to store.
struct HttpSource {
  ResourceType type{};
  std::string ns{};    ///< empty means all namespaces, or a cluster-scoped type
  std::string name{};  ///< if not empty, selects only the object with this name
  /// Both selectors are combined with those in the ListOptions of each request.
  std::string label_selector{};
  std::string field_selector{};
  Representation representation = Representation::object;
  ObjectForm form = ObjectForm::raw;
  bool keep_managed_fields = false;  ///< if false, managedFields are removed from each object
  /// Whether Object::manager(), which is read from managedFields, must be available. If false, and
  /// keep_managed_fields is false too, the requests ask the server to omit managedFields
  /// (KEP-5958). Older servers send them anyway.
  bool needs_manager = true;
  bool shows_warnings = true;                ///< ApiRequest::shows_warnings
  std::shared_ptr<const ObjectTrim> trim{};  ///< the fields to remove; see DecodeOptions::trim
  /// Called on the informer's thread for each requirement of `field_selector` that the server does
  /// not support. The request is then sent again without that requirement, and asks for complete
  /// objects. If this function is empty, the request fails instead.
  std::function<void(const FieldRequirement& requirement)> on_unsupported_field{};
  /// Determines Object::selected() of each object after `on_unsupported_field` has been called.
  std::function<bool(const Object& whole)> selects{};
  /// Determines how to list (see ListChoice). Empty means a recent server.
  std::optional<ServerVersion> server_version{};
  /// The types that do not support streaming lists, shared by all sources of one server. May be
  /// null.
  std::shared_ptr<WatchListMemory> watch_lists{};
};

/// Lists and watches the objects of one HttpSource. Its ListCalls and WatchCalls must not outlive
/// it.
/// Threads: one thread owns the HttpListerWatcher and its calls; wake(), bytes_received(),
/// bytes_decoded() and list_count() may be called from any thread. wait() blocks. list(), watch()
/// and poll() may block while the authorizer renews credentials.
class HttpListerWatcher final : public ListerWatcher {
 public:
  /// Creates a source without opening a connection. `authorizer` may be null. `clock` must outlive
  /// the source, unless it is a RealClock. Errors: usage, for names that a path cannot contain, and
  /// for invalid addresses.
  static Result<std::unique_ptr<HttpListerWatcher>> create(
      const ClientConfig& config, const ProxyEnvironment& proxies,
      std::shared_ptr<RequestAuthorizer> authorizer, HttpSource source, Clock& clock);
  ~HttpListerWatcher() override;

  std::unique_ptr<ListCall> list(const ListOptions& options, ListSink& sink) override;
  std::unique_ptr<WatchCall> watch(const ListOptions& options) override;
  void wait(Clock::Mono deadline, const std::stop_token& stop) override;
  void wake() override;
  void set_held(HeldObjects held) override { held_ = std::move(held); }
  void reset_connections() override;
  bool supports_watch_list() const override;
  void give_up_watch_list() override;
  bool prefers_watch_list() const override;
  NewestFromMemory newest_from_memory() const override;
  /// Requests the metadata of one object, without the selectors of the source: with a selector, the
  /// server might have to read all objects.
  std::unique_ptr<ListCall> newest_version(ListSink& sink) override;
  /// The variant names what the HttpSource has set otherwise than by default.
  std::optional<InformerIdentity> identity() const override;
  std::string description() const override;

  /// Returns the number of bytes received in response bodies, before they are inflated.
  std::uint64_t bytes_received() const;
  /// Returns the number of bytes of response bodies after they were inflated.
  std::uint64_t bytes_decoded() const;

  /// Returns the progress of the current list or streaming list. Call it from any thread.
  ListCount list_count() const { return counter_.count(); }

 private:
  HttpListerWatcher(std::unique_ptr<HttpTransport> transport,
                    std::shared_ptr<RequestAuthorizer> authorizer, HttpSource source,
                    std::string path, const ClientConfig& config);
  ApiRequest request(std::string_view verb) const;
  ListOptions with_source_selectors(const ListOptions& options) const;
  DecodeOptions decode_options(bool lists) const;
  std::unique_ptr<ListCall> list_once(const ListOptions& options, ListSink& sink);
  std::unique_ptr<WatchCall> watch_once(const ListOptions& options);
  /// Removes the field that `error` reports as unsupported from the field selector of the source.
  /// Returns false if `error` reports no such field.
  bool drop_unsupported_field(const Error& error);

  std::unique_ptr<HttpTransport> transport_;
  std::shared_ptr<RequestAuthorizer> authorizer_;
  HttpSource source_;
  std::string path_;
  bool gzip_;
  Clock::Duration list_silence_;
  /// The column definitions of the last Table, shared with the objects of the next response. A
  /// watch sends them only in its first event.
  std::shared_ptr<const TableColumns> columns_;
  HeldObjects held_;
  ListCounter counter_;
  // What newest_version() reads and does not keep.
  std::shared_ptr<const TableColumns> other_columns_;
  ListCounter other_counter_;
  const InformerIdentity identity_;
  bool has_dropped_fields_ = false;  ///< drop_unsupported_field() has removed a field
};

}  // namespace kinf
