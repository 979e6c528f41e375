// SPDX-License-Identifier: Apache-2.0
// NamespaceFollower: joins and leaves namespaces of a command that reads them one by one.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "kinf/cli/selection/namespace_access.h"
#include "kinf/cli/selection/namespace_labels.h"
#include "kinf/cli/selection/watch_plan.h"

namespace kinf {

/// With --accessible, a new namespace that the user may not read is tried again for a minute,
/// because its rights are granted after it was created.
/// Threads: one owner.
class NamespaceFollower {
 public:
  /// Follows the namespaces that --namespace-selector selects, or all. Calls `changed` from any
  /// thread when update() must be called again. All references must outlive this object.
  static Result<std::unique_ptr<NamespaceFollower>> create(Connection& connection,
                                                           const InformerFlags& flags, Clock& clock,
                                                           std::function<void()> changed);

  /// Plans the informers of new namespaces. With --accessible, blocks on requests. Returns true if
  /// there are any.
  bool update(WatchPlan& plan);
  /// Returns when update() must be called next, even if nothing changes.
  Clock::Mono due() const { return due_; }
  /// Returns true if the namespace was deleted, or its labels match no longer.
  bool has_left(const std::string& ns) const;

 private:
  NamespaceFollower(Connection& connection, const InformerFlags& flags, Clock& clock)
      : connection_(connection), clock_(clock), checks_access_(flags.accessible) {}
  bool may_join(const NamespacedType& type, const std::string& ns);

  Connection& connection_;
  Clock& clock_;
  const bool checks_access_;
  std::atomic<bool> is_changed_ = false;
  Clock::Mono due_ = Clock::kNever;
  std::map<std::string, Clock::Mono> first_seen_;  ///< new namespaces that cannot be joined yet
  std::set<std::string> left_out_;           ///< namespaces beyond the limit, already reported
  std::unique_ptr<NamespaceLabels> labels_;  ///< last: its informer sets is_changed_
};

}  // namespace kinf
