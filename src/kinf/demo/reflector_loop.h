// SPDX-License-Identifier: Apache-2.0
// The common loop of the two reflector stages: a reflector fills a DeltaFifo, and the loop pops it.
#pragma once

#include "kinf/cache/delta_fifo.h"
#include "kinf/demo/stage.h"

namespace kinf {

/// What a stage does with what the loop pops.
struct ReflectorSteps {
  /// Called for each delta, after it was printed.
  std::function<Result<>(const Delta&)> apply;
  /// Called after each event of the watch that the queue ignored, with its resourceVersion. May be
  /// empty.
  std::function<void(const std::string& version)> ignored;
};

/// Prints every delta, until the scenario ends or stop.
Result<> reflect_pods(Demo& demo, DeltaFifo& queue, const ReflectorSteps& steps);

}  // namespace kinf
