// SPDX-License-Identifier: Apache-2.0
// ApiClient: a blocking client for single GET requests, such as discovery, the server version or
// one object. Informers use HttpListerWatcher instead.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"

namespace [[gnu::visibility("default")]] kinf {

class ObjectPtr;          // api/object.h
class HttpTransport;      // client/http_transport.h
class RequestAuthorizer;  // client/credentials.h
struct ClientConfig;      // client/client_config.h
struct HttpSource;        // client/http_lister_watcher.h
struct ProxyEnvironment;  // client/client_config.h

/// One GET request.
struct ApiRequest {
  std::string path{};   ///< such as `/api/v1/pods`
  std::string query{};  ///< the query string, percent-encoded, without the leading `?`
  std::string accept = "application/json";
  bool accept_gzip = false;
  /// The request fails if the server sends nothing for this long. nullopt means no limit.
  std::optional<Clock::Duration> silence_limit{};
  // The next three appear in error messages: `secrets is forbidden`, `pods "web-1" not found`.
  std::string_view verb = "get";
  std::string resource{};
  std::string name{};
  bool shows_warnings = true;  ///< logs the server's warnings, such as that a type is deprecated
  bool any_content = false;    ///< accept other answers than JSON; their bytes are never logged

  /// Returns the path and query of the request.
  std::string target() const { return query.empty() ? path : path + "?" + query; }
};

/// A successful response.
struct ApiAnswer {
  std::string body;
  std::string content_type;
};

/// Sends GET requests to one server over a pool of connections. get_both() sends two at a time.
/// Threads: use it from one thread at a time. Any thread may request stop on the token passed to
/// get().
class ApiClient {
 public:
  /// Creates a client without opening a connection. `authorizer` may be null. `clock` must outlive
  /// the client, unless it is a RealClock. Errors: usage, for an invalid server or proxy address.
  static Result<std::unique_ptr<ApiClient>> create(const ClientConfig& config,
                                                   const ProxyEnvironment& proxies,
                                                   std::shared_ptr<RequestAuthorizer> authorizer,
                                                   Clock& clock);
  ~ApiClient();

  /// Sends the request and blocks until the response is complete, `stop` is requested, or no byte
  /// has arrived for ApiRequest::silence_limit (default: ClientConfig::silence_limit()). May also
  /// block in the authorizer. After a 401, retries once if the authorizer returns new credentials.
  /// Does not retry other failures. Errors: stopped; network; protocol for a response that is
  /// larger than 64 MiB after it is inflated, or not JSON; otherwise the error kind of the server's
  /// Status (see to_error()).
  Result<ApiAnswer> get(ApiRequest request, const std::stop_token& stop);
  /// Sends both requests at the same time. After the response to `first` is complete, waits at most
  /// one second for the other. Errors: those of get(); unavailable, if the response to `second` is
  /// late.
  std::pair<Result<ApiAnswer>, Result<ApiAnswer>> get_both(ApiRequest first, ApiRequest second,
                                                           const std::stop_token& stop);
  /// Sends a request for `path`. Error messages do not name a resource.
  Result<ApiAnswer> get(std::string path, const std::stop_token& stop);

  /// Sends the request and passes the bytes of the response to `take` as they arrive, until it
  /// returns false. Accepts any content, of any size. Blocks until the response is complete, `stop`
  /// is requested, or ApiRequest::silence_limit has passed without a byte; by default there is no
  /// such limit. Errors: as for get().
  Result<void> stream(ApiRequest request, const std::function<bool(std::string_view bytes)>& take,
                      const std::stop_token& stop);

  /// Requests a subresource, such as `scale`, of the object `source.name`, and decodes it with the
  /// cells of its Table row, if the server has such Tables. Uses only the type, namespace, name and
  /// parts of `source`. Otherwise like get().
  Result<ObjectPtr> get_subresource(const HttpSource& source, std::string_view subresource,
                                    std::optional<Clock::Duration> silence_limit,
                                    const std::stop_token& stop);

  /// Returns the server's scheme, host and port: `https://10.0.0.1:6443`.
  const std::string& server() const;
  Clock& clock() const;

 private:
  ApiClient(std::unique_ptr<HttpTransport> transport, std::shared_ptr<RequestAuthorizer> authorizer,
            Clock::Duration silence_limit, bool gzip);

  class WholeAnswer;
  class StreamedAnswer;

  /// Starts `request`, after setting its unset fields to the defaults of this client.
  WholeAnswer start(ApiRequest request);

  std::unique_ptr<HttpTransport> transport_;
  std::shared_ptr<RequestAuthorizer> authorizer_;
  Clock::Duration silence_limit_;
  bool gzip_;
};

}  // namespace kinf
