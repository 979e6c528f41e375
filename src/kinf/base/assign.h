// SPDX-License-Identifier: Apache-2.0
// assign: stores the value of a Result in a variable, or returns the error. For functions that run
// several steps and stop at the first error.
#pragma once

#include <utility>

#include "kinf/base/error.h"

namespace kinf {

/// Moves the value of `result` to `target`, or returns the error of `result`.
template <class Target, class Value>
Result<void> assign(Target& target, Result<Value> result) {
  if (!result) return fail(result);
  target = *std::move(result);
  return {};
}

}  // namespace kinf
