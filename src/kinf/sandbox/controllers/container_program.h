// SPDX-License-Identifier: Apache-2.0
// ContainerProgram: how long a container of the sandbox runs, and its exit code. Nothing is really
// executed. The command of the container decides: `false`, `sleep 5`, `sh -c "echo hello; exit 3"`.
// The annotation `sandbox.kinf/exit: CODE[ after DURATION]` of the pod overrides it.
#pragma once

#include <chrono>
#include <optional>

#include "kinf/sandbox/store/ordered_json.h"

namespace kinf::sandbox {

constexpr const char* kExitAnnotation = "sandbox.kinf/exit";

struct ContainerProgram {
  /// How long the container runs at speed 1. Empty means until it is stopped.
  std::optional<std::chrono::duration<double>> runs;
  int exit_code = 0;
};

/// Returns the program of a container. A command that the sandbox does not know runs until it is
/// stopped, except in pods of Jobs and in init containers, where it succeeds after a second.
ContainerProgram program_of(const Json& pod, const Json& container, bool is_init);

}  // namespace kinf::sandbox
