// SPDX-License-Identifier: Apache-2.0
// CredentialSource: the credentials of a ClientConfig, kept up to date, as headers of the next
// request: token, token file, basic auth, exec plugin and impersonation. The transport uses the
// client certificates of the configuration itself.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/client/api_exchange.h"
#include "kinf/client/client_config.h"

namespace kinf {

/// The environment of an exec plugin and its limits; read once in cli.
struct CredentialOptions {
  std::vector<std::string> environment;  ///< `NAME=value` of this process; PATH finds the plugin
  bool stdin_is_terminal = false;
  std::string stdin_taken;  ///< why a plugin cannot use standard input; empty: it can
  /// A plugin that runs longer is killed (client-go has no limit). A user may have to log in.
  std::chrono::nanoseconds exec_timeout = std::chrono::minutes(2);
  std::chrono::nanoseconds interactive_timeout = std::chrono::minutes(10);
  std::stop_token stop;  ///< ends a running plugin and all calls that wait for it
};

/// The RequestAuthorizer for a configuration. identity() blocks on the disk to read a token file
/// (at most once in 50 s, and after a refusal), and on the plugin if there is no credential yet, or
/// it has expired or was refused. Its errors: auth if no credential can be had; stopped.
/// invalidate() drops the credential if it is still the refused one.
/// Threads: every call from any thread. Only one plugin runs at a time; no lock is held meanwhile.
class CredentialSource : public RequestAuthorizer {
 public:
  /// Does not read files or run plugins yet. As in client-go, an exec plugin is not used beside a
  /// token, basic auth or client certificate, and only impersonation is sent to a server without
  /// https. `clock` must outlive the source. Errors: usage, for a token together with basic auth,
  /// an auth-provider, an unknown exec version, and text that a header cannot contain.
  static Result<std::unique_ptr<CredentialSource>> create(const ClientConfig& config,
                                                          CredentialOptions options, Clock& clock);

  /// Describes the source for messages: `token`, `token file /x`, `basic auth`, `exec: aws`,
  /// `client certificate`, `none`.
  virtual std::string description() const = 0;
  /// When the credential in use expires, if that is known.
  virtual std::optional<Clock::Wall> expires_at() const { return std::nullopt; }
};

}  // namespace kinf
