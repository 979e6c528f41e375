// SPDX-License-Identifier: Apache-2.0
#include "kinf/base/url.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "kinf/base/ascii.h"

namespace kinf {
namespace {

bool is_alpha(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_hex(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }

/// Removes `scheme:` from the front of `text` and returns the scheme. Returns "" if there is none,
/// nullopt if the text begins with a colon.
std::optional<std::string> take_scheme(std::string_view& text) {
  std::string scheme;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ':') {
      if (i == 0) return std::nullopt;
      text.remove_prefix(i + 1);
      return scheme;
    }
    const bool later = is_digit(c) || c == '+' || c == '-' || c == '.';
    if (!is_alpha(c) && (i == 0 || !later)) return "";
    scheme += to_lower(c);
  }
  return "";
}

bool has_valid_escapes(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') continue;
    if (i + 2 >= text.size() || !is_hex(text[i + 1]) || !is_hex(text[i + 2])) return false;
  }
  return true;
}

/// Parses `[user@]host[:port]`. Returns false if `text` is invalid.
bool read_authority(std::string_view text, Url& url) {
  if (const std::size_t at = text.rfind('@'); at != std::string_view::npos) {
    if (!has_valid_escapes(text.substr(0, at))) return false;
    text.remove_prefix(at + 1);
  }
  const std::optional<HostPortParts> parts = split_host_port(text);
  if (!parts) return false;
  url.host = parts->host;
  url.port = parts->port;
  const auto allowed = [](char c) {
    return static_cast<unsigned char>(c) >= 0x80 || is_alpha(c) || is_digit(c) ||
           std::string_view("-_.~!$&'()*+,;=:[]<>\"").contains(c);
  };
  std::string_view name = parts->host;
  if (text.starts_with('[')) name = name.substr(0, name.find("%25"));  // without the IPv6 zone
  return std::ranges::all_of(name, allowed) && std::ranges::all_of(url.port, is_digit);
}

}  // namespace

std::string Url::authority() const { return join_host_port(host, port); }

int Url::effective_port() const {
  int value = scheme == "https" ? 443 : 80;
  std::from_chars(port.data(), port.data() + port.size(), value);
  return value;
}

std::optional<Url> parse_url(std::string_view text) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; };
  if (std::ranges::any_of(text, is_control)) return std::nullopt;
  std::string_view rest = text.substr(0, text.find('#'));
  std::optional<std::string> scheme = take_scheme(rest);
  if (!scheme) return std::nullopt;
  rest = rest.substr(0, rest.find('?'));
  Url url;
  url.scheme = *std::move(scheme);
  const bool has_scheme = !url.scheme.empty();
  if (rest.starts_with("//") && (has_scheme || !rest.starts_with("///"))) {
    rest.remove_prefix(2);
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    if (!read_authority(rest.substr(0, slash), url)) return std::nullopt;
    rest.remove_prefix(slash);
  }
  url.path = rest;
  if (rest.empty() || rest.starts_with('/')) {
    if (!has_valid_escapes(rest)) return std::nullopt;
  } else if (!has_scheme && rest.substr(0, rest.find('/')).contains(':')) {
    return std::nullopt;
  }
  return url;
}

std::string without_secrets(std::string_view text) {
  // A password may contain `://`, `?` and `#`.
  std::string_view rest = text;
  const std::optional<std::string> scheme = take_scheme(rest);
  const bool has_scheme = scheme && !scheme->empty() && rest.starts_with("//");
  const std::size_t begin = has_scheme ? text.size() - rest.size() + 2 : 0;
  std::string out(text);
  const std::size_t at = out.rfind('@');
  if (at != std::string::npos && at >= begin) out.erase(begin, at + 1 - begin);
  out.erase(std::min(out.find_first_of("?#", begin), out.size()));
  return out;
}

std::optional<HostPortParts> split_host_port(std::string_view text) {
  if (text.starts_with('[')) {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) return std::nullopt;
    const std::string_view host = text.substr(1, close - 1);
    const std::string_view rest = text.substr(close + 1);
    if (host.contains('[')) return std::nullopt;
    if (!rest.empty() && (rest.front() != ':' || rest.rfind(':') != 0)) return std::nullopt;
    return HostPortParts{host, rest.empty() ? rest : rest.substr(1)};
  }
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return HostPortParts{text, {}};
  if (text.find(':', colon + 1) != std::string_view::npos) return std::nullopt;
  return HostPortParts{text.substr(0, colon), text.substr(colon + 1)};
}

std::string join_host_port(std::string_view host, std::string_view port) {
  std::string text(host);
  if (host.contains(':')) text = "[" + text + "]";
  if (!port.empty()) text.append(":").append(port);
  return text;
}

}  // namespace kinf
