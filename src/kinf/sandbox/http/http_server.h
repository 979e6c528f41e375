// SPDX-License-Identifier: Apache-2.0
// HttpServer: HTTP/1.1 on a port, over TLS if it has an identity. A thread per connection, made on
// demand; a stream keeps its thread. Nothing is compressed and every piece of a stream is sent at
// once.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "kinf/base/error.h"
#include "kinf/sandbox/http/http_message.h"
#include "kinf/sandbox/http/tls_identity.h"

namespace kinf::sandbox {

/// Threads: start() and stop() from one thread; the handler is called from many.
class HttpServer {
 public:
  using Handler = std::function<HttpResponse(const HttpRequest&)>;

  explicit HttpServer(Handler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Binds and serves from a thread of its own; port 0 takes a free one. The port that it got.
  /// The identity, unless null, outlives stop().
  Result<int> start(const std::string& host, int port, const TlsIdentity* identity = nullptr);
  /// Ends all connections and joins all threads. Streams must have been told to end before, else
  /// this waits for them. Idempotent.
  void stop();

 private:
  class Listener;
  std::unique_ptr<Listener> listener_;
};

}  // namespace kinf::sandbox
