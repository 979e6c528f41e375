// SPDX-License-Identifier: Apache-2.0
// Behaviour: selects kinf's own guarantees or the exact behaviour of client-go.
#pragma once

namespace kinf {

/// Each class that differs documents how; src/README.md has the full list.
enum class Behaviour {
  strict,     ///< kinf's guarantees: no lost or invented changes, no partial writes
  client_go,  ///< the behaviour of client-go 0.37, which the golden vectors check
};

}  // namespace kinf
