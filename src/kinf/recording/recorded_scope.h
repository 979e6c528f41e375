// SPDX-License-Identifier: Apache-2.0
// RecordedScope: what one informer of a recording selects.
#pragma once

#include <string>

#include "kinf/recording/recorded_type.h"

namespace kinf {

struct RecordedScope {
  RecordedType type;
  std::string ns;    ///< empty: all namespaces, or a cluster-scoped type
  std::string name;  ///< empty: all objects
  std::string label_selector;
  std::string field_selector;
  /// A namespace that was joined while others were recorded: its list is none of the first ones.
  bool is_late = false;

  /// Returns true if the objects are Secrets.
  bool is_secret() const;
  /// Returns the flags that select the scope, quoted for a shell: `-n shop -l app=web`.
  std::string flags_text() const;
};

}  // namespace kinf
