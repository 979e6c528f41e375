// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "kinf/base/limits.h"
#include "kinf/base/log.h"
#include "kinf/base/read_file.h"
#include "kinf/client/credential_kinds.h"

namespace kinf {
namespace {

/// Reads `path` into `pem`. Keeps a pipe's content, which can be read only once. Does nothing if
/// there is no file.
Result<> read_pem(const std::string& path, std::string& pem) {
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
    Result<> read = read_pem(cert_file_, cert);
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
