// SPDX-License-Identifier: Apache-2.0
// ApiExchange: one GET request to the API server, from its start to the end of the answer. Adds
// credentials, sends the request a second time after a 401 if they have changed, and turns every
// answer but success into the Error that the API describes. The caller retries everything else.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "kinf/client/http_transport.h"

namespace kinf {

/// The credentials of one request.
struct RequestIdentity {
  std::vector<std::string> headers;  ///< `Authorization: Bearer …`, `Impersonate-User: …`
  std::string cert_pem;              ///< from an exec plugin; replaces the configured one
  std::string key_pem;

  friend bool operator==(const RequestIdentity&, const RequestIdentity&) = default;
};

/// Supplies credentials, and renews them if it can.
/// Threads: every call from any thread.
class RequestAuthorizer {
 public:
  virtual ~RequestAuthorizer() = default;
  /// Returns the credentials to send now. May block, to read a token file or run an exec plugin,
  /// but no longer than their own time limits. Errors: auth; stopped.
  virtual Result<RequestIdentity> identity() = 0;
  /// Reports that the server answered `refused` with 401. The next identity() returns others if
  /// there are any. Does not block.
  virtual void invalidate(const RequestIdentity& refused) = 0;
};

/// One GET request.
struct ApiRequest {
  std::string path;   ///< `/api/v1/pods`
  std::string query;  ///< percent-encoded, without `?`
  std::string accept = "application/json";
  bool accept_gzip = false;
  /// How long the server may send nothing; none: no limit.
  std::optional<Clock::Duration> silence_limit;
  // For error messages: `secrets is forbidden`, `pods "web-1" not found`.
  std::string_view verb = "get";
  std::string resource;
  std::string name;

  /// Path and query of the request.
  std::string target() const { return query.empty() ? path : path + "?" + query; }
};

/// Base class: a derived class receives the body of a successful answer in on_body(). Destroying it
/// cancels the request.
/// Threads: only the thread that owns the transport. Nothing blocks, except that the constructor
/// and advance() may wait for the authorizer.
class ApiExchange : private HttpSink {
 public:
  ApiExchange(const ApiExchange&) = delete;  // the transfer knows its address
  ApiExchange& operator=(const ApiExchange&) = delete;

  /// Reads what has arrived, for all transfers of the transport. Returns nothing until the answer
  /// is complete, then whether it was a success.
  std::optional<Result<void>> advance();
  /// Whether the server has answered with success. The body follows.
  bool accepted() const { return accepted_; }
  const std::string& content_type() const { return head_.content_type; }
  /// When the last byte of the answer arrived; kNever if none has.
  Clock::Mono last_byte() const;

 protected:
  /// Starts the request. `authorizer` may be null; both references must outlive the exchange.
  ApiExchange(HttpTransport& transport, RequestAuthorizer* authorizer, ApiRequest request);
  ~ApiExchange() override;

 private:
  /// Takes the next bytes of a successful answer's body; they are valid during the call only.
  /// Called from advance() of any exchange of the same transport. Returns false to end the
  /// transfer.
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

/// Parses the header Retry-After. Only whole seconds are understood, as in client-go; anything else
/// gives nothing.
std::optional<std::chrono::seconds> parse_retry_after(std::string_view value);

}  // namespace kinf
