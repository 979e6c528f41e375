// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/api_client.h"

#include <fmt/core.h>

namespace kinf {
namespace {

class WholeAnswer final : public ApiExchange {
 public:
  WholeAnswer(HttpTransport& transport, RequestAuthorizer* authorizer, ApiRequest request)
      : ApiExchange(transport, authorizer, std::move(request)) {}

  std::string body;
  bool too_large = false;

 private:
  bool on_body(std::string_view bytes) override {
    too_large = bytes.size() > ApiClient::kMaxBody - body.size();
    if (!too_large) body.append(bytes);
    return !too_large;
  }
};

}  // namespace

Result<std::unique_ptr<ApiClient>> ApiClient::create(const ClientConfig& config,
                                                     const ProxyEnvironment& proxies,
                                                     RequestAuthorizer* authorizer, Clock& clock) {
  Result<std::unique_ptr<HttpTransport>> transport = HttpTransport::create(config, proxies, clock);
  if (!transport) return std::unexpected(std::move(transport).error());
  return std::unique_ptr<ApiClient>(new ApiClient(
      *std::move(transport), authorizer, config.silence_limit(), wants_compression(config)));
}

ApiClient::ApiClient(std::unique_ptr<HttpTransport> transport, RequestAuthorizer* authorizer,
                     Clock::Duration silence_limit, bool gzip)
    : transport_(std::move(transport)),
      authorizer_(authorizer),
      silence_limit_(silence_limit),
      gzip_(gzip) {}

Result<ApiAnswer> ApiClient::get(std::string path, const std::stop_token& stop) {
  ApiRequest request;
  request.path = std::move(path);
  return get(std::move(request), stop);
}

Result<ApiAnswer> ApiClient::get(ApiRequest request, const std::stop_token& stop) {
  if (!request.silence_limit) request.silence_limit = silence_limit_;
  request.accept_gzip = gzip_;
  const std::string path = request.path;
  WholeAnswer answer(*transport_, authorizer_, std::move(request));
  std::optional<Result<void>> end = answer.advance();
  while (!end) {
    if (stop.stop_requested()) return fail(ErrorKind::stopped, "stopped");
    transport_->wait(Clock::kNever, stop);
    end = answer.advance();
  }
  if (!*end) return std::unexpected(std::move(*end).error());
  if (answer.too_large) {
    return fail(ErrorKind::protocol,
                fmt::format("{}{}: the response is larger than {} MiB", transport_->origin(), path,
                            kMaxBody / (1024 * 1024)));
  }
  return ApiAnswer{std::move(answer.body), answer.content_type()};
}

}  // namespace kinf
