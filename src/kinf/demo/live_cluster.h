// SPDX-License-Identifier: Apache-2.0
// LiveCluster: the pods of the diagram's API server. Counts versions and remembers changes.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/lister_watcher.h"

namespace kinf {

/// Threads: one.
class LiveCluster {
 public:
  /// Creates the next pod. Returns its name.
  std::string add_pod();
  /// Changes the phase of the pod that was changed least recently. Returns its name, or an empty
  /// string if there is no pod.
  std::string update_pod();
  /// Deletes the oldest pod. Returns its name, or an empty string if there is no pod.
  std::string delete_pod();
  /// Adds the label checked=yes to a pod, if it exists.
  void label_pod(std::string_view name);
  /// Forgets all earlier changes, so that no watch can resume from an older version.
  void forget_changes();

  std::uint64_t version() const { return version_; }
  /// Returns the first version from which a watch can resume.
  std::uint64_t oldest() const { return oldest_; }
  std::size_t size() const { return pods_.size(); }
  /// Returns the pods, the oldest first.
  std::vector<ObjectPtr> pods() const;
  /// Returns the first change after `version`, or null.
  const WatchEvent* change_after(std::uint64_t version) const;

 private:
  /// Stores a new state of a pod and remembers the change.
  void change(WatchEventType type, int number, std::string_view phase, bool is_labelled);

  int last_pod_ = 0;
  std::uint64_t version_ = 0;
  std::uint64_t oldest_ = 0;
  std::map<int, ObjectPtr> pods_;  ///< by number
  std::deque<WatchEvent> history_;
};

/// Returns whether a pod has the label that label_pod() adds.
bool has_checked_label(const Object& pod);
/// Returns the version of an object of the cluster as a number.
std::uint64_t version_of(const Object& object);

}  // namespace kinf
