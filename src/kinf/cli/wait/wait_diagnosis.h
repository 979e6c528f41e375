// SPDX-License-Identifier: Apache-2.0
// WaitDiagnosis: asks the server why `kinf wait` timed out: the recent Events about an object, and
// the names similar to one that does not exist.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "kinf/cli/connection/connection.h"
#include "kinf/cli/wait/wait_tracker.h"

namespace kinf {

/// Its requests end kPatience after it was created, with empty results. So do failures.
/// Threads: one owner; a thread of its own ends the requests.
class WaitDiagnosis {
 public:
  static constexpr std::chrono::seconds kPatience{1};

  /// Opens no connection yet. `connection` must outlive this object.
  explicit WaitDiagnosis(Connection& connection);
  WaitDiagnosis(const WaitDiagnosis&) = delete;
  WaitDiagnosis& operator=(const WaitDiagnosis&) = delete;

  /// Returns the last Events about an object, the newest last: `event 3s ago: Warning BackOff: …`.
  std::vector<std::string> recent_events(const AwaitedObject& object);
  /// Returns names of objects in the same namespace.
  std::vector<std::string> similar_names(const AwaitedObject& object);

 private:
  Result<std::string> get_list(const GroupVersionResource& gvr, const std::string& ns,
                               const ListOptions& options, std::string_view accept);

  Clock& clock_;
  std::unique_ptr<ApiClient> client_;  ///< null: the flags do not make a client
  std::stop_source limit_;
  std::jthread timer_;
};

}  // namespace kinf
