// SPDX-License-Identifier: Apache-2.0
// HttpServer: an HTTP/1.1 server, with TLS if it has an identity. Each connection has its own
// thread, which a stream occupies until it ends. Each piece of a stream is sent immediately. For
// clients that accept gzip, it compresses bodies of at least 128 KiB, and the streams for which the
// handler asks for it.
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

  explicit HttpServer(Handler handler);
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
