// SPDX-License-Identifier: Apache-2.0
// WaitTimeout: reports why `kinf wait` timed out.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kinf/base/clock.h"
#include "kinf/cli/wait/wait_tracker.h"

namespace kinf {

class WaitDiagnosis;
struct Session;

/// Writes an error to stderr, naming its cluster, and indented lines after it.
void report_lines(const std::string& cluster, const std::string& error,
                  const std::vector<std::string>& lines);

/// Threads: one owner.
class WaitTimeout {
 public:
  /// `sessions`: by the rank of the cluster; null for those that were not opened. `is_once`: the
  /// conditions were checked only once. All references must outlive this object.
  WaitTimeout(const WaitTracker& tracker, const std::vector<Session*>& sessions, bool is_once,
              Clock& clock);
  ~WaitTimeout();

  /// Writes one error for each object that does not satisfy the goal, or one error for all of them.
  /// Blocks on requests, for a second or two.
  void report();

 private:
  void report_unsynced();
  void report_object(const AwaitedObject& object);
  std::vector<std::string> reasons_of(const AwaitedObject& object);

  const WaitTracker& tracker_;
  const std::vector<Session*>& sessions_;
  const bool is_once_;
  Clock& clock_;
  std::map<std::size_t, std::unique_ptr<WaitDiagnosis>> diagnoses_;  ///< by the rank of the cluster
};

}  // namespace kinf
