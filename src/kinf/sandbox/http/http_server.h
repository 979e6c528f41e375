// SPDX-License-Identifier: Apache-2.0
// HttpServer: an HTTP/1.1 server, with TLS if it has an identity. Each connection has its own
// thread, which a stream occupies until it ends. Each piece of a stream is sent immediately.
// Clients may be hostile: requests are parsed strictly and bounded, and pages of other sites are
// refused.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "kinf/base/error.h"
#include "kinf/sandbox/http/http_message.h"
#include "kinf/sandbox/http/tls_identity.h"

namespace kinf::sandbox {

/// Threads: call start() and stop() from one thread. The handler runs on several threads at once.
class HttpServer {
 public:
  using Handler = std::function<HttpResponse(const HttpRequest&)>;

  struct Options {
    bool any_host = false;           ///< accept requests for any host name, see check_origin()
    std::size_t max_streams = 2048;  ///< further streams are refused with 429
  };

  explicit HttpServer(Handler handler) : HttpServer(std::move(handler), Options{}) {}
  HttpServer(Handler handler, Options options);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Listens on a numeric IPv4 address, serves in background threads and returns the port. Port 0
  /// selects a free port. `identity` turns on TLS and must outlive stop(). Fails with a network
  /// error if it cannot listen.
  Result<int> start(const std::string& host, int port, const TlsIdentity* identity = nullptr);
  /// Closes all connections and joins all threads. Blocks until all streams have ended, so end them
  /// first. Idempotent.
  void stop();

 private:
  class Listener;
  std::unique_ptr<Listener> listener_;
};

}  // namespace kinf::sandbox
