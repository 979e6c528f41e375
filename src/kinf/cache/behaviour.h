// SPDX-License-Identifier: Apache-2.0
// Behaviour: whether kinf keeps its own promises or does exactly what client-go does.
#pragma once

namespace kinf {

/// Each class that differs says how; src/README.md has the whole list.
enum class Behaviour {
  strict,     ///< kinf's promises: nothing lost, nothing invented, no half-done write
  client_go,  ///< what client-go 0.37 does; what the golden vectors check
};

}  // namespace kinf
