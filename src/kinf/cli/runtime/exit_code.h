// SPDX-License-Identifier: Apache-2.0
// The exit codes of kinf.
#pragma once

#include "kinf/base/error.h"

namespace kinf {

enum class ExitCode : int {
  ok = 0,
  other_error = 1,
  usage = 2,      ///< bad command line, unknown type, invalid expression
  condition = 3,  ///< run --fail-fast: no retries left; wait --fail-on: a condition held
  not_found = 4,  ///< no such object (get NAME, --must-exist), no match (index -e)
  denied = 5,  ///< 401 or 403 for all requested types; in get and index, for at least one of them
  no_server = 6,      ///< connection refused, DNS or TLS error before the initial list
  timed_out = 124,    ///< the time of --timeout or --sync-timeout is up
  interrupted = 130,  ///< SIGINT
  broken_pipe = 141,  ///< SIGPIPE
  terminated = 143,   ///< SIGTERM
};

/// Returns the exit code for a command that failed with `error`.
ExitCode exit_code_for(const Error& error);

}  // namespace kinf
