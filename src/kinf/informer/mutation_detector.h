// SPDX-License-Identifier: Apache-2.0
// MutationDetector: finds cached objects that were written to, although they are shared and
// immutable (client-go: CacheMutationDetector). For debug builds, because it reads every byte.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "kinf/api/change.h"

namespace kinf {

/// Keeps a hash of each object that handlers got, while it is in the cache, and compares on
/// request. client-go keeps copies for some minutes and ends the process; this keeps no copy and
/// names the objects.
/// Threads: one owner.
class MutationDetector {
 public:
  /// A pass over all objects runs at most once in this time.
  static constexpr Clock::Duration kPeriod = std::chrono::seconds(1);

  /// Starts to check the object of an addition or update. Stops for a deletion, after a last check.
  void note(const Change& change);
  /// Checks all objects if the last pass was kPeriod ago.
  void check_if_due(Clock::Mono now);
  void check();
  /// The keys of the objects found modified since the last call, each object once.
  std::vector<std::string> take_found();

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
