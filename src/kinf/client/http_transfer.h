// SPDX-License-Identifier: Apache-2.0
// HttpTransfer: libcurl's side of one HttpCall. Private to the transport; the one header here
// that knows curl.
#pragma once

#include <curl/curl.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "kinf/client/http_transport.h"
#include "kinf/client/network_error.h"
#include "kinf/client/server_url.h"

namespace kinf {

struct HttpSettings {
  ServerUrl server;
  TlsConfig tls;
  std::string proxy;   ///< as libcurl takes it; empty: none
  std::string whence;  ///< where the address came from, for messages
  std::string origin;  ///< of `server`
};

/// The transport adds handle() to its multi handle and removes it before the transfer dies.
class HttpTransfer {
 public:
  HttpTransfer(const HttpSettings& settings, const HttpRequest& request, bool fresh_connection,
               HttpSink& sink, const Clock& clock);

  CURL* handle() const { return easy_.get(); }
  bool in_flight() const { return !outcome_; }
  bool is_full() const { return in_flight() && sink_->is_full(); }
  Clock::Mono last_byte() const { return last_byte_; }
  const std::optional<Result<void>>& outcome() const { return outcome_; }
  /// When the silence counts as failure; kNever without a limit or when over.
  Clock::Mono silence_deadline() const;
  /// Body bytes that came over the wire since the last call of this.
  std::uint64_t take_received();

  bool has_news() const { return has_news_; }
  void mark_seen() { has_news_ = false; }
  void finish(CURLcode code);

 private:
  void configure(const HttpRequest& request, bool fresh_connection);
  void configure_url(const HttpRequest& request);
  void configure_tls(const HttpRequest& request);
  void configure_tcp();
  void add_header(const std::string& line);

  static std::size_t on_header(char* bytes, std::size_t one, std::size_t size, void* self);
  static std::size_t on_body(char* bytes, std::size_t one, std::size_t size, void* self);
  void read_header_line(std::string_view line);

  struct EasyDeleter {
    void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
  };
  struct ListDeleter {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  };

  const HttpSettings* settings_;
  HttpSink* sink_;
  const Clock* clock_;
  // Declared before easy_, which refers to them until it is cleaned up.
  std::unique_ptr<curl_slist, ListDeleter> headers_;
  std::unique_ptr<curl_slist, ListDeleter> connect_to_;
  std::string error_text_;
  std::unique_ptr<CURL, EasyDeleter> easy_;

  std::optional<Clock::Duration> silence_limit_;
  Clock::Mono last_sign_of_life_;
  Clock::Mono last_byte_ = Clock::kNever;
  std::uint64_t received_ = 0;
  HttpHead head_;
  bool head_complete_ = false;
  bool sink_refused_ = false;
  bool has_news_ = false;
  std::optional<Result<void>> outcome_;
};

}  // namespace kinf
