// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/api_exchange.h"

#include <fmt/core.h>

#include <charconv>
#include <limits>
#include <set>

#include "kinf/api/api_status.h"
#include "kinf/base/ascii.h"
#include "kinf/base/limits.h"
#include "kinf/base/log.h"
#include "kinf/base/quote.h"
#include "kinf/base/sync.h"
#include "kinf/base/visible_text.h"
#include "kinf/client/http_transfer.h"

namespace kinf {
namespace {

constexpr std::size_t kLoggedBytes = 2048;

long milliseconds_since(const Clock& clock, Clock::Mono start) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(clock.now() - start).count();
}

/// Returns whether an API server could send this content type. Login pages and proxies send other
/// types.
bool is_api_content(std::string_view content_type) {
  return content_type.empty() || content_type.find("json") != std::string_view::npos;
}

/// Returns the credentials. Fails if `authorizer` fails, or if the credentials are too large for a
/// request.
Result<RequestIdentity> sendable_identity(RequestAuthorizer& authorizer) {
  Result<RequestIdentity> identity = authorizer.identity();
  if (!identity) return identity;
  std::size_t bytes = 0;
  for (const std::string& header : identity->headers) bytes += header.size();
  if (bytes <= limits::kCredentialsBytes) return identity;
  return fail(ErrorKind::auth,
              "the credentials are too large for a request: {} bytes, the limit is {}", bytes,
              limits::kCredentialsBytes)
      .with_hint("check the token in the kubeconfig");
}

}  // namespace

std::optional<std::chrono::seconds> parse_retry_after(std::string_view value) {
  std::uint32_t seconds = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (error == std::errc::result_out_of_range) {
    seconds = std::numeric_limits<std::uint32_t>::max();
  } else if (error != std::errc() || end != value.data() + value.size()) {
    return std::nullopt;
  }
  return std::chrono::seconds(seconds);
}

ApiExchange::ApiExchange(HttpTransport& transport, RequestAuthorizer* authorizer,
                         ApiRequest request)
    : transport_(&transport), authorizer_(authorizer), request_(std::move(request)) {
  if (authorizer_ != nullptr) {
    Result<RequestIdentity> identity = sendable_identity(*authorizer_);
    if (!identity) {
      start_error_ = std::move(identity).error();
      return;
    }
    identity_ = *std::move(identity);
  }
  start();
}

ApiExchange::~ApiExchange() = default;

void ApiExchange::start() {
  TransportRequest http;
  http.target = request_.target();
  http.headers = identity_.headers;
  http.headers.push_back("Accept: " + request_.accept);
  http.accept_gzip = request_.accept_gzip;
  http.silence_limit = request_.silence_limit;
  http.cert_pem = identity_.cert_pem;
  http.key_pem = identity_.key_pem;
  started_ = transport_->clock().now();
  transfer_ = transport_->start(http, *this);
}

std::optional<Result<void>> ApiExchange::advance() {
  if (start_error_) return fail(*start_error_);
  transport_->perform();
  transfer_->mark_seen();
  if (is_wrongly_encoded()) return fail(error_of_answer());
  if (!transfer_->outcome()) return std::nullopt;
  const Result<void>& outcome = *transfer_->outcome();
  if (!outcome) {
    log::verbose(6, "GET {}{} failed after {} ms: {}", transport_->origin(), request_.target(),
                 milliseconds_since(transport_->clock(), started_), outcome.error().message);
    if (head_.status == 0 || accepted_) return outcome;
  }
  if (accepted_) return Result<void>();
  if (head_.status == 401 && start_again_after_401()) return std::nullopt;
  return fail(error_of_answer());
}

/// Repeats the request with new credentials. Returns false if there are none, or if the request has
/// already been repeated. client-go instead fails the request and renews the credentials for the
/// next one (spec J27), which shows the user an avoidable error at startup.
bool ApiExchange::start_again_after_401() {
  if (tried_again_ || authorizer_ == nullptr) return false;
  tried_again_ = true;
  authorizer_->invalidate(identity_);
  Result<RequestIdentity> fresh = sendable_identity(*authorizer_);
  if (!fresh || *fresh == identity_) return false;
  identity_ = *std::move(fresh);
  transfer_.reset();
  head_ = HttpHead();
  error_body_.clear();
  start();
  return true;
}

Clock::Mono ApiExchange::last_byte() const {
  return transfer_ == nullptr ? Clock::kNever : transfer_->last_byte();
}

void ApiExchange::on_head(const HttpHead& head) {
  head_ = head;
  accepted_ = head.is_ok() && !is_wrongly_encoded() &&
              (request_.any_content || is_api_content(head.content_type));
  if (request_.shows_warnings) {
    for (const std::string& warning : head.warnings) show_server_warning(warning);
  }
  log::verbose(6, "GET {}{} {} {} in {} ms", transport_->origin(), request_.target(),
               visible_text(head_.protocol), head_.status,
               milliseconds_since(transport_->clock(), started_));
}

bool ApiExchange::on_bytes(std::string_view bytes) {
  if (logged_ < kLoggedBytes && log::enabled(8)) {
    const std::string_view shown = bytes.substr(0, kLoggedBytes - logged_);
    logged_ += shown.size();
    // Secrets are never logged, at any level.
    const bool may_be_secret = request_.resource == "secrets" || request_.any_content;
    log::verbose(8, "body: {}", may_be_secret ? "<not shown: secrets>" : visible_text(shown));
  }
  if (accepted_) return on_body(bytes);
  error_body_.append(bytes.substr(0, limits::kErrorBodyBytes - error_body_.size()));
  return error_body_.size() < limits::kErrorBodyBytes;
}

/// Returns whether the body is compressed in a way that kinf did not ask for. A proxy that
/// compresses a watch may hold back its events.
bool ApiExchange::is_wrongly_encoded() const {
  const std::string_view encoding = head_.content_encoding;
  if (!head_.is_ok() || encoding.empty() || equals_ignoring_case(encoding, "identity"))
    return false;
  return !equals_ignoring_case(encoding, "gzip") ||
         (request_.verb == "watch" && !request_.accept_gzip);
}

Error ApiExchange::error_of_answer() const {
  if (is_wrongly_encoded()) {
    return Error(ErrorKind::protocol,
                 fmt::format("{} compressed the response with {}, which kinf did not ask for",
                             transport_->origin(), quoted(head_.content_encoding)))
        .with_hint("is there a proxy between here and the API server that compresses responses?");
  }
  if (head_.is_success() && !head_.is_ok()) {
    return Error(ErrorKind::protocol, fmt::format("{} returned the status {} instead of 200",
                                                  transport_->origin(), head_.status));
  }
  if (head_.is_ok()) {
    return Error(ErrorKind::protocol, fmt::format("{} returned {} instead of JSON",
                                                  transport_->origin(), head_.content_type))
        .with_hint("is there a proxy or a login page between here and the API server?");
  }
  Result<ApiStatus> status = parse_api_status(error_body_);
  const bool usable = status && status->code >= 300;
  ApiStatus answer = usable ? *std::move(status)
                            : generic_api_status(head_.status, request_.verb, request_.resource,
                                                 request_.name, error_body_);
  if (const auto after = parse_retry_after(head_.retry_after)) answer.retry_after = after;
  Error error = to_error(std::move(answer));
  if (head_.status == 401 && authorizer_ != nullptr) {
    error.hint = authorizer_->refusal_hint(transport_->clock().wall());
  }
  if (head_.status == 400 && error_body_.find("HTTPS server") != std::string::npos) {
    error.message = transport_->origin() + ": the server speaks TLS on this port";
    error.hint = "use https:// in the server's address";
  }
  return error;
}

namespace {

struct SaidBefore {
  Mutex mu;
  std::set<std::string> texts KINF_GUARDED_BY(mu);
};

bool is_new(const std::string& text) {
  static SaidBefore said;
  MutexLock lock(said.mu);
  return said.texts.size() < limits::kWarningTexts && said.texts.insert(text).second;
}

}  // namespace

std::string parse_warning(std::string_view header) {
  const std::size_t open = header.find('"');
  if (!header.starts_with("299 ") || open == std::string_view::npos) return {};
  std::string text;
  for (std::size_t i = open + 1; i < header.size() && header[i] != '"'; ++i) {
    if (header[i] == '\\' && i + 1 < header.size()) ++i;
    text += header[i];
  }
  return visible_text(text);
}

void show_server_warning(std::string_view header) {
  const std::string text = parse_warning(header);
  if (!text.empty() && is_new(text)) log::notice("server warning: {}", text);
}

}  // namespace kinf
