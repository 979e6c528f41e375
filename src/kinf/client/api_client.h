// SPDX-License-Identifier: Apache-2.0
// ApiClient: one GET at a time, blocking, for what is asked once: discovery, versions, a single
// object. Lists and watches of an informer go through HttpListerWatcher.
#pragma once

#include <memory>
#include <stop_token>
#include <string>

#include "kinf/client/api_exchange.h"
#include "kinf/client/http_transport.h"

namespace kinf {

struct ApiAnswer {
  std::string body;
  std::string content_type;
};

/// Threads: one owner at a time; a stop of the token given to get() ends it from any thread.
class ApiClient {
 public:
  /// Bodies above this are refused, so that a server cannot fill our memory.
  static constexpr std::size_t kMaxBody = 64u * 1024 * 1024;

  /// Opens nothing yet. `authorizer` (may be null) and `clock` must outlive it.
  static Result<std::unique_ptr<ApiClient>> create(const ClientConfig& config,
                                                   const ProxyEnvironment& proxies,
                                                   RequestAuthorizer* authorizer, Clock& clock);

  /// Blocks until the whole answer is here, at most the request time-out of the configuration
  /// (60 s if it has none) without a byte. Kind stopped if stop was requested.
  Result<ApiAnswer> get(ApiRequest request, const std::stop_token& stop);
  /// The same for a path whose errors need no resource in their wording.
  Result<ApiAnswer> get(std::string path, const std::stop_token& stop);

  /// `https://10.0.0.1:6443`.
  const std::string& server() const { return transport_->origin(); }

 private:
  ApiClient(std::unique_ptr<HttpTransport> transport, RequestAuthorizer* authorizer,
            Clock::Duration silence_limit);

  std::unique_ptr<HttpTransport> transport_;
  RequestAuthorizer* authorizer_;
  Clock::Duration silence_limit_;
};

}  // namespace kinf
