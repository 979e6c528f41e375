// SPDX-License-Identifier: Apache-2.0
// HttpTransport: GET requests over libcurl, driven by the loop that owns them. Knows connections,
// TLS and proxies; of Kubernetes it knows nothing, a 404 is an answer like any other.
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

struct HttpRequest {
  std::string target;                ///< path and query, behind the server's own prefix
  std::vector<std::string> headers;  ///< `Accept: application/json`
  bool accept_gzip = false;          ///< decoded while it comes in
  /// The longest silence before the answer and within it; none: may be silent for ever.
  std::optional<Clock::Duration> silence_limit;
  std::string cert_pem;  ///< instead of the configured client certificate, if not empty
  std::string key_pem;
};

/// The head of the final answer; 1xx and proxy answers never show.
struct HttpHead {
  std::string protocol;  ///< `HTTP/1.1`, `HTTP/2`
  int status = 0;
  std::string content_type;
  std::string retry_after;
  std::vector<std::string> warnings;  ///< the values of Warning headers

  bool is_success() const { return status >= 200 && status < 300; }
};

/// Takes an answer while it comes in. Called from within HttpTransport::perform; must not start,
/// destroy or wait for transfers there.
class HttpSink {
 public:
  virtual ~HttpSink() = default;
  virtual void on_head(const HttpHead& head) = 0;
  /// False: the rest is not wanted, the transfer ends.
  virtual bool on_bytes(std::string_view bytes) = 0;
  /// True while it must not be given more: then nothing is read from the network at all.
  virtual bool is_full() const { return false; }
};

class HttpTransfer;   // client/http_transfer.h
struct HttpSettings;  // what all transfers of a transport share

/// One pool of connections to one server.
/// Threads: one loop owns it and its transfers; wake() and bytes_received() from any thread.
class HttpTransport {
 public:
  /// Copies what it needs of `config`; `clock` must outlive the transport. A usage error for an
  /// address or a proxy that makes no sense. Opens nothing.
  static Result<std::unique_ptr<HttpTransport>> create(const ClientConfig& config,
                                                       const ProxyEnvironment& proxies,
                                                       Clock& clock);
  /// All transfers must be gone.
  ~HttpTransport();

  /// Starts a request; never blocks. `sink` must outlive the transfer.
  std::unique_ptr<HttpTransfer> start(const HttpRequest& request, HttpSink& sink);
  /// Moves what can move without blocking, unless a sink is full: not reading is the whole
  /// back-pressure. One perform() takes 6.4 MB off the wire at most.
  void perform();
  /// Blocks until a transfer may have something new, until `deadline`, stop or wake().
  void wait(Clock::Mono deadline, const std::stop_token& stop);
  void wake();
  /// The next request dials anew, and no connection of now serves a later one.
  void reset_connections();

  /// Bytes of answer bodies as they came over the wire, all transfers together.
  std::uint64_t bytes_received() const { return bytes_received_.load(std::memory_order_relaxed); }
  /// `https://10.0.0.1:6443`.
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
  std::vector<HttpTransfer*> transfers_;  ///< all that exist, finished or not
  bool dial_anew_ = false;
  std::atomic<std::uint64_t> bytes_received_{0};
};

/// `kinf/1.2.3 (linux/amd64)`. Never a browser's or curl's name: to those API servers send
/// indented JSON, twice the bytes.
std::string user_agent();

}  // namespace kinf
