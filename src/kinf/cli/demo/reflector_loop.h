// SPDX-License-Identifier: Apache-2.0
// The common loop of the two reflector stages: a reflector fills a DeltaFifo, and the loop pops it.
#pragma once

#include "kinf/cache/delta_fifo.h"
#include "kinf/cli/demo/stage.h"

namespace kinf {

/// Prints every delta and passes it to `apply`, until the scenario ends or stop.
Result<> reflect_pods(Demo& demo, DeltaFifo& queue,
                      const std::function<Result<>(const Delta&)>& apply);

}  // namespace kinf
