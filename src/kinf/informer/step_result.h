// SPDX-License-Identifier: Apache-2.0
// StepResult, StepPart: the result and the argument of SharedInformer::step(), for programs that
// run an informer on their own thread.
#pragma once

#include "kinf/base/clock.h"

namespace kinf {

struct StepResult {
  bool moved = false;  ///< the step did some work; call step() again at once
  /// If `moved` is false: call step() again at this time, or earlier if the source has data or a
  /// handler is added.
  Clock::Mono wake = Clock::kNever;
};

/// The part of an informer that a step runs. Each part has a thread of its own after start().
enum class StepPart : unsigned char {
  all,        ///< the processor; the reflector if the processor has nothing to do
  processor,  ///< the processor and the handlers
  reflector,  ///< the reflector. Would wait forever while the queue has no room: see
              ///< `queue_capacity`
};

}  // namespace kinf
