// SPDX-License-Identifier: Apache-2.0
// WatchListMemory: which types of one server have proved not to do streaming lists, shared by all
// sources of that server.
#pragma once

#include <set>

#include "kinf/api/group_version_resource.h"
#include "kinf/base/sync.h"

namespace kinf {

/// Threads: any.
class WatchListMemory {
 public:
  bool has_given_up(const GroupVersionResource& type) const {
    MutexLock lock(mu_);
    return given_up_.contains(type);
  }
  void give_up(const GroupVersionResource& type) {
    MutexLock lock(mu_);
    given_up_.insert(type);
  }

 private:
  mutable Mutex mu_;
  std::set<GroupVersionResource> given_up_ KINF_GUARDED_BY(mu_);
};

}  // namespace kinf
