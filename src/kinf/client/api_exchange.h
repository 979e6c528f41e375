// SPDX-License-Identifier: Apache-2.0
// ApiExchange: one GET request to the API server and its response. Adds credentials, retries once
// after a 401 if there are new credentials, logs the server's warnings, and converts unsuccessful
// responses to Errors. Other retries are up to the caller.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "kinf/client/api_client.h"
#include "kinf/client/credentials.h"
#include "kinf/client/http_transport.h"

namespace kinf {

/// Base class: a derived class receives the body of a successful response in on_body(). The
/// destructor cancels the request.
/// Threads: only the thread that owns the transport. The constructor and advance() may block in the
/// authorizer; other functions never block.
class ApiExchange : private HttpSink {
 public:
  ApiExchange(const ApiExchange&) = delete;  // transfer_ holds a reference to this object
  ApiExchange& operator=(const ApiExchange&) = delete;

  /// Reads the bytes that have arrived, for all transfers of the transport. Returns nullopt until
  /// the response is complete, then success or the error.
  std::optional<Result<void>> advance();
  /// Returns whether the headers of a successful response have arrived.
  bool accepted() const { return accepted_; }
  const std::string& content_type() const { return head_.content_type; }
  /// Returns when the last byte of the response arrived; kNever if no byte has arrived.
  Clock::Mono last_byte() const;

 protected:
  /// Starts the request. `authorizer` may be null. `transport` and `authorizer` must outlive the
  /// exchange.
  ApiExchange(HttpTransport& transport, RequestAuthorizer* authorizer, ApiRequest request);
  ~ApiExchange() override;

 private:
  /// Receives the next bytes of a successful response's body, which are valid during the call only.
  /// Called from advance() of any exchange of the same transport. Return false to end the transfer.
  virtual bool on_body(std::string_view bytes) = 0;

  void start();
  bool start_again_after_401();
  bool is_wrongly_encoded() const;
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

/// Parses a Retry-After header in seconds. Returns nullopt for anything else, such as a date, as
/// client-go does.
std::optional<std::chrono::seconds> parse_retry_after(std::string_view value);

/// Returns the text of a Warning header with code 299, escaped for a terminal; empty for other
/// codes.
std::string parse_warning(std::string_view header);

/// Logs the warning unless this process has logged the same text before. Logs at most 100 different
/// texts.
/// Threads: any.
void show_server_warning(std::string_view header);

}  // namespace kinf
