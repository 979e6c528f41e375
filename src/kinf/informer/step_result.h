// SPDX-License-Identifier: Apache-2.0
// StepResult: what one step of an informer did, for programs that pump it instead of starting its
// threads.
#pragma once

#include "kinf/base/clock.h"

namespace kinf {

struct StepResult {
  bool moved = false;                ///< something was done: call again at once
  Clock::Mono wake = Clock::kNever;  ///< otherwise: nothing to do before the source or this time
};

}  // namespace kinf
