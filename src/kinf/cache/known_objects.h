// SPDX-License-Identifier: Apache-2.0
// KnownObjects: what a queue may ask of the store that is filled from it (client-go:
// KeyListerGetter), to tell which objects a new list no longer holds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/object.h"

namespace kinf {

/// Threads: every call from any thread; called with the queue's lock held, so an implementation
/// must not call the queue.
class KnownObjects {
 public:
  virtual ~KnownObjects() = default;
  /// In no particular order.
  virtual std::vector<std::string> list_keys() const = 0;
  /// Null if there is none.
  virtual ObjectPtr get_by_key(std::string_view key) const = 0;
};

}  // namespace kinf
