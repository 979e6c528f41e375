// SPDX-License-Identifier: Apache-2.0
// What the two stages about the reflector have in common: a loop that lets a reflector fill a
// DeltaFifo and empties it.
#pragma once

#include "kinf/cache/delta_fifo.h"
#include "kinf/cli/demo/stage.h"

namespace kinf {

/// Prints every delta and hands it to `apply`, until all has been seen.
Result<> reflect_pods(Demo& demo, DeltaFifo& queue,
                      const std::function<Result<>(const Delta&)>& apply);

}  // namespace kinf
