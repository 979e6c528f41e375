// SPDX-License-Identifier: Apache-2.0
// MutationDetector: finds out that somebody wrote into an object of the cache, which all share and
// nobody may change (client-go: CacheMutationDetector). For debug builds: it reads every byte.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/informer/notification.h"

namespace kinf {

/// Keeps a hash of each object that handlers were shown, for as long as it is in the cache, and
/// compares when asked. client-go keeps copies for some minutes and ends the process; this keeps
/// no copy and names the objects.
/// Threads: one owner.
class MutationDetector {
 public:
  /// What a pass over all objects costs is spent at most once in this time.
  static constexpr Clock::Duration kPeriod = std::chrono::seconds(1);

  /// Takes an object in, or lets it go after a last look.
  void note(const Notification& notification);
  /// Looks at all objects if the last pass was kPeriod ago.
  void check_if_due(Clock::Mono now);
  void check();
  /// The keys of the objects found changed since the last call, each object once.
  std::vector<std::string> take_found();

 private:
  struct Noted {
    ObjectPtr object;
    std::size_t hash = 0;
  };

  void look_at(const std::string& key, Noted& noted);
  void show(ObjectPtr object);

  std::unordered_map<std::string, Noted> noted_;
  std::vector<std::string> found_;
  Clock::Mono last_check_{};
};

}  // namespace kinf
