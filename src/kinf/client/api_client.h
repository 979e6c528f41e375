// SPDX-License-Identifier: Apache-2.0
// ApiClient: a blocking client for single GET requests: discovery, versions, one object. Informers
// use HttpListerWatcher instead.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "kinf/client/api_exchange.h"
#include "kinf/client/http_transport.h"

namespace kinf {

/// The body of a successful answer.
struct ApiAnswer {
  std::string body;
  std::string content_type;
};

/// Keeps one pool of connections to one server and sends one request at a time.
/// Threads: one owner at a time. Requesting stop on the token given to get() ends that call from
/// any thread.
class ApiClient {
 public:
  /// The largest body that is accepted, in bytes; a larger one is a protocol error.
  static constexpr std::size_t kMaxBody = 64u * 1024 * 1024;

  /// Opens no connection yet. `authorizer` (may be null) and `clock` must outlive the client.
  /// Errors: usage, for a server or proxy address that cannot be used.
  static Result<std::unique_ptr<ApiClient>> create(const ClientConfig& config,
                                                   const ProxyEnvironment& proxies,
                                                   RequestAuthorizer* authorizer, Clock& clock);

  /// Sends the request and blocks until the whole answer is here, `stop` is requested, or no byte
  /// has come for ApiRequest::silence_limit (default: ClientConfig::silence_limit()). May also
  /// block in the authorizer. Sends the request once more after a 401 if the credentials have
  /// changed; retries nothing else. Errors: stopped; network; protocol for an answer that is too
  /// large or not JSON; otherwise the kind that to_error() gives for the server's Status.
  Result<ApiAnswer> get(ApiRequest request, const std::stop_token& stop);
  /// The same for a path; errors then name no resource.
  Result<ApiAnswer> get(std::string path, const std::stop_token& stop);

  /// The server's scheme, host and port: `https://10.0.0.1:6443`.
  const std::string& server() const { return transport_->origin(); }

 private:
  ApiClient(std::unique_ptr<HttpTransport> transport, RequestAuthorizer* authorizer,
            Clock::Duration silence_limit);

  std::unique_ptr<HttpTransport> transport_;
  RequestAuthorizer* authorizer_;
  Clock::Duration silence_limit_;
};

}  // namespace kinf
