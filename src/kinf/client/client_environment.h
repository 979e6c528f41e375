// SPDX-License-Identifier: Apache-2.0
// ClientEnvironment: the part of the process environment that a connection to an API server uses.
#pragma once

#include <string>
#include <vector>

#include "kinf/client/config_choice.h"
#include "kinf/client/proxy.h"

namespace kinf {

struct ClientEnvironment {
  std::vector<std::string> all;  ///< all variables as NAME=value, for credential plugins
  ConfigEnvironment config;
  ProxyEnvironment proxies;
  bool stdin_is_terminal = false;  ///< a credential plugin may ask the user
};

/// Reads the environment of this process. Do not call it while another thread changes variables.
ClientEnvironment read_client_environment();

}  // namespace kinf
