// SPDX-License-Identifier: Apache-2.0
// ExecCredential: the document that kinf and an exec plugin exchange (client.authentication.k8s.io,
// v1 and v1beta1), and the CredentialSource that runs the plugin.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/client/client_config.h"
#include "kinf/client/credentials.h"

namespace kinf {

/// The status of an ExecCredential: a token, a certificate with its key, or both.
struct ExecAnswer {
  std::string token;
  std::string cert_pem;
  std::string key_pem;
  /// When the credential expires. If not set, it is valid until the server rejects it.
  std::optional<Clock::Wall> expires;
};

/// Returns the value of KUBERNETES_EXEC_INFO for the plugin. If provide_cluster_info is set, blocks
/// on the disk to read the CA file. Errors: usage, if that file cannot be read.
Result<std::string> exec_info(const ClientConfig& config, const ExecConfig& exec, bool interactive);

/// Parses the plugin's output, JSON or YAML. Errors: auth, with client-go's messages.
Result<ExecAnswer> read_exec_credential(std::string_view output, std::string_view api_version);

/// Creates the source of an exec plugin's credential, which is cached until it expires or the
/// server rejects it. `config.exec` must be set. `headers` are sent with the credential. `clock`
/// must outlive the source.
std::unique_ptr<CredentialSource> exec_credentials(const ClientConfig& config,
                                                   std::vector<std::string> headers,
                                                   CredentialOptions options, Clock& clock);

}  // namespace kinf
