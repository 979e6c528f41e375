// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "kinf/base/limits.h"
#include "kinf/base/log.h"
#include "kinf/base/read_file.h"
#include "kinf/base/trimmed.h"
#include "kinf/client/credential_kinds.h"
#include "kinf/client/impersonation_headers.h"

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

}  // namespace kinf
