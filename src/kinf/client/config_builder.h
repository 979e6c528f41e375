// SPDX-License-Identifier: Apache-2.0
// Builds a ClientConfig from a merged Kubeconfig and kubectl's flags, with client-go's rules and
// error messages (clientcmd: DirectClientConfig). config_choice.h selects the files to merge. All
// functions may be called from any thread.
#pragma once

#include <string>

#include "kinf/base/error.h"
#include "kinf/client/client_config.h"
#include "kinf/client/kubeconfig.h"

namespace kinf {

struct ConfigOverrides;  // client/config_choice.h

/// Builds the configuration of the selected context. Blocks on the disk: checks that the files it
/// names are readable, and reads a token file. Ignores TLS settings and credentials unless the
/// server uses https. Errors: usage, for a name that does not exist, or with all problems of the
/// selected entries.
Result<ClientConfig> build_client_config(const Kubeconfig& config,
                                         const ConfigOverrides& overrides);

/// A default namespace and its source.
struct NamespaceChoice {
  std::string name;
  NamespaceOrigin origin = NamespaceOrigin::built_in;
};

/// Returns whether build_client_config() failed because nothing is configured, so that the caller
/// may try another source (client-go: IsEmptyConfig).
bool is_empty_config(const Error& error);

/// Parses a number of seconds (`7`) or a Go duration (`1m30s`). Zero means no limit. Errors: usage,
/// also for negative values (client-go accepts `-5s`).
Result<std::chrono::nanoseconds> parse_timeout(std::string_view text);

}  // namespace kinf
