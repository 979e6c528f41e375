// SPDX-License-Identifier: Apache-2.0
// The CredentialSources whose credentials change at run time. Only credentials.cc and the tests
// include this header; other code calls CredentialSource::create().
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/base/sync.h"
#include "kinf/client/client_config.h"
#include "kinf/client/credentials.h"
#include "kinf/client/exec_credential.h"

namespace kinf {

// Makes request headers for impersonation. Pure functions.
// Threads: any.

/// Returns headers such as `Impersonate-User: jane`; none if there is no user. In keys of `extra`,
/// percent-encodes characters that a header name cannot contain. Errors: usage, for a value with
/// control characters.
Result<std::vector<std::string>> impersonation_headers(const Impersonation& impersonation);

/// Returns whether `value` is valid in a header: it contains no control characters except tabs.
bool is_header_value(std::string_view value);

/// A token in a file that another program updates, such as kubelet in a pod. Reads the file again
/// after 50 s (client-go: one minute minus ten seconds). If that fails or the file is empty, keeps
/// using the last valid token.
/// Threads: every call from any thread. identity() blocks on the disk.
class TokenFileCredentials final : public CredentialSource {
 public:
  /// `fallback`, unless empty, is used until the file has been read once. `headers` are sent with
  /// the token. `clock` must outlive this object.
  TokenFileCredentials(std::string path, std::string fallback, std::vector<std::string> headers,
                       Clock& clock);

  Result<RequestIdentity> identity() override;
  void invalidate(const RequestIdentity& refused) override;
  std::string description() const override { return "token file " + path_; }

 private:
  RequestIdentity with_token(const std::string& token) const;
  Result<std::string> read_token() const;

  const std::string path_;
  const std::vector<std::string> headers_;
  Clock* const clock_;
  Mutex mu_;
  std::string token_ KINF_GUARDED_BY(mu_);
  std::optional<Clock::Mono> read_at_ KINF_GUARDED_BY(mu_);
};

/// A client certificate and key in files that another program renews, together with the other
/// credentials. Reads the files for each request, so that a request after a renewal opens a new
/// connection. (client-go reads them every 5 minutes and closes its connections.) If the files
/// cannot be read, keeps using the last certificate.
/// Threads: every call from any thread. identity() blocks on the disk.
class CertFileCredentials final : public CredentialSource {
 public:
  /// Takes the parts of the certificate from `tls`, where data takes precedence over files.
  CertFileCredentials(std::unique_ptr<CredentialSource> others, TlsConfig tls);

  Result<RequestIdentity> identity() override;
  void invalidate(const RequestIdentity& refused) override;
  std::string description() const override { return others_->description(); }

 private:
  const std::unique_ptr<CredentialSource> others_;
  const std::string cert_file_;  ///< empty if the configuration has the data
  const std::string key_file_;
  Mutex mu_;
  std::string cert_pem_ KINF_GUARDED_BY(mu_);
  std::string key_pem_ KINF_GUARDED_BY(mu_);
};

/// The credential of an exec plugin, cached until it expires or the server rejects it. Threads:
/// every call from any thread. One caller of identity() runs the plugin; the others wait for the
/// result.
class ExecCredentials final : public CredentialSource {
 public:
  /// `config.exec` must be set. `headers` are sent with the credential. `clock` must outlive this
  /// object.
  ExecCredentials(const ClientConfig& config, std::vector<std::string> headers,
                  CredentialOptions options, Clock& clock);

  Result<RequestIdentity> identity() override;
  void invalidate(const RequestIdentity& refused) override;
  std::string description() const override;
  std::optional<Clock::Wall> expires_at() const override;

 private:
  struct Held {
    RequestIdentity identity;
    std::optional<Clock::Wall> expires;
  };

  Result<Held> ask_plugin() const;
  Result<bool> is_interactive() const;

  const ClientConfig config_;
  const std::vector<std::string> headers_;
  const CredentialOptions options_;
  Clock* const clock_;
  mutable Mutex mu_;
  CondVar answered_;
  bool asking_ KINF_GUARDED_BY(mu_) = false;
  std::optional<Held> held_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
