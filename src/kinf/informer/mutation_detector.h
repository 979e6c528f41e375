// SPDX-License-Identifier: Apache-2.0
// MutationDetector: finds cached objects that were modified although they are shared and immutable
// (client-go: CacheMutationDetector). Meant for debug builds, because it reads every byte.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kinf/api/change.h"

namespace kinf {

/// Finds cached objects that were modified. Keeps a hash of each cached object that handlers
/// received, and compares it in check(). Differs from client-go, which copies the objects and ends
/// the process: this class keeps no copies and returns the keys.
/// Threads: one thread at a time.
class MutationDetector {
 public:
  /// The minimum time between two checks of all objects.
  static constexpr Clock::Duration kPeriod = std::chrono::seconds(1);

  /// Starts to check the object of an addition or update. After a deletion, checks the object a
  /// last time and forgets it.
  void note(const Change& change);
  /// Calls check() if the last check was at least kPeriod ago.
  void check_if_due(Clock::Mono now);
  /// Checks all objects.
  void check();
  /// Returns the keys of the objects found modified since the last call. Each modification is
  /// reported once.
  std::vector<std::string> take_found() { return std::exchange(found_, {}); }

 private:
  struct Noted {
    ObjectPtr object;
    std::size_t hash = 0;
  };

  void look_at(const std::string& key, Noted& noted);

  std::unordered_map<std::string, Noted> noted_;
  std::vector<std::string> found_;
  Clock::Mono last_check_{};
};

}  // namespace kinf
