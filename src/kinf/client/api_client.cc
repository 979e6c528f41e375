// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/api_client.h"

#include <fmt/format.h>

#include <chrono>

#include "kinf/api/list_decoder.h"
#include "kinf/base/limits.h"
#include "kinf/client/api_exchange.h"
#include "kinf/client/http_lister_watcher.h"
#include "kinf/client/http_transport.h"
#include "kinf/client/paths.h"

namespace kinf {
namespace {

constexpr std::chrono::seconds kPatienceForSecond(1);

class SingleObject final : public ListSink {
 public:
  void item(ObjectPtr object) override {
    ++count;
    last = std::move(object);
  }
  std::size_t count = 0;
  ObjectPtr last;
};

/// Decodes a Table with one row. Falls back to a single object, because some servers have no
/// Tables.
Result<ObjectPtr> decode_single(std::string_view body, const DecodeOptions& options) {
  SingleObject row;
  ListDecoder decoder(options, row);
  const bool is_table = decoder.feed(body) && decoder.finish() && row.count == 1;
  return is_table ? Result<ObjectPtr>(std::move(row.last)) : ObjectDecoder(options).decode(body);
}

}  // namespace

class ApiClient::WholeAnswer final : public ApiExchange {
 public:
  WholeAnswer(HttpTransport& transport, RequestAuthorizer* authorizer, ApiRequest request)
      : ApiExchange(transport, authorizer, request), url_(transport.origin() + request.path) {}

  /// Returns the response; nullopt while it is incomplete.
  std::optional<Result<ApiAnswer>> poll() {
    std::optional<Result<void>> end = advance();
    if (!end) return std::nullopt;
    if (!*end) return fail(*end);
    if (too_large_) {
      return fail(ErrorKind::protocol, "{}: the response is larger than {} MiB", url_,
                  limits::kDocumentBytes / limits::kMiB);
    }
    return ApiAnswer{std::move(body_), content_type()};
  }

 private:
  bool on_body(std::string_view bytes) override {
    too_large_ = bytes.size() > limits::kDocumentBytes - body_.size();
    if (!too_large_) body_.append(bytes);
    return !too_large_;
  }

  std::string url_;
  std::string body_;
  bool too_large_ = false;
};

class ApiClient::StreamedAnswer final : public ApiExchange {
 public:
  using Take = std::function<bool(std::string_view bytes)>;
  StreamedAnswer(HttpTransport& transport, RequestAuthorizer* authorizer, ApiRequest request,
                 const Take& take)
      : ApiExchange(transport, authorizer, std::move(request)), take_(take) {}

 private:
  bool on_body(std::string_view bytes) override { return take_(bytes); }

  const Take& take_;
};

Result<std::unique_ptr<ApiClient>> ApiClient::create(const ClientConfig& config,
                                                     const ProxyEnvironment& proxies,
                                                     std::shared_ptr<RequestAuthorizer> authorizer,
                                                     Clock& clock) {
  Result<std::unique_ptr<HttpTransport>> transport = HttpTransport::create(config, proxies, clock);
  if (!transport) return fail(transport);
  return std::unique_ptr<ApiClient>(new ApiClient(*std::move(transport), std::move(authorizer),
                                                  config.silence_limit(),
                                                  wants_compression(config)));
}

ApiClient::~ApiClient() = default;

const std::string& ApiClient::server() const { return transport_->origin(); }

Clock& ApiClient::clock() const { return transport_->clock(); }

ApiClient::ApiClient(std::unique_ptr<HttpTransport> transport,
                     std::shared_ptr<RequestAuthorizer> authorizer, Clock::Duration silence_limit,
                     bool gzip)
    : transport_(std::move(transport)),
      authorizer_(std::move(authorizer)),
      silence_limit_(silence_limit),
      gzip_(gzip) {}

Result<ApiAnswer> ApiClient::get(std::string path, const std::stop_token& stop) {
  return get(ApiRequest{.path = std::move(path)}, stop);
}

ApiClient::WholeAnswer ApiClient::start(ApiRequest request) {
  if (!request.silence_limit) request.silence_limit = silence_limit_;
  request.accept_gzip = gzip_;
  return WholeAnswer(*transport_, authorizer_.get(), std::move(request));
}

Result<ApiAnswer> ApiClient::get(ApiRequest request, const std::stop_token& stop) {
  WholeAnswer answer = start(std::move(request));
  std::optional<Result<ApiAnswer>> result = answer.poll();
  while (!result) {
    if (stop.stop_requested()) return fail(ErrorKind::stopped, "stopped");
    transport_->wait(Clock::kNever, stop);
    result = answer.poll();
  }
  return *std::move(result);
}

Result<void> ApiClient::stream(ApiRequest request, const StreamedAnswer::Take& take,
                               const std::stop_token& stop) {
  request.any_content = true;
  request.accept = "application/json, */*";
  StreamedAnswer answer(*transport_, authorizer_.get(), std::move(request), take);
  std::optional<Result<void>> result = answer.advance();
  while (!result) {
    if (stop.stop_requested()) return fail(ErrorKind::stopped, "stopped");
    transport_->wait(Clock::kNever, stop);
    result = answer.advance();
  }
  return *std::move(result);
}

Result<ObjectPtr> ApiClient::get_subresource(const HttpSource& source, std::string_view subresource,
                                             std::optional<Clock::Duration> silence_limit,
                                             const std::stop_token& stop) {
  const Result<std::string> path = resource_path(source.type.gvr, source.ns, source.name);
  if (!path) return fail(path);
  const Result<ApiAnswer> answer =
      get({.path = fmt::format("{}/{}", *path, subresource),
           .query = "includeObject=Object",
           .accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
           .silence_limit = silence_limit,
           .resource = source.type.gvr.group_resource(),
           .name = source.name},
          stop);
  if (!answer) return fail(answer);
  DecodeOptions options;
  options.keep_managed_fields = source.keep_managed_fields;
  options.trim = source.trim;
  options.api_version = source.type.api_version();
  options.kind = source.type.kind;
  return decode_single(answer->body, options);
}

std::pair<Result<ApiAnswer>, Result<ApiAnswer>> ApiClient::get_both(ApiRequest first,
                                                                    ApiRequest second,
                                                                    const std::stop_token& stop) {
  WholeAnswer one = start(std::move(first));
  WholeAnswer two = start(std::move(second));
  std::optional<Result<ApiAnswer>> result;
  std::optional<Result<ApiAnswer>> extra;
  Clock::Mono deadline = Clock::kNever;
  while (true) {
    if (!extra) extra = two.poll();
    if (!result && (result = one.poll())) {
      deadline = transport_->clock().now() + kPatienceForSecond;
    }
    if (result && extra) break;
    if (stop.stop_requested()) {
      if (!result) result = fail(ErrorKind::stopped, "stopped");
      if (!extra) extra = fail(ErrorKind::stopped, "stopped");
    } else if (transport_->clock().now() >= deadline) {
      extra = fail(ErrorKind::unavailable, "no response in time");
    } else {
      transport_->wait(deadline, stop);
    }
  }
  return {*std::move(result), *std::move(extra)};
}

}  // namespace kinf
