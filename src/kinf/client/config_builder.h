// SPDX-License-Identifier: Apache-2.0
// Makes a ClientConfig from a merged Kubeconfig and kubectl's flags, with client-go's rules and
// error texts (clientcmd: DirectClientConfig). config_choice.h decides which files to merge. All
// functions may be called from any thread.
#pragma once

#include <string>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/client/client_config.h"
#include "kinf/client/kubeconfig.h"

namespace kinf {

/// kubectl's flags. Empty or false: not given. Paths are relative to the working folder.
struct ConfigOverrides {
  std::string context;
  std::string cluster;
  std::string user;
  std::string name_space;
  std::string server;
  std::string token;
  std::string username;
  std::string password;
  std::string as;
  std::string as_uid;
  std::vector<std::string> as_groups;
  bool insecure = false;
  std::string tls_server_name;
  std::string proxy_url;
  std::string timeout;
  bool disable_compression = false;
  std::string ca_file;
  std::string client_cert;
  std::string client_key;
};

/// Builds the configuration of the selected context. Blocks on the disk: checks that the files it
/// names can be read, and reads a token file. Leaves credentials out unless the server is https.
/// Errors: usage, for a name that does not exist and for all that is wrong with the selected
/// entries.
Result<ClientConfig> build_client_config(const Kubeconfig& config,
                                         const ConfigOverrides& overrides);

/// A default namespace and where it comes from.
struct NamespaceChoice {
  std::string name;
  NamespaceOrigin origin = NamespaceOrigin::built_in;
};

/// Returns the flag's namespace, else the context's, else `default`. With the flag, a broken
/// configuration is no error, unlike in build_client_config(). Errors: usage.
Result<NamespaceChoice> choose_namespace(const Kubeconfig& config,
                                         const ConfigOverrides& overrides);

/// Whether build_client_config() failed because nothing is configured at all, so that another
/// source may be tried (client-go: IsEmptyConfig).
bool is_empty_config(const Error& error);

/// Parses a number of seconds (`7`) or a Go duration (`1m30s`); zero means no limit. Errors: usage,
/// also for a negative one (client-go accepts `-5s`).
Result<std::chrono::nanoseconds> parse_timeout(std::string_view text);

}  // namespace kinf
