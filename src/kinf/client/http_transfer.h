// SPDX-License-Identifier: Apache-2.0
// HttpTransfer: a request and its libcurl handle. The only header that includes curl.
#pragma once

#include <curl/curl.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "kinf/base/url.h"
#include "kinf/client/gzip_reader.h"
#include "kinf/client/http_transport.h"

namespace kinf {

/// The settings shared by all transfers of one transport.
struct HttpSettings {
  Url server;
  TlsConfig tls;
  std::string proxy;   ///< the proxy's URL for libcurl; empty means a direct connection
  std::string source;  ///< where the address was configured, for messages
  std::string origin;  ///< scheme, host and port of `server`
  std::string user_agent;
};

/// One request and its response. Created by HttpTransport::start(). Must not outlive the transport.
/// The destructor cancels the request.
/// Threads: only the thread that owns the transport. No function blocks.
class HttpTransfer {
 public:
  HttpTransfer(HttpTransport& transport, const HttpSettings& settings,
               const TransportRequest& request, bool fresh_connection, HttpSink& sink);
  ~HttpTransfer();
  HttpTransfer(const HttpTransfer&) = delete;
  HttpTransfer& operator=(const HttpTransfer&) = delete;

  /// Returns nullopt until the request has finished. Then returns success if a complete response
  /// arrived, regardless of its status, otherwise the error that network_error() returns.
  const std::optional<Result<void>>& outcome() const { return outcome_; }
  /// Returns when the last byte of the headers or body arrived; kNever if no byte has arrived.
  Clock::Mono last_byte() const { return last_byte_; }
  /// Marks all received data and results as seen, so that HttpTransport::wait() blocks until there
  /// are new ones.
  void mark_seen() { has_news_ = false; }

 private:
  friend class HttpTransport;

  CURL* handle() const { return easy_.get(); }
  bool in_flight() const { return !outcome_; }
  bool is_full() const { return in_flight() && sink_->is_full(); }
  bool has_news() const { return has_news_ || (has_rest() && !is_full()); }
  /// Returns whether bytes have arrived that are not inflated yet.
  bool has_rest() const { return in_flight() && gzip_ && gzip_->has_more(); }
  /// Inflates bytes that arrived earlier, unless the sink is full. Call it before the transport
  /// reads from the network.
  void deliver_rest();
  /// Returns the time at which the request fails unless a byte arrives before then; kNever if there
  /// is no limit or the request has finished.
  Clock::Mono silence_deadline() const;
  /// Returns the number of body bytes received since the last call, before decompression.
  std::uint64_t take_received();
  /// Returns the number of body bytes passed to the sink since the last call.
  std::uint64_t take_decoded() { return std::exchange(decoded_, 0); }
  /// Ends the transfer with libcurl's result. Sets the outcome only when all received bytes are
  /// inflated.
  void end(CURLcode code);
  void finish(CURLcode code);

  void configure(const TransportRequest& request, bool fresh_connection);
  void configure_url(const TransportRequest& request);
  void configure_tls(const TransportRequest& request);
  void configure_tcp();
  void configure_cas();
  void add_header(const std::string& line);

  static int on_socket(void* self, curl_socket_t socket, curlsocktype purpose);
  static int on_send(void* self, char* to, char* from, int to_port, int from_port);
  static std::size_t on_header(char* bytes, std::size_t one, std::size_t size, void* self);
  static std::size_t on_body(char* bytes, std::size_t one, std::size_t size, void* self);
  bool pass_on(std::string_view bytes);
  bool inflate();
  void read_header_line(std::string_view line);

  struct EasyDeleter {
    void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
  };
  struct ListDeleter {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  };

  HttpTransport* transport_;
  const HttpSettings* settings_;
  HttpSink* sink_;
  // These members are declared before easy_, because the handle uses them until its destruction.
  std::unique_ptr<curl_slist, ListDeleter> headers_;
  std::unique_ptr<curl_slist, ListDeleter> connect_to_;
  std::string error_text_;
  std::unique_ptr<CURL, EasyDeleter> easy_;

  int sends_ = 0;          ///< how often libcurl has sent the request
  bool connects_ = false;  ///< libcurl has opened a connection since it last sent the request
  bool sent_on_new_connection_ = false;
  std::optional<Clock::Duration> silence_limit_;
  Clock::Mono last_sign_of_life_;
  Clock::Mono last_byte_ = Clock::kNever;
  std::uint64_t received_ = 0;
  std::uint64_t decoded_ = 0;
  std::unique_ptr<GzipReader> gzip_;  ///< null unless the body is compressed
  std::size_t inflated_ = 0;          ///< bytes inflated since the last deliver_rest()
  std::optional<Error> damage_;       ///< the error for invalid gzip data
  std::optional<CURLcode> ended_;     ///< libcurl's result, if libcurl is done but has_rest()
  HttpHead head_;
  bool head_complete_ = false;
  bool sink_refused_ = false;
  bool has_news_ = false;
  std::optional<Result<void>> outcome_;
};

}  // namespace kinf
