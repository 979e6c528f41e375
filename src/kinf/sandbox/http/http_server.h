// SPDX-License-Identifier: Apache-2.0
// HttpServer: an HTTP/1.1 server, with TLS if it has an identity. Each connection has a thread, so
// a stream occupies one. Responses are not compressed, and each piece of a stream is sent
// immediately.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "kinf/base/error.h"
#include "kinf/sandbox/http/http_message.h"
#include "kinf/sandbox/http/tls_identity.h"

namespace kinf::sandbox {

/// Threads: start() and stop() from one thread; the handler runs on many threads at once.
class HttpServer {
 public:
  using Handler = std::function<HttpResponse(const HttpRequest&)>;

  explicit HttpServer(Handler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Listens on a numeric IPv4 address and serves on its own threads. Port 0 takes a free port.
  /// Returns the port. `identity` turns on TLS and must outlive stop(). A network error if it
  /// cannot listen.
  Result<int> start(const std::string& host, int port, const TlsIdentity* identity = nullptr);
  /// Closes all connections and joins all threads. Blocks until streams end, so make them end
  /// first. Idempotent.
  void stop();

 private:
  class Listener;
  std::unique_ptr<Listener> listener_;
};

}  // namespace kinf::sandbox
