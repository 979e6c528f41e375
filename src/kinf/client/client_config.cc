// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/client_config.h"

#include <fmt/format.h>

#include "kinf/base/parse_number.h"
#include "kinf/client/proxy.h"

namespace kinf {
namespace {

bool is_host(std::string_view text) {
  return !text.empty() && text.find_first_of("\"<>\\^`{|}%@[]") == std::string_view::npos;
}

bool is_port_or_none(std::string_view text) {
  const unsigned port = parse_number<std::uint16_t>(text).value_or(0);
  return text.empty() || port > 0;
}

std::unexpected<Error> unusable(std::string message) {
  Error error(ErrorKind::usage, std::move(message));
  error.hint = "use a server address such as https://10.0.0.1:6443";
  return std::unexpected(std::move(error));
}

}  // namespace

Result<Url> server_url(const ClientConfig& config) {
  const std::string_view written =
      config.host.empty() ? "localhost" : std::string_view(config.host);
  std::string text(written.substr(0, written.find_first_of("?#")));
  const bool has_scheme = text.contains("://");
  if (!has_scheme) {
    const TlsConfig& tls = config.tls;
    const bool has_cert = !tls.cert_file.empty() || !tls.cert_data.empty();
    text.insert(0, tls.has_ca() || has_cert || tls.insecure ? "https://" : "http://");
  }
  std::optional<Url> url = parse_url(text);
  while (url && url->path.ends_with('/')) url->path.pop_back();
  if (!url || !is_host(url->host) || !is_port_or_none(url->port) || url->path.contains(' ') ||
      (!has_scheme && !url->path.empty())) {
    return unusable(
        fmt::format("host must be a URL or a host:port pair: \"{}\"", without_secrets(written)));
  }
  if (url->scheme != "http" && url->scheme != "https") {
    return unusable(fmt::format("unsupported protocol scheme \"{}\" in \"{}\"", url->scheme,
                                without_secrets(written)));
  }
  return *std::move(url);
}

bool wants_compression(const ClientConfig& config) {
  if (config.disable_compression) return !*config.disable_compression;
  const Result<Url> server = server_url(config);
  return server && !is_loopback(server->host);
}

std::string describe_origin(const ClientConfig& config) {
  if (config.context.empty()) return config.source;
  const std::string context = fmt::format("context \"{}\"", config.context);
  return config.source.empty() ? context : context + ", " + config.source;
}

}  // namespace kinf
