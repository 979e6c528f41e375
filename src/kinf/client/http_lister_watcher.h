// SPDX-License-Identifier: Apache-2.0
// HttpListerWatcher: lists and watches the objects of one type on an API server. One list page or
// one watch is one request; the informer does the paging, resuming and retrying.
#pragma once

#include <memory>
#include <string>

#include "kinf/api/group_version_resource.h"
#include "kinf/api/lister_watcher.h"
#include "kinf/api/object_decoder.h"
#include "kinf/client/api_exchange.h"
#include "kinf/client/http_transport.h"
#include "kinf/client/watch_list_memory.h"

namespace kinf {

/// What the server is asked to send for each object. A server that does not support it sends plain
/// objects, which are accepted too.
enum class Representation {
  object,
  metadata,           ///< PartialObjectMetadata
  table,              ///< the cells of the server's columns, with the metadata
  table_with_object,  ///< the cells, with the whole object
};

/// Which objects, and how they are requested and kept.
struct HttpSource {
  ResourceType type;
  std::string ns;    ///< empty: all namespaces, or a cluster-scoped type
  std::string name;  ///< empty: all objects; else only the one with this name
  /// Combined with the selectors in the ListOptions of each request.
  std::string label_selector;
  std::string field_selector;
  Representation representation = Representation::object;
  ObjectForm form = ObjectForm::raw;
  bool keep_managed_fields = false;  ///< otherwise cut out of each object
  /// Shared by all sources of one server: types that do not support streaming lists. May be null.
  std::shared_ptr<WatchListMemory> watch_lists;
};

/// Its calls must not outlive it.
/// Threads: one thread owns it and its calls; wake() and bytes_received() may be called from any
/// thread. Only wait() blocks, and list() and watch() while the authorizer renews credentials.
class HttpListerWatcher final : public ListerWatcher {
 public:
  /// Opens no connection yet. `authorizer` (may be null) and `clock` must outlive it. Errors:
  /// usage, for names that a path cannot contain and addresses that cannot be used.
  static Result<std::unique_ptr<HttpListerWatcher>> create(const ClientConfig& config,
                                                           const ProxyEnvironment& proxies,
                                                           RequestAuthorizer* authorizer,
                                                           HttpSource source, Clock& clock);

  std::unique_ptr<ListCall> list(const ListOptions& options, ListSink& sink) override;
  std::unique_ptr<WatchCall> watch(const ListOptions& options) override;
  void wait(Clock::Mono deadline, const std::stop_token& stop) override;
  void wake() override;
  void set_held(HeldObjects held) override;
  void reset_connections() override;
  bool supports_watch_list() const override;
  void give_up_watch_list() override;
  std::string description() const override;

  /// Bytes of all answer bodies as received, before decompression.
  std::uint64_t bytes_received() const { return transport_->bytes_received(); }

 private:
  HttpListerWatcher(std::unique_ptr<HttpTransport> transport, RequestAuthorizer* authorizer,
                    HttpSource source, std::string path, const ClientConfig& config);
  ApiRequest request(std::string_view verb) const;
  ListOptions with_source_selectors(const ListOptions& options) const;
  DecodeOptions decode_options(bool lists) const;

  std::unique_ptr<HttpTransport> transport_;
  RequestAuthorizer* authorizer_;
  HttpSource source_;
  std::string path_;
  bool gzip_;
  Clock::Duration list_silence_;
  /// Of the last Table. The objects of the next answer share them; a watch sends them only in its
  /// first event.
  std::shared_ptr<const TableColumns> columns_;
  HeldObjects held_;
};

}  // namespace kinf
