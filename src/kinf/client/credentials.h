// SPDX-License-Identifier: Apache-2.0
// RequestAuthorizer: supplies the credentials of requests. CredentialSource takes them from a
// ClientConfig: token, token file, basic auth, exec plugin and impersonation. The transport itself
// uses the client certificates of the configuration.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/base/limits.h"
#include "kinf/client/client_config.h"

namespace kinf {

/// The credentials of one request.
struct RequestIdentity {
  std::vector<std::string> headers;  ///< `Authorization: Bearer …`, `Impersonate-User: …`
  std::string cert_pem;  ///< a client certificate from an exec plugin; replaces the configured one
  std::string key_pem;

  friend bool operator==(const RequestIdentity&, const RequestIdentity&) = default;
};

/// Supplies credentials, and renews them if possible.
/// Threads: every call from any thread.
class RequestAuthorizer {
 public:
  virtual ~RequestAuthorizer() = default;
  /// Returns the current credentials. May block to read a token file or run an exec plugin, which
  /// has a time limit. Errors: auth; stopped.
  virtual Result<RequestIdentity> identity() = 0;
  /// Reports that the server rejected `refused` with a 401. The next identity() returns other
  /// credentials if possible. Does not block.
  virtual void invalidate(const RequestIdentity& refused) = 0;
};

/// The environment and time limits of an exec plugin. Read once in kinf/cli.
struct CredentialOptions {
  /// `NAME=value` entries of this process; the plugin is looked up in PATH
  std::vector<std::string> environment;
  bool stdin_is_terminal = false;
  std::string stdin_taken;  ///< why a plugin cannot use standard input; empty if it can
  /// A plugin that runs longer than this is killed (client-go has no limit). The limit of
  /// interactive plugins is longer, because the user may have to log in.
  std::chrono::nanoseconds exec_timeout = limits::kPluginTime;
  std::chrono::nanoseconds interactive_timeout = limits::kInteractivePluginTime;
  std::stop_token stop;  ///< terminates a running plugin and all calls that wait for it
};

/// The RequestAuthorizer for a configuration. identity() blocks on the disk to read a token file
/// (at most every 50 s, and after a 401). It blocks on the exec plugin if there is no credential
/// yet, or if it has expired or was rejected. Errors: auth if no credential is available; stopped.
/// invalidate() drops the credential if it is still the rejected one.
/// Threads: every call from any thread. Only one plugin runs at a time, and no lock is held while
/// it runs.
class CredentialSource : public RequestAuthorizer {
 public:
  /// Creates a source without reading files or running plugins. As in client-go, an exec plugin is
  /// ignored if there is a token, basic auth or client certificate, and only impersonation headers
  /// are sent to a server without https. `clock` must outlive the source. Errors: usage, for a
  /// token combined with basic auth, an auth-provider, an unknown exec version, and text that a
  /// header cannot contain.
  static Result<std::unique_ptr<CredentialSource>> create(const ClientConfig& config,
                                                          CredentialOptions options, Clock& clock);

  /// Describes the source for messages: `token`, `token file /x`, `basic auth`, `exec: aws`,
  /// `client certificate`, `none`.
  virtual std::string description() const = 0;
  /// Returns when the current credential expires; nullopt if unknown.
  virtual std::optional<Clock::Wall> expires_at() const { return std::nullopt; }
};

}  // namespace kinf
