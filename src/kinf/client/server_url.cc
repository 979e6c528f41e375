// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/server_url.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace kinf {
namespace {

bool is_port(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value > 0 && value < 65536;
}

bool is_host(std::string_view text) {
  const auto allowed = [](unsigned char c) {
    return c > 0x20 && c != 0x7f &&
           std::string_view("\"<>\\^`{|}%@[]").find(static_cast<char>(c)) == std::string_view::npos;
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), allowed);
}

/// Splits `host[:port]` or `[v6][:port]`; false if it is neither.
bool split_authority(std::string_view text, ServerUrl& url) {
  if (text.starts_with('[')) {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) return false;
    url.host = text.substr(1, close - 1);
    text.remove_prefix(close + 1);
    if (text.empty()) return is_host(url.host);
    if (text.front() != ':') return false;
    url.port = text.substr(1);
  } else {
    const std::size_t colon = text.find(':');
    url.host = text.substr(0, colon);
    if (colon == std::string_view::npos) return is_host(url.host);
    url.port = text.substr(colon + 1);
  }
  return is_host(url.host) && (url.port.empty() || is_port(url.port));
}

}  // namespace

std::string ServerUrl::authority() const {
  const bool v6 = host.find(':') != std::string::npos;
  std::string text = v6 ? "[" + host + "]" : host;
  if (!port.empty()) text += ":" + port;
  return text;
}

std::string ServerUrl::origin() const { return (tls ? "https://" : "http://") + authority(); }

int ServerUrl::effective_port() const {
  int value = tls ? 443 : 80;
  std::from_chars(port.data(), port.data() + port.size(), value);
  return value;
}

Result<ServerUrl> parse_server_url(std::string_view text) {
  ServerUrl url;
  url.tls = text.starts_with("https://");
  const bool http = text.starts_with("http://");
  std::string_view rest = text.substr(url.tls ? 8 : http ? 7 : 0);
  std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  std::string_view path = rest.substr(authority.size());
  path = path.substr(0, path.find_first_of("?#"));
  while (path.ends_with('/')) path.remove_suffix(1);
  url.prefix = path;
  const std::size_t user_end = authority.rfind('@');
  if (user_end != std::string_view::npos) authority.remove_prefix(user_end + 1);
  const auto is_control = [](unsigned char c) { return c <= 0x20 || c == 0x7f; };
  if (!(url.tls || http) || !split_authority(authority, url) ||
      std::any_of(path.begin(), path.end(), is_control)) {
    return fail(ErrorKind::usage,
                fmt::format("server {:?} is not an http or https URL", authority));
  }
  return url;
}

}  // namespace kinf
