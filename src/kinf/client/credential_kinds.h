// SPDX-License-Identifier: Apache-2.0
// The kinds of CredentialSource that change while we run. For credentials.cc and its tests; others
// go through CredentialSource::create().
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinf/base/sync.h"
#include "kinf/client/credentials.h"
#include "kinf/client/exec_credential.h"

namespace kinf {

/// A token that somebody else keeps fresh in a file, as kubelet does for a pod. Read again 50 s
/// after the last reading (client-go: a minute less ten seconds); a failing or empty file leaves
/// the last good token in use.
/// Threads: any.
class TokenFileCredentials final : public CredentialSource {
 public:
  /// `fallback` is used while the file has never been readable. `headers` go along.
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

/// What an exec plugin answers, until it expires or is refused.
/// Threads: any; one caller runs the plugin, the others wait for its answer.
class ExecCredentials final : public CredentialSource {
 public:
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
