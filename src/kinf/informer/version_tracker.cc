// SPDX-License-Identifier: Apache-2.0
#include "kinf/informer/version_tracker.h"

#include <utility>

#include "kinf/informer/resource_version.h"

namespace kinf {

std::string VersionTracker::last() const {
  MutexLock lock(mu_);
  return last_;
}

std::string VersionTracker::for_list() const {
  if (unavailable_) return "";
  std::string version = last();
  return version.empty() ? "0" : version;
}

std::string VersionTracker::for_stream() const { return unavailable_ ? "" : last(); }

void VersionTracker::listed(std::string resource_version) {
  unavailable_ = false;
  fresh_from_list_ = true;
  ordered_ = true;
  MutexLock lock(mu_);
  last_ = std::move(resource_version);
}

void VersionTracker::watch_started() {
  const std::string from = last();
  ordered_ = !from.empty() && from != "0";
}

void VersionTracker::took(const WatchEvent& event) {
  if (event.type != WatchEventType::added) ordered_ = true;
  if (!ordered_) return;
  MutexLock lock(mu_);
  if (behaviour_ == Behaviour::strict &&
      (event.resource_version.empty() || is_older_version(event.resource_version, last_))) {
    return;
  }
  fresh_from_list_ = false;
  last_ = event.resource_version;
}

}  // namespace kinf
