// SPDX-License-Identifier: Apache-2.0
// ApiExchange: one GET of the API from start to answer: credentials, a second attempt after a 401
// if they have changed, and every answer but success turned into an Error as the API words it.
// Retrying anything else is the business of whoever asked.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "kinf/client/http_transport.h"

namespace kinf {

/// What proves to the server who we are, for one request.
struct RequestIdentity {
  std::vector<std::string> headers;  ///< `Authorization: Bearer …`, `Impersonate-User: …`
  std::string cert_pem;              ///< from an exec plugin, instead of the configured one
  std::string key_pem;

  friend bool operator==(const RequestIdentity&, const RequestIdentity&) = default;
};

/// Hands out identities and may renew them.
/// Threads: any.
class RequestAuthorizer {
 public:
  virtual ~RequestAuthorizer() = default;
  /// May block (a token file, an exec plugin), no longer than its own time-outs.
  virtual Result<RequestIdentity> identity() = 0;
  /// The server did not accept `refused`; the next identity() should be another, if there is one.
  virtual void invalidate(const RequestIdentity& refused) = 0;
};

struct ApiRequest {
  std::string path;   ///< `/api/v1/pods`
  std::string query;  ///< without `?`
  std::string accept = "application/json";
  bool accept_gzip = false;
  std::optional<Clock::Duration> silence_limit;
  // For the words of errors: `secrets is forbidden`, `pods "web-1" not found`.
  std::string_view verb = "get";
  std::string resource;
  std::string name;

  std::string target() const { return query.empty() ? path : path + "?" + query; }
};

/// The base of what takes the body of a successful answer. Destroying it cancels the request.
/// Threads: as its transport's owner.
class ApiExchange : private HttpSink {
 public:
  ApiExchange(const ApiExchange&) = delete;  // the transfer knows its address
  ApiExchange& operator=(const ApiExchange&) = delete;

  /// Moves what can move without blocking. Empty while the answer is on its way; then whether it
  /// came in whole.
  std::optional<Result<void>> advance();
  /// The server has answered with success; its body follows.
  bool accepted() const { return accepted_; }
  const std::string& content_type() const { return head_.content_type; }
  /// When the last byte of the answer came in; kNever while none has.
  Clock::Mono last_byte() const;

 protected:
  /// `authorizer` may be null. Both must outlive the exchange.
  ApiExchange(HttpTransport& transport, RequestAuthorizer* authorizer, ApiRequest request);
  ~ApiExchange() override;

 private:
  /// The next bytes of a successful answer's body, from within advance() of any exchange of the
  /// transport. False: the rest is not wanted.
  virtual bool on_body(std::string_view bytes) = 0;

  void start();
  bool start_again_after_401();
  Error error_of_answer() const;

  void on_head(const HttpHead& head) override;
  bool on_bytes(std::string_view bytes) override;

  HttpTransport* transport_;
  RequestAuthorizer* authorizer_;
  ApiRequest request_;
  RequestIdentity identity_;
  std::optional<Error> start_error_;
  Clock::Mono started_{};
  HttpHead head_;
  bool accepted_ = false;
  bool tried_again_ = false;
  std::string error_body_;
  std::size_t logged_ = 0;
  std::unique_ptr<HttpTransfer> transfer_;
};

/// A value of the header Retry-After; only whole seconds are understood, as in client-go.
std::optional<std::chrono::seconds> parse_retry_after(std::string_view value);

}  // namespace kinf
