// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/proxy.h"

#include <arpa/inet.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include "kinf/base/trimmed.h"

namespace kinf {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

using Address = std::vector<unsigned char>;  // 4 or 16 bytes

std::optional<Address> parse_address(std::string_view text) {
  const std::string terminated(text);
  Address address(4);
  if (inet_pton(AF_INET, terminated.c_str(), address.data()) == 1) return address;
  address.resize(16);
  if (inet_pton(AF_INET6, terminated.c_str(), address.data()) == 1) return address;
  return std::nullopt;
}

bool in_block(const Address& address, std::string_view block) {
  const std::size_t slash = block.find('/');
  if (slash == std::string_view::npos) return false;
  const std::optional<Address> base = parse_address(block.substr(0, slash));
  const std::string_view length = block.substr(slash + 1);
  std::size_t bits = 0;
  const auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), bits);
  if (!base || base->size() != address.size() || error != std::errc() ||
      end != length.data() + length.size() || bits > address.size() * 8) {
    return false;
  }
  for (std::size_t i = 0; i < bits; ++i) {
    const unsigned char mask = static_cast<unsigned char>(0x80U >> (i % 8));
    if ((address[i / 8] & mask) != ((*base)[i / 8] & mask)) return false;
  }
  return true;
}

/// Cuts `:port` off an entry; false if it names another port than the server's.
bool take_port(std::string_view& entry, int port) {
  if (entry.starts_with('[')) {
    const std::size_t close = entry.find(']');
    if (close == std::string_view::npos) return false;
    const std::string_view rest = entry.substr(close + 1);
    entry = entry.substr(1, close - 1);
    return rest.empty() || rest == fmt::format(":{}", port);
  }
  if (std::count(entry.begin(), entry.end(), ':') != 1) return true;
  const std::size_t colon = entry.find(':');
  const std::string_view wanted = entry.substr(colon + 1);
  entry = entry.substr(0, colon);
  return wanted == fmt::format("{}", port);
}

bool entry_matches(std::string_view entry, const std::string& host,
                   const std::optional<Address>& address, int port) {
  if (entry == "*") return true;
  if (address && in_block(*address, entry)) return true;
  if (!take_port(entry, port) || entry.empty()) return false;
  if (address) return parse_address(entry) == address;
  if (entry.starts_with("*.")) entry.remove_prefix(1);
  if (entry.starts_with('.')) return host.ends_with(entry);
  return host == entry || (host.ends_with(entry) && host[host.size() - entry.size() - 1] == '.');
}

bool is_loopback(const std::string& host, const std::optional<Address>& address) {
  if (!address) return host == "localhost";
  if (address->size() == 4) return address->front() == 127;
  return std::all_of(address->begin(), address->end() - 1,
                     [](unsigned char c) { return c == 0; }) &&
         address->back() == 1;
}

}  // namespace

bool bypasses_proxy(const ServerUrl& server, const std::string& no_proxy) {
  const std::string host = lower(server.host);
  const std::optional<Address> address = parse_address(host);
  if (is_loopback(host, address)) return true;
  std::string_view rest = no_proxy;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string entry = lower(trimmed(rest.substr(0, comma)));
    if (!entry.empty() && entry_matches(entry, host, address, server.effective_port())) return true;
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return false;
}

Result<std::string> choose_proxy(const ServerUrl& server, const std::string& proxy_url,
                                 const ProxyEnvironment& environment) {
  std::string chosen = proxy_url;
  if (chosen.empty()) {
    chosen = server.tls ? environment.https_proxy : environment.http_proxy;
    if (chosen.empty() || bypasses_proxy(server, environment.no_proxy)) return std::string();
    if (chosen.find("://") == std::string::npos) chosen.insert(0, "http://");
  }
  const std::size_t scheme_end = chosen.find("://");
  const std::string scheme = lower(std::string_view(chosen).substr(0, scheme_end));
  static constexpr std::array<std::string_view, 4> kSchemes = {"http", "https", "socks5",
                                                               "socks5h"};
  if (scheme_end == std::string::npos ||
      std::find(kSchemes.begin(), kSchemes.end(), scheme) == kSchemes.end()) {
    return fail(ErrorKind::usage,
                fmt::format("unsupported proxy scheme {:?}, must be http, https, or socks5",
                            scheme_end == std::string::npos ? std::string() : scheme));
  }
  // Go lets a SOCKS5 proxy resolve names; libcurl calls that socks5h.
  if (scheme == "socks5") return "socks5h" + chosen.substr(scheme_end);
  return chosen;
}

}  // namespace kinf
