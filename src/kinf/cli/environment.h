// SPDX-License-Identifier: Apache-2.0
// Environment: the variables and terminals of the process, read once and passed down. Nothing else
// in kinf reads environment variables or checks for terminals.
#pragma once

#include <string>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/client/config_choice.h"
#include "kinf/client/proxy.h"

namespace kinf {

struct Environment {
  std::vector<std::string> all;  ///< every variable as NAME=value, for programs we start
  ConfigEnvironment config;
  std::string cache_home;  ///< $XDG_CACHE_HOME
  ProxyEnvironment proxies;
  bool no_colour = false;      ///< $NO_COLOR says something
  bool force_colour = false;   ///< $CLICOLOR_FORCE does, and is not 0
  bool dumb_terminal = false;  ///< $TERM is `dumb`
  bool stdin_is_terminal = false;
  bool stdout_is_terminal = false;
  bool stderr_is_terminal = false;
};

Environment read_environment();

/// Makes `name`, such as Europe/Berlin, UTC or Local, the time zone of the process. A usage error
/// if the system does not know it. To be called before there are other threads that ask for times.
Result<void> set_time_zone(const std::string& name);

}  // namespace kinf
