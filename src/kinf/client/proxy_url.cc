// SPDX-License-Identifier: Apache-2.0
// The grammar is that of Go's net/url, as far as it decides between the two errors.
#include "kinf/client/proxy_url.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

#include "kinf/base/quote.h"

namespace kinf {
namespace {

bool is_alpha(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }

/// Takes `scheme:` off the front; "" if there is none, nullopt if the text begins with a colon.
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
    scheme += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
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

bool is_proxy_host(std::string_view text) {
  const auto allowed = [](char c) {
    return static_cast<unsigned char>(c) >= 0x80 || is_alpha(c) || is_digit(c) ||
           std::string_view("-_.~!$&'()*+,;=:[]<>\"").contains(c);
  };
  std::string_view port;
  if (text.starts_with('[')) {
    const std::size_t close = text.rfind(']');
    if (close == std::string_view::npos) return false;
    port = text.substr(close + 1);
    text = text.substr(0, close);
    text = text.substr(0, text.find("%25"));  // an IPv6 zone
  } else if (const std::size_t colon = text.rfind(':'); colon != std::string_view::npos) {
    port = text.substr(colon);
    text = text.substr(0, colon);
  }
  const bool port_ok =
      port.empty() || (port.front() == ':' && std::all_of(port.begin() + 1, port.end(), is_digit));
  return port_ok && std::ranges::all_of(text, allowed);
}

bool is_rest(std::string_view rest, bool has_scheme) {
  rest = rest.substr(0, rest.find('?'));
  if (!rest.starts_with('/')) {
    return has_scheme || !rest.substr(0, rest.find('/')).contains(':');
  }
  if (rest.starts_with("//") && (has_scheme || !rest.starts_with("///"))) {
    rest.remove_prefix(2);
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    std::string_view host = rest.substr(0, slash);
    if (const std::size_t at = host.rfind('@'); at != std::string_view::npos) {
      if (!has_valid_escapes(host.substr(0, at))) return false;
      host.remove_prefix(at + 1);
    }
    if (!is_proxy_host(host)) return false;
    rest.remove_prefix(slash);
  }
  return has_valid_escapes(rest);
}

}  // namespace

Result<> check_proxy_url(std::string_view text) {
  std::string_view rest = text.substr(0, text.find('#'));
  const bool clean = std::ranges::none_of(
      text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
  const std::optional<std::string> scheme = take_scheme(rest);
  if (!clean || !scheme || !is_rest(rest, !scheme->empty())) {
    return fail(ErrorKind::usage, fmt::format("could not parse: {}", text));
  }
  if (*scheme != "http" && *scheme != "https" && *scheme != "socks5") {
    return fail(ErrorKind::usage,
                fmt::format("unsupported scheme {}, must be http, https, or socks5",
                            kinf::quoted(*scheme)));
  }
  return {};
}

}  // namespace kinf
