// SPDX-License-Identifier: Apache-2.0
// HttpListerWatcher: the objects of one type, from an API server. One list page or one watch is
// one request; paging, resuming and retrying are the informer's business.
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

/// What the server is asked to send of each object. A server that does not know a form sends
/// plain objects instead, and those are taken as well.
enum class Representation {
  object,
  metadata,           ///< PartialObjectMetadata
  table,              ///< the server's own columns, with the metadata
  table_with_object,  ///< the same with the whole object
};

struct HttpSource {
  ResourceType type;
  std::string ns;    ///< empty: all namespaces, or a cluster-scoped type
  std::string name;  ///< empty: all objects; else the one of this name
  /// Joined to what the ListOptions of each request select.
  std::string label_selector;
  std::string field_selector;
  Representation representation = Representation::object;
  ObjectForm form = ObjectForm::raw;
  bool keep_managed_fields = false;
  /// What other sources of this server have found out, and this one will; may be null.
  std::shared_ptr<WatchListMemory> watch_lists;
};

/// Its calls must not outlive it.
class HttpListerWatcher final : public ListerWatcher {
 public:
  /// Opens nothing yet. A usage error for names that no path can carry and addresses that make no
  /// sense. `authorizer` (may be null) and `clock` must outlive it.
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

  /// Bytes of bodies, as they came over the wire. Threads: any.
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
  /// Of the last Table seen: objects of the next answer share them, and only the first event of a
  /// stream repeats them.
  std::shared_ptr<const TableColumns> columns_;
  HeldObjects held_;
};

}  // namespace kinf
