// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/client_config.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <fmt/core.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <ranges>

#include "kinf/base/ascii.h"
#include "kinf/base/quote.h"
#include "kinf/base/url.h"

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
  return fail(ErrorKind::usage, std::move(message))
      .with_hint("use a server address such as https://10.0.0.1:6443");
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

namespace {

constexpr std::array kBundles = {
    "/etc/ssl/certs/ca-certificates.crt",                 // Debian, Arch, Gentoo, Alpine
    "/etc/pki/tls/certs/ca-bundle.crt",                   // Fedora, RHEL 6
    "/etc/ssl/ca-bundle.pem",                             // SUSE
    "/etc/pki/tls/cacert.pem",                            // OpenELEC
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // RHEL 7 and later
    "/etc/ssl/cert.pem",                                  // Alpine, macOS, the BSDs
};

constexpr std::array kFolders = {
    "/etc/ssl/certs",      // SUSE
    "/etc/pki/tls/certs",  // Fedora
};

bool is_bundle(const std::string& path) {
  std::error_code failed;
  return std::filesystem::is_regular_file(path, failed) &&
         std::filesystem::file_size(path, failed) > 0 && !failed &&
         ::access(path.c_str(), R_OK) == 0;
}

bool is_folder(const std::string& path) {
  std::error_code failed;
  return std::filesystem::is_directory(path, failed);
}

std::string text_or_empty(const char* text) { return text == nullptr ? "" : text; }

/// Returns whether `places.file` exists; if that is empty, whether `places.folder` exists.
bool exist(const SystemCas& places, const std::string& root) {
  if (!places.file.empty()) return is_bundle(root + places.file);
  return !places.folder.empty() && is_folder(root + places.folder);
}

/// Returns where this distribution stores its CA certificates: a bundle, or a folder if it has no
/// bundle.
SystemCas search(const std::string& root) {
  for (const char* bundle : kBundles) {
    if (is_bundle(root + bundle)) return {root + bundle, ""};
  }
  for (const char* folder : kFolders) {
    if (is_folder(root + folder)) return {"", root + folder};
  }
  return {};
}

}  // namespace

SystemCas find_system_cas(const SystemCaEnvironment& environment, const SystemCas& defaults,
                          const std::string& root) {
  SystemCas found = exist(defaults, root) ? SystemCas() : search(root);
  if (is_bundle(environment.cert_file)) found.file = environment.cert_file;
  if (!environment.cert_dir.empty()) found.folder = environment.cert_dir;
  return found;
}

SystemCas libcurl_cas() {
  const curl_version_info_data* curl = curl_version_info(CURLVERSION_NOW);
  return {text_or_empty(curl->cainfo), text_or_empty(curl->capath)};
}

namespace {

using Address = std::vector<unsigned char>;  // 4 bytes (IPv4) or 16 bytes (IPv6)

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
  const auto bits = parse_number<std::size_t>(block.substr(slash + 1));
  if (!base || base->size() != address.size() || !bits || *bits > address.size() * 8) return false;
  for (std::size_t i = 0; i < *bits; ++i) {
    const unsigned char mask = static_cast<unsigned char>(0x80U >> (i % 8));
    if ((address[i / 8] & mask) != ((*base)[i / 8] & mask)) return false;
  }
  return true;
}

/// Removes `:port` from an entry of NO_PROXY. Returns false if that port differs from `port`, the
/// port of the server.
bool take_port(std::string_view& entry, int port) {
  const std::optional<HostPortParts> parts = split_host_port(entry);
  if (!parts) return !entry.starts_with('[');  // a bare IPv6 address has no port
  entry = parts->host;
  return parts->port.empty() || parts->port == std::to_string(port);
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

bool is_proxy_scheme(std::string_view scheme) {
  return scheme == "http" || scheme == "https" || scheme == "socks5";
}

}  // namespace

bool is_loopback(std::string_view host) {
  const std::string name = to_lower(host);
  const std::optional<Address> address = parse_address(name);
  if (!address) return name == "localhost";
  if (address->size() == 4) return address->front() == 127;
  return address == parse_address("::1");
}

Result<void> check_proxy_url(std::string_view text) {
  const std::optional<Url> url = parse_url(text);
  if (!url) return fail(ErrorKind::usage, "could not parse: {}", without_secrets(text));
  if (is_proxy_scheme(url->scheme)) return {};
  return fail(ErrorKind::usage, "unsupported scheme {}, must be http, https, or socks5",
              kinf::quoted(url->scheme));
}

bool bypasses_proxy(const Url& server, const std::string& no_proxy) {
  const std::string host = to_lower(server.host);
  const std::optional<Address> address = parse_address(host);
  if (is_loopback(host)) return true;
  for (const auto part : std::views::split(no_proxy, ',')) {
    const std::string entry = to_lower(trimmed(std::string_view(part)));
    if (!entry.empty() && entry_matches(entry, host, address, server.effective_port())) return true;
  }
  return false;
}

Result<std::string> choose_proxy(const Url& server, const std::string& proxy_url,
                                 const ProxyEnvironment& environment) {
  std::string chosen = proxy_url;
  if (chosen.empty()) {
    chosen = server.scheme == "https" ? environment.https_proxy : environment.http_proxy;
    if (chosen.empty() || bypasses_proxy(server, environment.no_proxy)) return std::string();
    if (chosen.find("://") == std::string::npos) chosen.insert(0, "http://");
  }
  const std::optional<Url> url = parse_url(chosen);
  const std::string scheme = url ? url->scheme : "";
  if (scheme != "socks5h" && !is_proxy_scheme(scheme)) {
    return fail(ErrorKind::usage, "unsupported proxy scheme {:?}, must be http, https, or socks5",
                scheme);
  }
  // In Go, the scheme socks5 means that the proxy resolves host names. libcurl calls this socks5h.
  if (scheme == "socks5") return "socks5h" + chosen.substr(scheme.size());
  return chosen;
}

}  // namespace kinf
