// SPDX-License-Identifier: Apache-2.0
// LocalSandbox: the embedded API server behind --sandbox, reached over loopback like any other.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"
#include "kinf/client/client_config.h"
#include "kinf/sandbox/sandbox.h"

namespace kinf {

/// Threads: one owner; the server's own threads end with it.
class LocalSandbox {
 public:
  /// `play`: the story is told as soon as somebody watches; else all stays as it is at first. A
  /// usage error for a scenario that is unknown or wrong.
  /// `speed`: 2 tells it in half the time.
  static Result<std::unique_ptr<LocalSandbox>> start(const std::string& scenario, bool play,
                                                     double speed, Clock& clock);

  /// How to reach it.
  ClientConfig config() const;
  /// The scenario is over; its last changes may still be on their way.
  bool is_over() const { return sandbox_.scenario_ended().has_value(); }
  /// Whether who has come to `version` has seen all of the scenario, which must be over.
  bool has_all(std::string_view version) const;
  /// Whether who has come to `version` has seen the newest change.
  bool has_come_to_now(std::string_view version) const;
  Sandbox& server() { return sandbox_; }

 private:
  LocalSandbox(SandboxOptions options, Clock& clock) : sandbox_(std::move(options), clock) {}

  Sandbox sandbox_;
};

}  // namespace kinf
