// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/user_check.h"

#include <fmt/core.h>

#include "kinf/base/quote.h"
#include "kinf/client/config_selection.h"

namespace kinf {
namespace {

/// Returns whether anything identifies the user (client-go: canIdentifyUser).
bool is_identified(const ClientConfig& config) {
  const TlsConfig& tls = config.tls;
  return !config.username.empty() || !config.token.empty() || !config.token_file.empty() ||
         !tls.cert_file.empty() || !tls.cert_data.empty() || config.exec || config.auth_provider;
}

std::unexpected<Error> unidentified(std::string message, std::string hint) {
  Error error(ErrorKind::usage, std::move(message));
  error.hint = std::move(hint);
  return std::unexpected(std::move(error));
}

}  // namespace

Result<> check_user_is_identified(const Kubeconfig& files, const ClientConfig& config) {
  const Result<Url> server = server_url(config);
  if (!server || server->scheme != "https" || is_identified(config)) return {};
  if (!config.password.empty()) {
    return unidentified(
        fmt::format("user {} has a password, but no username", kinf::quoted(config.user)),
        "set users[].user.username, or use --token");
  }
  const auto user = files.users.find(config.user);
  if (user != files.users.end()) {
    if (!user->second.token_is_empty) return {};
    return unidentified(fmt::format("the token of user {} is empty", kinf::quoted(config.user)),
                        "set users[].user.token, or use --token");
  }
  if (config.user.empty()) return {};
  return std::unexpected(unknown_user(config.user, config.context, files));
}

}  // namespace kinf
