// SPDX-License-Identifier: Apache-2.0
// HttpTransport: GET requests over libcurl, driven by the loop that owns them. Handles connections,
// TLS and proxies. Knows nothing of Kubernetes: a 404 is an answer like any other.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/client/client_config.h"
#include "kinf/client/proxy.h"

namespace kinf {

/// One GET request.
struct HttpRequest {
  std::string target;                ///< path and query, appended to the path of the server's URL
  std::vector<std::string> headers;  ///< `Accept: application/json`
  bool accept_gzip = false;          ///< a compressed answer is decoded as it arrives
  /// How long the server may send nothing, before and within the answer; none: no limit.
  std::optional<Clock::Duration> silence_limit;
  std::string cert_pem;  ///< replaces the configured client certificate unless empty
  std::string key_pem;   ///< the key of `cert_pem`
};

/// Status line and headers of the final answer. Interim (1xx) and proxy answers are left out.
struct HttpHead {
  std::string protocol;  ///< `HTTP/1.1`, `HTTP/2`
  int status = 0;
  std::string content_type;
  std::string retry_after;
  std::vector<std::string> warnings;  ///< the values of Warning headers

  /// Whether the status is 2xx.
  bool is_success() const { return status >= 200 && status < 300; }
};

/// Receives an answer as it arrives. Called from HttpTransport::perform(), where it must not start,
/// destroy or wait for transfers.
class HttpSink {
 public:
  virtual ~HttpSink() = default;
  virtual void on_head(const HttpHead& head) = 0;
  /// Takes the next bytes of the body, valid during the call only. Returns false to end the
  /// transfer.
  virtual bool on_bytes(std::string_view bytes) = 0;
  /// Whether it can take no more for now. While any sink of a transport is full, the transport
  /// reads nothing from the network.
  virtual bool is_full() const { return false; }
};

class HttpTransfer;   // client/http_transfer.h
struct HttpSettings;  // what all transfers of a transport share

/// One pool of connections to one server.
/// Threads: one thread owns it and its transfers. wake() and bytes_received() may be called from
/// any thread. Only wait() blocks.
class HttpTransport {
 public:
  /// Opens no connection yet. Copies what it needs of `config`; `clock` must outlive the transport.
  /// Errors: usage, for a server or proxy address that cannot be used.
  static Result<std::unique_ptr<HttpTransport>> create(const ClientConfig& config,
                                                       const ProxyEnvironment& proxies,
                                                       Clock& clock);
  /// All transfers must be destroyed before.
  ~HttpTransport();

  /// Starts a request. `sink` must outlive the transfer. Failures show in HttpTransfer::outcome().
  std::unique_ptr<HttpTransfer> start(const HttpRequest& request, HttpSink& sink);
  /// Sends and receives what is possible now and calls the sinks. Does nothing while a sink is
  /// full: that is the back-pressure. One call reads at most 6.4 MB.
  void perform();
  /// Blocks until a transfer may have something new, until `deadline`, `stop` or wake(). Returns at
  /// once if a transfer has news that its owner has not seen.
  void wait(Clock::Mono deadline, const std::stop_token& stop);
  /// Ends wait(), or the next one. Never blocks.
  void wake();
  /// Makes the next request open a new connection. None of today's connections is used again.
  void reset_connections();

  /// Bytes of all answer bodies as received, before decompression.
  std::uint64_t bytes_received() const { return bytes_received_.load(std::memory_order_relaxed); }
  /// The server's scheme, host and port: `https://10.0.0.1:6443`.
  const std::string& origin() const;
  bool uses_tls() const;
  Clock& clock() const { return *clock_; }

 private:
  friend class HttpTransfer;
  class Multi;

  HttpTransport(HttpSettings settings, Clock& clock);
  void remove(HttpTransfer& transfer);
  void collect_finished();
  void finish_silent();
  Clock::Mono next_silence() const;

  std::unique_ptr<const HttpSettings> settings_;
  Clock* clock_;
  std::unique_ptr<Multi> multi_;
  std::vector<HttpTransfer*> transfers_;  ///< all that exist, finished ones too
  bool dial_anew_ = false;
  std::atomic<std::uint64_t> bytes_received_{0};
};

/// Returns `kinf/1.2.3 (linux/amd64)`. API servers indent their JSON for browsers and curl, which
/// doubles the bytes, so this must not look like one of them.
std::string user_agent();

}  // namespace kinf
