// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/credentials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "kinf/base/ascii.h"
#include "kinf/base/base64.h"
#include "kinf/base/url.h"
#include "kinf/client/credential_kinds.h"

namespace kinf {
namespace {

/// Credentials that never change: a token, basic auth, or only impersonation.
class FixedCredentials final : public CredentialSource {
 public:
  FixedCredentials(std::string description, std::vector<std::string> headers)
      : description_(std::move(description)), identity_{std::move(headers), "", ""} {}

  Result<RequestIdentity> identity() override { return identity_; }
  void invalidate(const RequestIdentity& /*refused*/) override {}
  std::string description() const override { return description_; }

 private:
  const std::string description_;
  const RequestIdentity identity_;
};

std::unexpected<Error> no_auth_provider(const std::string& name) {
  return std::unexpected(
      Error(ErrorKind::usage, fmt::format("no Auth Provider found for name \"{}\"", name))
          .with_hint("use the provider's exec plugin instead (users[].user.exec), or --token"));
}

std::unexpected<Error> bad_version(const std::string& version) {
  return std::unexpected(
      Error(ErrorKind::usage, fmt::format("exec plugin: invalid apiVersion \"{}\"", version))
          .with_hint(
              "set users[].user.exec.apiVersion to client.authentication.k8s.io/v1 or v1beta1"));
}

/// Returns the source of everything but client certificates.
Result<std::unique_ptr<CredentialSource>> header_credentials(const ClientConfig& config,
                                                             const Url& url,
                                                             CredentialOptions options,
                                                             Clock& clock) {
  Result<std::vector<std::string>> impersonation = impersonation_headers(config.impersonate);
  if (!impersonation) return std::unexpected(std::move(impersonation).error());
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
  if (url.scheme != "https") {
    return std::make_unique<FixedCredentials>("none", std::move(headers));
  }
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
    return std::make_unique<FixedCredentials>("client certificate", std::move(headers));
  }
  if (config.auth_provider) return no_auth_provider(config.auth_provider->name);
  if (config.exec) {
    const std::string& version = config.exec->api_version;
    if (version != "client.authentication.k8s.io/v1" &&
        version != "client.authentication.k8s.io/v1beta1") {
      return bad_version(version);
    }
    return std::make_unique<ExecCredentials>(config, std::move(headers), std::move(options), clock);
  }
  return std::make_unique<FixedCredentials>("none", std::move(headers));
}

/// Returns whether a part of the client certificate is in a file.
bool has_cert_files(const TlsConfig& tls) {
  return tls.has_client_cert() && (tls.cert_data.empty() || tls.key_data.empty());
}

}  // namespace

Result<std::unique_ptr<CredentialSource>> CredentialSource::create(const ClientConfig& config,
                                                                   CredentialOptions options,
                                                                   Clock& clock) {
  const Result<Url> url = server_url(config);
  if (!url) return std::unexpected(url.error());
  Result<std::unique_ptr<CredentialSource>> source =
      header_credentials(config, *url, std::move(options), clock);
  if (!source || url->scheme != "https" || !has_cert_files(config.tls)) return source;
  return std::make_unique<CertFileCredentials>(*std::move(source), config.tls);
}

namespace {

/// Returns whether `c` is an RFC 9110 token character other than `%`, which is the escape
/// character.
bool is_name_char(unsigned char c) {
  return std::isalnum(c) != 0 || std::string_view("!#$&'*+-.^_`|~").contains(static_cast<char>(c));
}

std::string escaped_name(std::string_view key) {
  std::string out;
  for (const char c : key) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && is_name_char(byte)) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", byte);
    }
  }
  return out;
}

}  // namespace

bool is_header_value(std::string_view value) {
  return std::ranges::none_of(value, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < ' ' && c != '\t') || byte == 0x7f;
  });
}

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
    for (const std::string& value : values) {
      add("Impersonate-Extra-" + escaped_name(key), value);
    }
  }
  if (!clean) {
    return fail(ErrorKind::usage, "impersonation: a name contains control characters");
  }
  return headers;
}

}  // namespace kinf
