// SPDX-License-Identifier: Apache-2.0
// RequestAuthorizer: supplies the credentials of requests. CredentialSource takes them from a
// ClientConfig: token, token file, basic auth, exec plugin, impersonation, and client certificates
// in files. A client certificate that the ClientConfig contains as data is used by HttpTransport
// itself.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/base/limits.h"
#include "kinf/client/client_config.h"

namespace [[gnu::visibility("default")]] kinf {

/// The credentials of one request.
struct RequestIdentity {
  std::vector<std::string> headers;  ///< `Authorization: Bearer …`, `Impersonate-User: …`
  /// A client certificate from an exec plugin or from files. If not empty, HttpTransport uses it
  /// instead of the one in the ClientConfig.
  std::string cert_pem;
  std::string key_pem;

  friend bool operator==(const RequestIdentity&, const RequestIdentity&) = default;
};

/// Supplies credentials, and renews them if possible.
/// Threads: call every function from any thread.
class RequestAuthorizer {
 public:
  virtual ~RequestAuthorizer() = default;
  /// Returns the current credentials. May block to read files or to run an exec plugin, which has a
  /// time limit. Errors: auth; stopped.
  virtual Result<RequestIdentity> identity() = 0;
  /// Reports that the server rejected `refused` with a 401. The next identity() returns other
  /// credentials if possible. Does not block.
  virtual void invalidate(const RequestIdentity& refused) = 0;
  /// Returns a hint for a 401 if it is known why the server rejects the credentials: the client
  /// certificate has expired. Otherwise returns an empty string.
  virtual std::string refusal_hint(Clock::Wall now) const {
    (void)now;
    return {};
  }
};

/// The environment and time limits of an exec plugin. Filled in from read_client_environment().
struct CredentialOptions {
  /// The environment of this process as `NAME=value` entries. Its PATH is searched for the plugin.
  std::vector<std::string> environment;
  bool stdin_is_terminal = false;
  std::string stdin_taken;  ///< why a plugin cannot read standard input; empty if it can
  /// A plugin that runs longer than this is killed (client-go has no limit). The limit of
  /// interactive plugins is longer, because the user may have to log in.
  std::chrono::nanoseconds exec_timeout = limits::kPluginTime;
  std::chrono::nanoseconds interactive_timeout = limits::kInteractivePluginTime;
  std::stop_token stop;  ///< ends a running plugin and all calls that wait for it
};

/// The RequestAuthorizer for a configuration. identity() blocks on the disk to read a token file
/// (at most every 50 s, and after a 401) or certificate files (for each request). It blocks on the
/// exec plugin if there is no credential yet, or if the credential has expired or was rejected.
/// Errors: auth if no credential is available; stopped. invalidate() drops the current credential
/// only if it is the rejected one.
/// Threads: call every function from any thread. Only one plugin runs at a time, and no lock is
/// held while it runs.
class CredentialSource : public RequestAuthorizer {
 public:
  /// Creates a source without reading files or running plugins. As in client-go, an exec plugin is
  /// ignored if there is a token, basic auth or client certificate, and only impersonation headers
  /// are sent to a server without https. `clock` must outlive the source. Errors: usage, for a
  /// token combined with basic auth, an auth-provider, an unknown apiVersion of the exec plugin,
  /// and text that a header cannot contain.
  static Result<std::unique_ptr<CredentialSource>> create(const ClientConfig& config,
                                                          CredentialOptions options, Clock& clock);

  /// Describes the source for messages: `token`, `token file /x`, `basic auth`, `exec: aws`,
  /// `client certificate`, `none`.
  virtual std::string description() const = 0;
  /// Returns when the current credential expires; nullopt if unknown.
  virtual std::optional<Clock::Wall> expires_at() const { return std::nullopt; }
};

/// Returns when the first certificate in `pem` expires. Returns nullopt if `pem` has no readable
/// certificate, and for years after 2200, which mean that it does not expire. Threads: any.
std::optional<Clock::Wall> certificate_end(std::string_view pem);

}  // namespace kinf
