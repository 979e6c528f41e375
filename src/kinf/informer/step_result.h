// SPDX-License-Identifier: Apache-2.0
// StepResult: the result of SharedInformer::step(), for programs that run an informer on their own
// thread.
#pragma once

#include "kinf/base/clock.h"

namespace kinf {

struct StepResult {
  bool moved = false;  ///< the step did some work; call step() again at once
  /// If `moved` is false: call step() again at this time, or earlier if the source has data or a
  /// handler is added.
  Clock::Mono wake = Clock::kNever;
};

}  // namespace kinf
