// SPDX-License-Identifier: Apache-2.0
// HttpServer: an HTTP/1.1 server on Boost.Asio and Boost.Beast, with TLS if it has a TlsIdentity. A
// few threads serve all connections. Open streams and idle connections need no thread. Each piece
// of a stream is sent immediately. Clients may be hostile: requests are parsed strictly, their size
// is limited, and requests from web pages of other sites are refused.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "kinf/base/error.h"
#include "kinf/base/limits.h"
#include "kinf/http/http_message.h"
#include "kinf/http/request_head.h"
#include "kinf/http/tls_identity.h"

namespace kinf {

/// Threads: call start() and stop() from one thread. The handler runs on several threads at once.
class HttpServer {
 public:
  using Handler = std::function<HttpResponse(const HttpRequest&)>;

  struct Options {
    std::string name = "http";                   ///< the name of the server in the log
    HostNames hosts = HostNames::own;            ///< accepted host names; see check_origin()
    std::size_t max_streams = limits::kWatches;  ///< further streams are refused with status 429
  };

  explicit HttpServer(Handler handler) : HttpServer(std::move(handler), Options{}) {}
  HttpServer(Handler handler, Options options);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Listens on a numeric IPv4 address, serves in background threads and returns the port. Port 0
  /// selects a free port. `identity` turns on TLS and must outlive stop(). Fails with a network
  /// error if it cannot listen, and with an internal error if the system refuses a descriptor or a
  /// thread. Call it once.
  Result<int> start(const std::string& host, int port, const TlsIdentity* identity = nullptr);
  /// Ends all streams, closes all connections and joins all threads. Waits for running handlers.
  /// Further calls do nothing.
  void stop();

 private:
  class Loop;
  const std::unique_ptr<Loop> loop_;
};

/// An address from the command line, such as `127.0.0.1:8080` or `[::1]:6443`.
struct HostPort {
  std::string host;  ///< without the brackets of an IPv6 address
  int port = 0;
};

/// Parses HOST:PORT. The port is required. Fails with a usage error that quotes `text`.
Result<HostPort> parse_host_port(std::string_view text);
/// Parses an address to listen on: a numeric IPv4 address, or `localhost`, which becomes 127.0.0.1.
/// Fails with a usage error if it is neither, or if it is outside 127.0.0.0/8 and `listen_any` is
/// false.
Result<HostPort> parse_listen(std::string_view text, bool listen_any);

}  // namespace kinf
