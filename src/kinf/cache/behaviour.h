// SPDX-License-Identifier: Apache-2.0
// Behaviour: whether kinf keeps its own promises or copies client-go to the corner.
#pragma once

namespace kinf {

/// Where the two differ, the class that differs says how; the whole list stands in src/README.md.
enum class Behaviour {
  strict,     ///< kinf's promises: nothing lost, nothing invented, no half-done write
  client_go,  ///< what client-go 0.37 does; what the golden vectors check
};

}  // namespace kinf
