// SPDX-License-Identifier: Apache-2.0
// The exit codes of the program: the one place that numbers them.
#pragma once

#include "kinf/base/error.h"

namespace kinf {

enum class ExitCode : int {
  ok = 0,
  other_error = 1,
  usage = 2,          ///< wrong command line, unknown type, expression that does not parse
  condition = 3,      ///< run --fail-fast: an object was given up
  not_found = 4,      ///< --must-exist, index -e
  denied = 5,         ///< 401 or 403 on everything asked for
  no_server = 6,      ///< refused, DNS, TLS, before the first sync
  timed_out = 124,    ///< --timeout, --sync-timeout
  interrupted = 130,  ///< SIGINT
  broken_pipe = 141,  ///< SIGPIPE
  terminated = 143,   ///< SIGTERM
};

/// The code a program ends with when `error` is what stopped it.
ExitCode exit_code_for(const Error& error);

}  // namespace kinf
