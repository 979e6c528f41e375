// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <filesystem>

#include "kinf/base/ascii.h"
#include "kinf/base/files.h"
#include "kinf/base/limits.h"
#include "kinf/base/log.h"
#include "kinf/client/credential_kinds.h"

namespace kinf {
namespace {

constexpr std::chrono::seconds kReadAgainAfter(50);

}  // namespace

TokenFileCredentials::TokenFileCredentials(std::string path, std::string fallback,
                                           std::vector<std::string> headers, Clock& clock)
    : path_(std::move(path)),
      headers_(std::move(headers)),
      clock_(&clock),
      token_(std::move(fallback)) {}

Result<RequestIdentity> TokenFileCredentials::identity() {
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
        return std::unexpected(std::move(fresh).error());
      } else {
        problem = std::move(fresh).error().message;
      }
    }
    token = token_;
  }
  if (!problem.empty()) log::verbose(4, "using the previous token: {}", problem);
  return with_token(token);
}

void TokenFileCredentials::invalidate(const RequestIdentity& refused) {
  MutexLock lock(mu_);
  if (with_token(token_) == refused) read_at_.reset();
}

RequestIdentity TokenFileCredentials::with_token(const std::string& token) const {
  RequestIdentity identity{headers_, "", ""};
  identity.headers.push_back("Authorization: Bearer " + token);
  return identity;
}

Result<std::string> TokenFileCredentials::read_token() const {
  const Result<std::string> text = read_file(path_, limits::kTokenBytes);
  if (!text) {
    return fail(ErrorKind::auth,
                fmt::format("failed to read token file \"{}\": {}", path_, text.error().message));
  }
  std::string token(trimmed(*text));
  if (token.empty()) {
    return fail(ErrorKind::auth, fmt::format("read empty token from file \"{}\"", path_));
  }
  if (!is_header_value(token)) {
    return fail(ErrorKind::auth,
                fmt::format("the token in \"{}\" contains control characters", path_));
  }
  return token;
}

namespace {

/// Reads `path` into `pem`. Keeps a pipe's content, which can be read only once. Does nothing if
/// there is no file.
Result<void> read_pem(const std::string& path, std::string& pem) {
  std::error_code error;
  if (path.empty() || (!pem.empty() && std::filesystem::is_fifo(path, error))) return {};
  Result<std::string> text = read_file(path, limits::kPemBytes);
  if (!text) return fail(ErrorKind::auth, std::move(text).error().message);
  pem = *std::move(text);
  return {};
}

}  // namespace

CertFileCredentials::CertFileCredentials(std::unique_ptr<CredentialSource> others, TlsConfig tls)
    : others_(std::move(others)),
      cert_file_(tls.cert_data.empty() ? std::move(tls.cert_file) : ""),
      key_file_(tls.key_data.empty() ? std::move(tls.key_file) : ""),
      cert_pem_(std::move(tls.cert_data)),
      key_pem_(std::move(tls.key_data)) {}

Result<RequestIdentity> CertFileCredentials::identity() {
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
      return std::unexpected(std::move(read).error());
    } else {
      problem = std::move(read).error().message;
    }
    identity->cert_pem = cert_pem_;
    identity->key_pem = key_pem_;
  }
  if (!problem.empty()) log::verbose(4, "using the previous client certificate: {}", problem);
  return identity;
}

void CertFileCredentials::invalidate(const RequestIdentity& refused) {
  others_->invalidate({refused.headers, "", ""});
}

}  // namespace kinf
