// SPDX-License-Identifier: Apache-2.0
// user_call: calls user code from an informer.
#pragma once

#include <exception>
#include <string_view>

#include "kinf/base/log.h"
#include "kinf/informer/informer_counters.h"

namespace kinf {

/// Runs `call`. Catches, counts and logs exceptions; `what_failed` starts the log message.
template <class Call>
void user_call(InformerCounters& counters, std::string_view what_failed, const Call& call) {
  try {
    return call();
  } catch (const std::exception& thrown) {
    log::warning("{}: {}", what_failed, thrown.what());
  } catch (...) {
    log::warning("{}: exception of unknown type", what_failed);
  }
  InformerCounters::count(counters.handler_exceptions);
}

}  // namespace kinf
