// SPDX-License-Identifier: Apache-2.0
// HttpServer: an HTTP/1.1 server, with TLS if it has an identity. A few threads serve all
// connections; an open stream and an idle connection have none. Each piece of a stream is sent
// immediately. Clients may be hostile: requests are parsed strictly and bounded, and pages of other
// sites are refused.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "kinf/base/error.h"
#include "kinf/base/limits.h"
#include "kinf/sandbox/http/http_message.h"
#include "kinf/sandbox/http/reactor.h"
#include "kinf/sandbox/http/request_origin.h"
#include "kinf/sandbox/http/tls_identity.h"

namespace kinf::sandbox {

struct HttpService;

/// Threads: call start() and stop() from one thread. The handler runs on several threads at once.
class HttpServer {
 public:
  using Handler = std::function<HttpResponse(const HttpRequest&)>;

  struct Options {
    HostNames hosts = HostNames::own;            ///< the host names of requests, see check_origin()
    std::size_t max_streams = limits::kWatches;  ///< further streams are refused with 429
  };

  explicit HttpServer(Handler handler) : HttpServer(std::move(handler), Options{}) {}
  HttpServer(Handler handler, Options options);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Listens on a numeric IPv4 address, serves in background threads and returns the port. Port 0
  /// selects a free port. `identity` turns on TLS and must outlive stop(). Fails with a network
  /// error if it cannot listen. Call it once.
  Result<int> start(const std::string& host, int port, const TlsIdentity* identity = nullptr);
  /// Ends all streams, closes all connections and joins all threads. Waits for running handlers.
  /// Idempotent.
  void stop();

 private:
  const std::unique_ptr<HttpService> service_;
  Reactor reactor_;
};

}  // namespace kinf::sandbox
