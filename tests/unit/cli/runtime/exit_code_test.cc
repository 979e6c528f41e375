// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/runtime/exit_code.h"

#include <doctest/doctest.h>

#include "kinf/api/api_status.h"

namespace kinf {
namespace {

TEST_CASE("the exit codes have their documented numbers") {
  struct Case {
    ExitCode code;
    int number;
  };
  for (const Case& one :
       {Case{ExitCode::ok, 0}, Case{ExitCode::other_error, 1}, Case{ExitCode::usage, 2},
        Case{ExitCode::condition, 3}, Case{ExitCode::not_found, 4}, Case{ExitCode::denied, 5},
        Case{ExitCode::no_server, 6}, Case{ExitCode::timed_out, 124},
        Case{ExitCode::interrupted, 130}, Case{ExitCode::broken_pipe, 141},
        Case{ExitCode::terminated, 143}}) {
    CHECK(static_cast<int>(one.code) == one.number);
  }
}

TEST_CASE("each kind of error has its exit code") {
  struct Case {
    ErrorKind kind;
    ExitCode code;
  };
  for (const Case& one :
       {Case{ErrorKind::usage, ExitCode::usage}, Case{ErrorKind::auth, ExitCode::denied},
        Case{ErrorKind::forbidden, ExitCode::denied},
        Case{ErrorKind::not_found, ExitCode::not_found},
        Case{ErrorKind::network, ExitCode::no_server}, Case{ErrorKind::stopped, ExitCode::ok},
        Case{ErrorKind::already_exists, ExitCode::other_error},
        Case{ErrorKind::conflict, ExitCode::other_error},
        Case{ErrorKind::expired, ExitCode::other_error},
        Case{ErrorKind::throttled, ExitCode::other_error},
        Case{ErrorKind::unavailable, ExitCode::other_error},
        Case{ErrorKind::protocol, ExitCode::other_error},
        Case{ErrorKind::internal, ExitCode::other_error}}) {
    CAPTURE(static_cast<int>(one.kind));
    CHECK(exit_code_for(Error(one.kind, "it failed")) == one.code);
  }
}

TEST_CASE("a request that the server rejects is not a usage error") {
  Error error(ErrorKind::usage, "the field selector is not supported");
  CHECK(exit_code_for(error) == ExitCode::usage);
  error.status = std::make_shared<const ApiStatus>();
  CHECK(exit_code_for(error) == ExitCode::other_error);
}

}  // namespace
}  // namespace kinf
