// SPDX-License-Identifier: Apache-2.0
// ExecCredential: the document by which we and an exec plugin talk (client.authentication.k8s.io,
// v1 and v1beta1). Pure text; exec_plugin.h runs the program.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/client/client_config.h"

namespace kinf {

struct ExecAnswer {
  std::string token;
  std::string cert_pem;
  std::string key_pem;
  std::optional<Clock::Wall> expires;  ///< none: valid until refused
};

/// What KUBERNETES_EXEC_INFO holds. Reads the CA file when the plugin is to know the cluster.
/// Errors: usage.
Result<std::string> exec_info(const ClientConfig& config, const ExecConfig& exec, bool interactive);

/// What the plugin printed, JSON or YAML. Errors: auth, in client-go's words.
Result<ExecAnswer> read_exec_credential(std::string_view output, std::string_view api_version);

}  // namespace kinf
