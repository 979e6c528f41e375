// SPDX-License-Identifier: Apache-2.0
// From a merged Kubeconfig and kubectl's flags to one ClientConfig, with client-go's rules and
// error texts (clientcmd's DirectClientConfig). Which files to merge is config_choice's business.
#pragma once

#include <string>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/client/client_config.h"
#include "kinf/client/kubeconfig.h"

namespace kinf {

/// kubectl's flags; empty or false = not given. Paths are relative to the working folder.
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

/// Checks that the files named can be read, and reads a token file: blocks on the disk. Everything
/// that names us is left out unless the server is https, as the flags would be sent in clear text.
/// Errors: usage.
Result<ClientConfig> build_client_config(const Kubeconfig& config,
                                         const ConfigOverrides& overrides);

struct NamespaceChoice {
  std::string name;
  NamespaceOrigin origin = NamespaceOrigin::built_in;
};

/// The flag, else the context's, else `default`. Asks less than build_client_config(): the flag
/// wins over any broken config. Errors: usage.
Result<NamespaceChoice> choose_namespace(const Kubeconfig& config,
                                         const ConfigOverrides& overrides);

/// Whether building failed because nothing is configured at all, so that another source may be
/// tried (client-go's IsEmptyConfig).
bool is_empty_config(const Error& error);

/// `7` are seconds, else a Go duration; zero is none. Negative ones are refused (client-go takes
/// `-5s`). Errors: usage.
Result<std::chrono::nanoseconds> parse_timeout(std::string_view text);

}  // namespace kinf
