// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/credentials.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "kinf/base/ascii.h"
#include "kinf/base/base64.h"
#include "kinf/base/files.h"
#include "kinf/base/hints.h"
#include "kinf/base/limits.h"
#include "kinf/base/log.h"
#include "kinf/base/quote.h"
#include "kinf/base/sync.h"
#include "kinf/base/timestamp.h"
#include "kinf/base/url.h"
#include "kinf/client/exec_credential.h"
#include "kinf/client/paths.h"

namespace kinf {
namespace {

constexpr const char* kClientCertificate = "client certificate";

/// Returns the hint for a rejected client certificate that expires at `end`. Empty if it has not
/// expired. `certificate` names it.
std::string expiry_hint(const std::string& certificate, std::optional<Clock::Wall> end,
                        Clock::Wall now) {
  if (!end || now < *end) return {};
  return fmt::format("{} expired on {}; renew it, or use {}", certificate,
                     timestamp_text(std::chrono::floor<std::chrono::seconds>(*end)),
                     hint_for("another --user, --token or --context", "other credentials"));
}

/// Credentials that never change: a token, basic auth, a client certificate in the kubeconfig, or
/// only impersonation.
class FixedCredentials final : public CredentialSource {
 public:
  /// `expires` is when the client certificate of `user` expires; nullopt if there is none.
  FixedCredentials(std::string description, std::vector<std::string> headers, std::string user = {},
                   std::optional<Clock::Wall> expires = std::nullopt)
      : description_(std::move(description)),
        identity_{std::move(headers), "", ""},
        user_(std::move(user)),
        expires_(expires) {}

  Result<RequestIdentity> identity() override { return identity_; }
  void invalidate(const RequestIdentity& /*refused*/) override {}
  std::string description() const override { return description_; }
  std::optional<Clock::Wall> expires_at() const override { return expires_; }
  std::string refusal_hint(Clock::Wall now) const override {
    const std::string owner = user_.empty() ? "" : " of the user " + kinf::quoted(user_);
    return expiry_hint("the client certificate" + owner, expires_, now);
  }

 private:
  const std::string description_;
  const RequestIdentity identity_;
  const std::string user_;
  const std::optional<Clock::Wall> expires_;
};

constexpr std::chrono::seconds kReadAgainAfter(50);

/// A token in a file that another program updates, such as kubelet in a pod. Reads the file again
/// after 50 s (client-go: one minute minus ten seconds). If that fails or the file is empty, keeps
/// using the last valid token.
/// Threads: call every function from any thread. identity() blocks on the disk.
class TokenFileCredentials final : public CredentialSource {
 public:
  /// `fallback`, unless empty, is used until the file has been read once. `headers` are sent with
  /// the token. `clock` must outlive this object.
  TokenFileCredentials(std::string path, std::string fallback, std::vector<std::string> headers,
                       Clock& clock)
      : path_(std::move(path)),
        headers_(std::move(headers)),
        clock_(&clock),
        token_(std::move(fallback)) {}

  Result<RequestIdentity> identity() override {
    std::string problem;
    std::string token;
    {
      MutexLock lock(mu_);
      const Clock::Mono now = clock_->now();
      if (!read_at_ || now >= *read_at_ + kReadAgainAfter) {
        Result<std::string> fresh = read_token();
        if (fresh) {
          token_ = *std::move(fresh);
          read_at_ = now;
        } else if (token_.empty()) {
          return fail(fresh);
        } else {
          problem = std::move(fresh).error().message;
        }
      }
      token = token_;
    }
    if (!problem.empty()) log::verbose(4, "using the previous token: {}", problem);
    return with_token(token);
  }
  void invalidate(const RequestIdentity& refused) override {
    MutexLock lock(mu_);
    if (with_token(token_) == refused) read_at_.reset();
  }
  std::string description() const override { return "token file " + path_; }

 private:
  RequestIdentity with_token(const std::string& token) const {
    RequestIdentity identity{headers_, "", ""};
    identity.headers.push_back("Authorization: Bearer " + token);
    return identity;
  }
  Result<std::string> read_token() const {
    const Result<std::string> text = read_file(path_, limits::kTokenBytes);
    if (!text) {
      return fail(ErrorKind::auth, "failed to read token file \"{}\": {}", path_,
                  text.error().message);
    }
    std::string token(trimmed(*text));
    if (token.empty()) return fail(ErrorKind::auth, "read empty token from file \"{}\"", path_);
    if (!is_header_value(token)) {
      return fail(ErrorKind::auth, "the token in \"{}\" contains control characters", path_);
    }
    return token;
  }

  const std::string path_;
  const std::vector<std::string> headers_;
  Clock* const clock_;
  Mutex mu_;
  std::string token_ KINF_GUARDED_BY(mu_);
  std::optional<Clock::Mono> read_at_ KINF_GUARDED_BY(mu_);
};

/// Reads the file `path` into `pem`. Does nothing if `path` is empty, or if it is a pipe that was
/// already read into `pem`, because a pipe can be read only once.
Result<void> read_pem(const std::string& path, std::string& pem) {
  std::error_code error;
  if (path.empty() || (!pem.empty() && std::filesystem::is_fifo(path, error))) return {};
  Result<std::string> text = read_file(path, limits::kPemBytes);
  if (!text) return fail(ErrorKind::auth, std::move(text).error().message);
  pem = *std::move(text);
  return {};
}

/// Adds a client certificate and key to the credentials of `others`. Reads their files again for
/// each request, because another program may renew the certificate. The first request with a
/// renewed certificate opens a new connection. (client-go reads the files every 5 minutes and
/// closes its connections.) If the files cannot be read, keeps using the last certificate.
/// Threads: call every function from any thread. identity() blocks on the disk.
class CertFileCredentials final : public CredentialSource {
 public:
  /// Takes certificate and key from `tls`. A `_data` member takes precedence over a `_file` member.
  CertFileCredentials(std::unique_ptr<CredentialSource> others, TlsConfig tls)
      : others_(std::move(others)),
        cert_file_(tls.cert_data.empty() ? std::move(tls.cert_file) : ""),
        key_file_(tls.key_data.empty() ? std::move(tls.key_file) : ""),
        cert_pem_(std::move(tls.cert_data)),
        key_pem_(std::move(tls.key_data)) {}

  Result<RequestIdentity> identity() override {
    Result<RequestIdentity> identity = others_->identity();
    if (!identity) return identity;
    std::string problem;
    {
      MutexLock lock(mu_);
      std::string cert = cert_pem_;
      std::string key = key_pem_;
      Result<void> read = read_pem(cert_file_, cert);
      if (read) read = read_pem(key_file_, key);
      if (read) {
        cert_pem_ = std::move(cert);
        key_pem_ = std::move(key);
      } else if (cert_pem_.empty() || key_pem_.empty()) {
        return fail(read);
      } else {
        problem = std::move(read).error().message;
      }
      identity->cert_pem = cert_pem_;
      identity->key_pem = key_pem_;
    }
    if (!problem.empty()) log::verbose(4, "using the previous client certificate: {}", problem);
    return identity;
  }
  void invalidate(const RequestIdentity& refused) override {
    others_->invalidate({refused.headers, "", ""});
  }
  std::string description() const override { return others_->description(); }
  std::optional<Clock::Wall> expires_at() const override {
    if (!are_alone()) return others_->expires_at();
    MutexLock lock(mu_);
    return certificate_end(cert_pem_);
  }
  std::string refusal_hint(Clock::Wall now) const override {
    if (!are_alone()) return others_->refusal_hint(now);
    const std::string name = cert_file_.empty() ? "" : " " + cert_file_;
    return expiry_hint("the client certificate" + name, expires_at(), now);
  }

 private:
  /// Returns whether nothing but the certificate identifies the user.
  bool are_alone() const { return others_->description() == kClientCertificate; }

  const std::unique_ptr<CredentialSource> others_;
  const std::string cert_file_;  ///< empty if TlsConfig::cert_data is set
  const std::string key_file_;
  mutable Mutex mu_;
  std::string cert_pem_ KINF_GUARDED_BY(mu_);
  std::string key_pem_ KINF_GUARDED_BY(mu_);
};

/// The characters besides letters and digits that a header name may contain (RFC 9110), except `%`,
/// which starts an escape.
constexpr std::string_view kNameMarks = "!#$&'*+-.^_`|~";

/// Returns headers such as `Impersonate-User: jane`; none if there is no user. In keys of `extra`,
/// percent-encodes characters that a header name cannot contain. Errors: usage, for a value with
/// control characters.
Result<std::vector<std::string>> impersonation_headers(const Impersonation& impersonation) {
  std::vector<std::string> headers;
  if (impersonation.user.empty()) return headers;
  bool clean = true;
  const auto add = [&](std::string_view name, const std::string& value) {
    clean = clean && is_header_value(value);
    headers.push_back(fmt::format("{}: {}", name, value));
  };
  add("Impersonate-User", impersonation.user);
  if (!impersonation.uid.empty()) add("Impersonate-Uid", impersonation.uid);
  for (const std::string& group : impersonation.groups) add("Impersonate-Group", group);
  for (const auto& [key, values] : impersonation.extra) {
    const std::string name = "Impersonate-Extra-" + percent_encode(key, kNameMarks);
    for (const std::string& value : values) add(name, value);
  }
  if (!clean) return fail(ErrorKind::usage, "impersonation: a name contains control characters");
  return headers;
}

/// Returns the source of all credentials except the client certificate that is configured in
/// `config`.
Result<std::unique_ptr<CredentialSource>> header_credentials(const ClientConfig& config,
                                                             const Url& url,
                                                             CredentialOptions options,
                                                             Clock& clock) {
  Result<std::vector<std::string>> impersonation = impersonation_headers(config.impersonate);
  if (!impersonation) return fail(impersonation);
  std::vector<std::string> headers = *std::move(impersonation);
  const std::string token(trimmed(config.token));
  const bool has_token = !token.empty() || !config.token_file.empty();
  const bool has_basic = !config.username.empty();
  if (has_token && has_basic) {
    return fail(ErrorKind::usage, "username/password or bearer token may be set, but not both");
  }
  if (!is_header_value(token)) {
    return fail(ErrorKind::usage, "the token contains control characters");
  }
  if (url.scheme != "https") return std::make_unique<FixedCredentials>("none", std::move(headers));
  if (!config.token_file.empty()) {
    return std::make_unique<TokenFileCredentials>(config.token_file, token, std::move(headers),
                                                  clock);
  }
  if (has_token) {
    headers.push_back("Authorization: Bearer " + token);
    return std::make_unique<FixedCredentials>("token", std::move(headers));
  }
  if (has_basic) {
    headers.push_back("Authorization: Basic " +
                      base64_encode(config.username + ":" + config.password));
    return std::make_unique<FixedCredentials>("basic auth", std::move(headers));
  }
  if (config.tls.has_client_cert()) {
    return std::make_unique<FixedCredentials>(kClientCertificate, std::move(headers), config.user,
                                              certificate_end(config.tls.cert_data));
  }
  if (config.auth_provider) {
    return fail(ErrorKind::usage, "no Auth Provider found for name \"{}\"",
                config.auth_provider->name)
        .with_hint(
            hint_for("use the provider's exec plugin instead (users[].user.exec), or --token",
                     "use the provider's exec plugin instead (users[].user.exec), or "
                     "ConfigOverrides::token"));
  }
  if (config.exec) {
    const std::string& version = config.exec->api_version;
    if (version != "client.authentication.k8s.io/v1" &&
        version != "client.authentication.k8s.io/v1beta1") {
      return fail(ErrorKind::usage, "exec plugin: invalid apiVersion \"{}\"", version)
          .with_hint(
              "set users[].user.exec.apiVersion to client.authentication.k8s.io/v1 or v1beta1");
    }
    return exec_credentials(config, std::move(headers), std::move(options), clock);
  }
  return std::make_unique<FixedCredentials>("none", std::move(headers));
}

/// Returns whether the client certificate or its key is in a file.
bool has_cert_files(const TlsConfig& tls) {
  return tls.has_client_cert() && (tls.cert_data.empty() || tls.key_data.empty());
}

}  // namespace

Result<std::unique_ptr<CredentialSource>> CredentialSource::create(const ClientConfig& config,
                                                                   CredentialOptions options,
                                                                   Clock& clock) {
  const Result<Url> url = server_url(config);
  if (!url) return fail(url);
  Result<std::unique_ptr<CredentialSource>> source =
      header_credentials(config, *url, std::move(options), clock);
  if (!source || url->scheme != "https" || !has_cert_files(config.tls)) return source;
  return std::make_unique<CertFileCredentials>(*std::move(source), config.tls);
}

}  // namespace kinf
