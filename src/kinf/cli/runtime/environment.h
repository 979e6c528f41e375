// SPDX-License-Identifier: Apache-2.0
// Environment: the environment variables and terminal state of the process, read once at startup.
// No other code reads environment variables, except client/client_environment.cc.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "kinf/base/error.h"
#include "kinf/client/config_choice.h"

namespace kinf {

struct Environment : ClientEnvironment {
  std::string cache_home;          ///< $XDG_CACHE_HOME
  std::string temp_folder;         ///< $TMPDIR, else /tmp
  std::string config_home;         ///< $XDG_CONFIG_HOME
  std::string config_file;         ///< $KINF_CONFIG
  std::string completion_timeout;  ///< $KINF_COMPLETION_TIMEOUT
  bool no_colour = false;          ///< $NO_COLOR is not empty
  bool force_colour = false;       ///< $CLICOLOR_FORCE is neither empty nor 0
  bool dumb_terminal = false;      ///< $TERM is `dumb`
  /// $KUBE_CACHE_MUTATION_DETECTOR, as Go reads it; empty if it is not set or not valid. See
  /// InformerOptions::detect_mutations.
  std::optional<bool> detect_mutations{};
  std::size_t columns = 0;  ///< $COLUMNS; 0 if it is not a positive number
  bool stdout_is_terminal = false;
  bool stderr_is_terminal = false;

  /// Returns whether the user sees both outputs on terminals. Notices about the progress would
  /// disturb a pager such as less, which reads stdout from a pipe.
  bool has_two_terminals() const { return stdout_is_terminal && stderr_is_terminal; }
};

Environment read_environment();

/// Returns a function that returns the width of the terminal on stdout in cells: $COLUMNS, else the
/// current width, else 0. Returns an empty function if stdout is not a terminal.
std::function<std::size_t()> stdout_width(const Environment& environment);

/// Checks that the system knows the time zone `name`, such as Europe/Berlin, UTC or Local. An empty
/// `name` means the time zone of the process. Errors: usage.
Result<void> check_time_zone(const std::string& name);
/// Sets the time zone of the process to `name`, which check_time_zone() has accepted. Call it
/// before other threads convert times.
void set_time_zone(const std::string& name);

}  // namespace kinf
