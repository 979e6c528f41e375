// SPDX-License-Identifier: Apache-2.0
// HttpTransport: sends GET requests with libcurl, driven by the owner's loop. Handles connections,
// TLS and proxies. Independent of Kubernetes: a 404 is not an error here.
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

namespace kinf {

/// One GET request.
struct TransportRequest {
  std::string target;                ///< path and query, appended to the path of the server's URL
  std::vector<std::string> headers;  ///< such as `Accept: application/json`
  bool accept_gzip = false;          ///< whether to accept gzip; the body is inflated as it arrives
  /// The request fails if the server sends nothing for this long, before or during the response.
  /// nullopt means no limit.
  std::optional<Clock::Duration> silence_limit;
  std::string cert_pem;  ///< if not empty, replaces the configured client certificate
  std::string key_pem;   ///< the key of `cert_pem`
};

/// The status line and headers of the final response, not of interim (1xx) or proxy responses.
struct HttpHead {
  std::string protocol;  ///< `HTTP/1.1`, `HTTP/2`
  int status = 0;
  std::string content_type;
  std::string content_encoding;
  std::string retry_after;
  std::vector<std::string> warnings;  ///< the values of Warning headers

  /// Returns whether the status is 2xx.
  bool is_success() const { return status >= 200 && status < 300; }
  /// Returns whether the response has the complete body of a GET (status 200). Other 2xx responses
  /// have no body, or only a part of it.
  bool is_ok() const { return status == 200; }
};

/// Receives a response as it arrives. Called from HttpTransport::perform(). Its functions must not
/// start, destroy or wait for transfers.
class HttpSink {
 public:
  virtual ~HttpSink() = default;
  virtual void on_head(const HttpHead& head) = 0;
  /// Receives the next bytes of the body, which are valid during the call only. Return false to end
  /// the transfer.
  virtual bool on_bytes(std::string_view bytes) = 0;
  /// Returns whether the sink cannot accept more bytes now. While any sink of a transport is full,
  /// the transport reads nothing from the network.
  virtual bool is_full() const { return false; }
};

class HttpTransfer;   // client/http_transfer.h
struct HttpSettings;  // client/http_transfer.h

/// A pool of connections to one server.
/// Threads: one thread owns it and its transfers. wake(), bytes_received() and bytes_decoded() may
/// be called from any thread. Only wait() blocks.
class HttpTransport {
 public:
  /// Creates a transport without opening a connection. Keeps no reference to `config`. `clock` must
  /// outlive the transport. Errors: usage, for an invalid server or proxy address.
  static Result<std::unique_ptr<HttpTransport>> create(const ClientConfig& config,
                                                       const ProxyEnvironment& proxies,
                                                       Clock& clock);
  /// All transfers must be destroyed before the transport.
  ~HttpTransport();

  /// Starts a request. `sink` must outlive the transfer. For failures see HttpTransfer::outcome().
  std::unique_ptr<HttpTransfer> start(const TransportRequest& request, HttpSink& sink);
  /// Sends and receives without blocking, and calls the sinks. Does nothing while a sink is full,
  /// so that TCP flow control slows the server down. One call reads up to 7.5 MB per transfer, and
  /// inflates up to 8 MiB.
  void perform();
  /// Blocks until perform() may have something to do, `deadline` is reached, `stop` is requested,
  /// or wake() is called. Returns at once if data or a result has arrived for a transfer since its
  /// last mark_seen(). If the last perform() read a lot of data, only sleeps for half a
  /// millisecond.
  void wait(Clock::Mono deadline, const std::stop_token& stop);
  /// Ends the current wait(), or the next one. Never blocks.
  void wake();
  /// Makes the next request open a new connection. Existing connections are not reused.
  void reset_connections();

  /// Returns the number of bytes received in response bodies, before they are inflated.
  std::uint64_t bytes_received() const { return bytes_received_.load(std::memory_order_relaxed); }
  /// Returns the number of bytes passed to sinks, after they were inflated.
  std::uint64_t bytes_decoded() const { return bytes_decoded_.load(std::memory_order_relaxed); }
  /// Returns the server's scheme, host and port: `https://10.0.0.1:6443`.
  const std::string& origin() const;
  Clock& clock() const { return *clock_; }

 private:
  friend class HttpTransfer;
  class Multi;

  HttpTransport(HttpSettings settings, Clock& clock);
  void remove(HttpTransfer& transfer);
  void detach(const HttpTransfer& transfer);
  void read();
  bool must_wait() const;
  void count_bytes();
  void collect_finished();
  void finish_silent();
  Clock::Mono next_silence() const;

  std::unique_ptr<const HttpSettings> settings_;
  Clock* clock_;
  std::unique_ptr<Multi> multi_;
  std::vector<HttpTransfer*> transfers_;  ///< all existing transfers, including finished ones
  bool dial_anew_ = false;
  bool was_busy_ = false;  ///< the last perform() read a lot, and a transfer still runs
  std::atomic<std::uint64_t> bytes_received_{0};
  std::atomic<std::uint64_t> bytes_decoded_{0};
};

/// Returns the User-Agent header, such as `kinf/1.2.3 (linux/amd64)`. It must not look like the
/// header of a browser or of curl: for those clients, API servers indent the JSON, which doubles
/// the size of the response.
std::string user_agent();

}  // namespace kinf
