// SPDX-License-Identifier: Apache-2.0
// Url: splits a URL like Go's net/url, and HOST:PORT like Go's net package. Used for the addresses
// of servers and proxies, in configurations and on command lines.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kinf {

/// The parts of a URL that kinf uses. The user name, password, query and fragment are not stored,
/// so that no message can show a password.
struct Url {
  std::string scheme;  ///< lower case; empty if there is none
  std::string host;    ///< without brackets, also for IPv6
  std::string port;    ///< digits; empty if the URL has no port
  /// The path as written; may be empty. If no `//` follows the scheme, this is everything after the
  /// scheme.
  std::string path;

  /// Returns `10.0.0.1:6443`, or `[::1]:6443` for IPv6.
  std::string authority() const;
  /// Returns `https://10.0.0.1:6443`.
  std::string origin() const { return scheme + "://" + authority(); }
  /// Returns the port as a number. The default is 443 for https, otherwise 80.
  int effective_port() const;

  friend bool operator==(const Url&, const Url&) = default;
};

/// Returns nullopt if `text` is neither an absolute nor a relative URL.
std::optional<Url> parse_url(std::string_view text);

/// Returns `text` without secrets, for messages. Removes the user name and password (everything
/// between `://` and the last `@`), the query and the fragment.
std::string without_secrets(std::string_view text);

/// The result of split_host_port(). The members point into its `text`, which must outlive them.
struct HostPortParts {
  std::string_view host;  ///< without brackets
  std::string_view port;  ///< not validated; empty if there is none
};
/// Splits `host`, `host:port`, `[IPv6]` or `[IPv6]:port`. Returns nullopt for anything else.
std::optional<HostPortParts> split_host_port(std::string_view text);
/// Joins a host and a port, and adds brackets to an IPv6 address. Omits the colon if `port` is
/// empty.
std::string join_host_port(std::string_view host, std::string_view port);

}  // namespace kinf
