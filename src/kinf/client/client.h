// SPDX-License-Identifier: Apache-2.0
// Client: the entry point to one API server. Creates the sources that informers list and watch.
// Programs start with this class; the next header to read is informer/shared_informer.h.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/client/api_client.h"
#include "kinf/client/config_choice.h"
#include "kinf/client/credentials.h"
#include "kinf/client/discovery.h"
#include "kinf/client/http_lister_watcher.h"

namespace [[gnu::visibility("default")]] kinf {

struct ClientOptions {
  CredentialOptions credentials;
  ProxyEnvironment proxies;
  /// A folder that caches discovery documents for ten minutes. Several processes may share it.
  /// Empty means that the documents are kept in memory only.
  std::string cache_folder;
};

/// Owns the credentials and the discovered types of one server.
/// Threads: use it from one thread at a time. The sources that it returns have their own
/// connections, and their threads may use the client's credentials at any time.
class Client {
 public:
  /// Creates a client for the cluster that kubectl would use: from $KUBECONFIG, or else the pod's
  /// service account, or else ~/.kube/config. Supports client certificates, tokens, exec plugins,
  /// impersonation, and proxies, including the one in $HTTPS_PROXY. Reads files, but opens no
  /// connection. `clock` must outlive the client and its sources, unless it is a RealClock. `stop`
  /// ends blocking calls and running plugins. `flags` have the effect of kubectl's flags of the
  /// same names. Errors: usage.
  static Result<std::unique_ptr<Client>> from_environment(Clock& clock, std::stop_token stop = {},
                                                          const ConfigFlags& flags = {});
  /// Creates a client for a configuration. Errors: usage.
  static Result<std::unique_ptr<Client>> create(ClientConfig config, ClientOptions options,
                                                Clock& clock);

  /// Returns a source of the objects of `type`, a name that kubectl accepts: `pods`, `deploy`,
  /// `widgets.example.com`. `source` selects among these objects; the client sets `source.type`. An
  /// empty `source.ns` means all namespaces. The returned source may outlive the client. Blocks on
  /// discovery requests. A type that the server did not have a second ago is looked up again.
  /// Errors: usage, for an unknown type; stopped; those of the requests.
  Result<std::unique_ptr<HttpListerWatcher>> source(std::string_view type, HttpSource source = {});
  /// Like source(), for the type `source.type`. Sends no request. Errors: usage.
  Result<std::unique_ptr<HttpListerWatcher>> typed_source(HttpSource source);

  const ClientConfig& config() const { return config_; }
  /// Returns the credentials, for requests that your program sends itself: identity() has their
  /// headers.
  CredentialSource& credentials() const { return *credentials_; }
  /// Returns the types of the server.
  Discovery& discovery() { return *discovery_; }
  /// Returns a client for single requests, with its own connections. It may outlive this object.
  /// Errors: usage.
  Result<std::unique_ptr<ApiClient>> new_api_client();

 private:
  Client(ClientConfig config, ClientOptions options, Clock& clock);
  Result<void> connect();

  Clock& clock_;
  ClientConfig config_;
  ClientOptions options_;
  std::shared_ptr<CredentialSource> credentials_;  ///< shared with the sources
  std::unique_ptr<ApiClient> api_client_;          ///< sends the requests of discovery_
  std::optional<DiscoveryCache> discovery_cache_;
  std::unique_ptr<Discovery> discovery_;
  std::shared_ptr<WatchListMemory> watch_lists_ = std::make_shared<WatchListMemory>();
};

}  // namespace kinf
