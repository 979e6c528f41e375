// SPDX-License-Identifier: Apache-2.0
// Url: a URL in its parts, as Go's net/url splits it; HOST:PORT, as Go's net package does. For the
// addresses of servers and proxies, in configurations and on command lines.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kinf {

/// Query, fragment and user name are checked and dropped, so that no message can show a password.
struct Url {
  std::string scheme;  ///< lower case; empty: none
  std::string host;    ///< without brackets, also for IPv6
  std::string port;    ///< digits; empty: the scheme's own
  std::string path;    ///< as written, often empty; after a scheme without `//`, all the rest

  /// `10.0.0.1:6443`, with brackets where IPv6 needs them.
  std::string authority() const;
  /// `https://10.0.0.1:6443`.
  std::string origin() const { return scheme + "://" + authority(); }
  /// The port as a number; 443 or 80 if none was given.
  int effective_port() const;

  friend bool operator==(const Url&, const Url&) = default;
};

/// Empty if `text` is not a URL, absolute or relative.
std::optional<Url> parse_url(std::string_view text);

/// `text` without the part between `://` and the last `@`, for messages.
std::string without_user(std::string_view text);

/// Views into the text that was split.
struct HostPortParts {
  std::string_view host;  ///< without brackets
  std::string_view port;  ///< unchecked; empty: none
};
/// `host`, `host:port`, `[IPv6]` or `[IPv6]:port`; empty for anything else.
std::optional<HostPortParts> split_host_port(std::string_view text);
/// The inverse; without a colon if `port` is empty.
std::string join_host_port(std::string_view host, std::string_view port);

}  // namespace kinf
