// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/api_client.h"

#include <fmt/core.h>

namespace kinf {
namespace {

constexpr std::chrono::seconds kDefaultSilence{60};

class WholeBody final : public BodySink {
 public:
  bool on_bytes(std::string_view bytes) override {
    if (bytes.size() > ApiClient::kMaxBody - text.size()) {
      too_large = true;
      return false;
    }
    text.append(bytes);
    return true;
  }

  std::string text;
  bool too_large = false;
};

}  // namespace

Result<std::unique_ptr<ApiClient>> ApiClient::create(const ClientConfig& config,
                                                     const ProxyEnvironment& proxies,
                                                     RequestAuthorizer* authorizer, Clock& clock) {
  Result<std::unique_ptr<HttpTransport>> transport = HttpTransport::create(config, proxies, clock);
  if (!transport) return std::unexpected(std::move(transport).error());
  const Clock::Duration silence_limit = config.request_timeout.count() > 0
                                            ? config.request_timeout
                                            : Clock::Duration(kDefaultSilence);
  return std::unique_ptr<ApiClient>(
      new ApiClient(*std::move(transport), authorizer, silence_limit));
}

ApiClient::ApiClient(std::unique_ptr<HttpTransport> transport, RequestAuthorizer* authorizer,
                     Clock::Duration silence_limit)
    : transport_(std::move(transport)), authorizer_(authorizer), silence_limit_(silence_limit) {}

Result<ApiAnswer> ApiClient::get(std::string path, const std::stop_token& stop) {
  ApiRequest request;
  request.path = std::move(path);
  return get(std::move(request), stop);
}

Result<ApiAnswer> ApiClient::get(ApiRequest request, const std::stop_token& stop) {
  if (!request.silence_limit) request.silence_limit = silence_limit_;
  const std::string path = request.path;
  WholeBody body;
  ApiExchange exchange(*transport_, authorizer_, std::move(request), body);
  std::optional<Result<void>> end = exchange.poll();
  while (!end) {
    if (stop.stop_requested()) return fail(ErrorKind::stopped, "stopped");
    exchange.mark_seen();
    transport_->wait(Clock::kNever, stop);
    end = exchange.poll();
  }
  if (!*end) return std::unexpected(std::move(*end).error());
  if (body.too_large) {
    return fail(ErrorKind::protocol,
                fmt::format("{}{}: the answer is larger than {} MiB", transport_->origin(), path,
                            kMaxBody / (1024 * 1024)));
  }
  return ApiAnswer{std::move(body.text), exchange.content_type()};
}

}  // namespace kinf
