// SPDX-License-Identifier: Apache-2.0
// WatchListMemory: the types for which streaming lists have failed on one server. Shared by all
// HttpListerWatchers of that server.
#pragma once

#include <set>

#include "kinf/api/group_version_resource.h"
#include "kinf/base/sync.h"

namespace kinf {

/// Threads: every call from any thread.
class WatchListMemory {
 public:
  /// Returns whether give_up() was called for `type`.
  bool has_given_up(const GroupVersionResource& type) const {
    MutexLock lock(mu_);
    return given_up_.contains(type);
  }
  /// Records that streaming lists of `type` do not work.
  void give_up(const GroupVersionResource& type) {
    MutexLock lock(mu_);
    given_up_.insert(type);
  }

 private:
  mutable Mutex mu_;
  std::set<GroupVersionResource> given_up_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
