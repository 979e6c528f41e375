// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/client_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "kinf/base/ascii.h"

namespace kinf {
namespace {

struct SplitUrl {
  std::string scheme;  ///< lower case, empty if none was written
  std::string_view authority;
  std::string_view path;  ///< begins with a slash or is empty; no query, no fragment
};

bool is_scheme(std::string_view text) {
  if (text.empty() || std::isalpha(static_cast<unsigned char>(text.front())) == 0) return false;
  return std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '+' || c == '-' || c == '.';
  });
}

SplitUrl split_url(std::string_view text) {
  SplitUrl url;
  text = text.substr(0, text.find_first_of("?#"));
  const std::size_t mark = text.find("://");
  if (mark != std::string_view::npos && is_scheme(text.substr(0, mark))) {
    url.scheme = to_lower(text.substr(0, mark));
    text.remove_prefix(mark + 3);
  }
  const std::size_t slash = std::min(text.find('/'), text.size());
  url.authority = text.substr(0, slash);
  url.path = text.substr(slash);
  return url;
}

bool is_port_or_none(std::string_view text) {
  if (text.empty()) return true;
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value <= 65535;
}

/// `[user@]host[:port]`, an IPv6 address in brackets.
bool is_authority(std::string_view text) {
  const bool clean = std::ranges::none_of(text, [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == 0x7f || c == '"' || c == '<' || c == '>' ||
           c == '\\' || c == '^' || c == '`' || c == '{' || c == '|' || c == '}';
  });
  if (!clean) return false;
  if (const auto at = text.rfind('@'); at != std::string_view::npos) text.remove_prefix(at + 1);
  if (text.starts_with('[')) {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos || close == 1) return false;
    const std::string_view rest = text.substr(close + 1);
    return rest.empty() || (rest.front() == ':' && is_port_or_none(rest.substr(1)));
  }
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return !text.empty();
  return colon > 0 && is_port_or_none(text.substr(colon + 1));
}

std::unexpected<Error> unusable(std::string message) {
  Error error(ErrorKind::usage, std::move(message));
  error.hint = "a server's address reads like https://10.0.0.1:6443";
  return std::unexpected(std::move(error));
}

}  // namespace

std::string_view to_string(InteractiveMode mode) {
  switch (mode) {
    case InteractiveMode::never:
      return "Never";
    case InteractiveMode::if_available:
      return "IfAvailable";
    case InteractiveMode::always:
      return "Always";
  }
  return "";
}

Result<std::string> server_url(const ClientConfig& config) {
  std::string_view written = config.host;
  if (written.empty()) written = "localhost";
  SplitUrl url = split_url(written);
  const bool path_allowed = !url.scheme.empty();
  if (url.scheme.empty()) {
    const TlsConfig& tls = config.tls;
    const bool has_cert = !tls.cert_file.empty() || !tls.cert_data.empty();
    url.scheme = tls.has_ca() || has_cert || tls.insecure ? "https" : "http";
  }
  while (url.path.ends_with('/')) url.path.remove_suffix(1);
  const bool clean_path = std::ranges::none_of(
      url.path, [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7f; });
  if (!is_authority(url.authority) || !clean_path || (!path_allowed && !url.path.empty())) {
    return unusable(fmt::format("host must be a URL or a host:port pair: \"{}\"", written));
  }
  if (url.scheme != "http" && url.scheme != "https") {
    return unusable(
        fmt::format("unsupported protocol scheme \"{}\" in \"{}\"", url.scheme, written));
  }
  return fmt::format("{}://{}{}", url.scheme, url.authority, url.path);
}

std::string describe_origin(const ClientConfig& config) {
  if (config.context.empty()) return config.source;
  const std::string context = fmt::format("context \"{}\"", config.context);
  return config.source.empty() ? context : context + ", " + config.source;
}

}  // namespace kinf
