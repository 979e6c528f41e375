// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/runtime/exit_code.h"

namespace kinf {

ExitCode exit_code_for(const Error& error) {
  switch (error.kind) {
    case ErrorKind::usage:
      // A request that the server rejects is not a usage error of the command line.
      return error.status == nullptr ? ExitCode::usage : ExitCode::other_error;
    case ErrorKind::auth:
    case ErrorKind::forbidden: return ExitCode::denied;
    case ErrorKind::not_found: return ExitCode::not_found;
    case ErrorKind::network: return ExitCode::no_server;
    case ErrorKind::stopped: return ExitCode::ok;
    default: return ExitCode::other_error;
  }
}

}  // namespace kinf
