// SPDX-License-Identifier: Apache-2.0
// CredentialSource: what a ClientConfig says about who we are, kept fresh, as headers for the next
// request. Token, token file, basic auth, exec plugin and impersonation; client certificates of the
// configuration itself are the transport's business.
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

/// What of the outside an exec plugin gets to see; read once in cli.
struct CredentialOptions {
  std::vector<std::string> environment;  ///< `NAME=value` of this process; PATH finds the plugin
  bool stdin_is_terminal = false;
  std::string stdin_taken;  ///< why a plugin cannot have standard input; empty = it can
  /// A plugin that runs longer is killed (client-go waits for ever). Logins may involve people.
  std::chrono::nanoseconds exec_timeout = std::chrono::minutes(2);
  std::chrono::nanoseconds interactive_timeout = std::chrono::minutes(10);
  std::stop_token stop;  ///< ends a running plugin and whoever waits for it
};

/// Threads: every call from any thread; plugin runs are serialised, without a lock held.
class CredentialSource : public RequestAuthorizer {
 public:
  /// Reads and runs nothing yet. A token, basic auth or client certificate makes an exec plugin
  /// superfluous, as in client-go; nothing but impersonation is sent to a server that is not https.
  /// Errors (usage): token together with basic auth, an auth-provider, an unknown exec version,
  /// text that cannot stand in a header.
  static Result<std::unique_ptr<CredentialSource>> create(const ClientConfig& config,
                                                          CredentialOptions options, Clock& clock);

  /// `identity()` blocks on the disk for a token file (at most once in 50 s, or after a refusal)
  /// and on the plugin when there is no credential yet, it has expired or was refused.
  /// Errors: auth when no credential can be had, stopped.
  /// `invalidate()` drops the credential if it is still the refused one.

  /// For people: `token`, `token file /x`, `basic auth`, `exec: aws`, `client certificate`, `none`.
  virtual std::string description() const = 0;
  /// When the credential in use ends, if that is known.
  virtual std::optional<Clock::Wall> expires_at() const { return std::nullopt; }
};

}  // namespace kinf
