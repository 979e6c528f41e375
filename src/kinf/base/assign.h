// SPDX-License-Identifier: Apache-2.0
// assign: takes the value of a Result, for functions that return the first error of several steps.
#pragma once

#include <utility>

#include "kinf/base/error.h"

namespace kinf {

/// Moves the value of `result` to `target`, or returns its error.
template <class Target, class Value>
Result<void> assign(Target& target, Result<Value> result) {
  if (!result) return fail(result);
  target = *std::move(result);
  return {};
}

}  // namespace kinf
