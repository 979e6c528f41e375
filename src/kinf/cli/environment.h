// SPDX-License-Identifier: Apache-2.0
// Environment: what the program finds around itself, read once and passed down. Nothing else in
// kinf reads environment variables or asks about terminals.
#pragma once

#include <string>
#include <vector>

#include "kinf/client/proxy.h"

namespace kinf {

struct Environment {
  std::vector<std::string> all;  ///< every variable as NAME=value, for programs we start
  std::string kubeconfig;        ///< $KUBECONFIG
  std::string home;
  std::string cache_home;    ///< $XDG_CACHE_HOME
  std::string service_host;  ///< $KUBERNETES_SERVICE_HOST
  std::string service_port;
  ProxyEnvironment proxies;
  bool no_colour = false;      ///< $NO_COLOR says something
  bool force_colour = false;   ///< $CLICOLOR_FORCE does, and is not 0
  bool dumb_terminal = false;  ///< $TERM is `dumb`
  bool stdin_is_terminal = false;
  bool stdout_is_terminal = false;
  bool stderr_is_terminal = false;
};

Environment read_environment();

}  // namespace kinf
