// SPDX-License-Identifier: Apache-2.0
// NamespaceJoiner: joins and leaves namespaces of a command that reads them one by one.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "kinf/base/clock.h"
#include "kinf/base/error.h"

namespace kinf {

class Connection;
class InformerSet;
class NamespaceLabels;
struct InformerFlags;
struct NamespacedType;
struct WatchPlan;

/// Follows the namespaces that --namespace-selector selects, or all namespaces without this flag.
/// With --accessible, a new namespace that the user may not read is tried again for a minute,
/// because the right to read it is often granted after it was created.
/// Threads: one owner.
class NamespaceJoiner {
 public:
  /// Calls `changed` from any thread when update() must be called again. All references must
  /// outlive this object.
  static Result<std::unique_ptr<NamespaceJoiner>> create(Connection& connection, WatchPlan& plan,
                                                         const InformerFlags& flags, Clock& clock,
                                                         std::function<void()> changed);
  ~NamespaceJoiner();
  NamespaceJoiner(const NamespaceJoiner&) = delete;
  NamespaceJoiner& operator=(const NamespaceJoiner&) = delete;

  /// Joins new namespaces, and leaves those that were deleted or whose labels no longer match.
  /// `informers` must be the informers of the plan. With --accessible, blocks on requests.
  Result<void> update(InformerSet& informers);
  /// Returns when update() must be called next, even if nothing changes.
  Clock::Mono due() const { return due_; }

 private:
  NamespaceJoiner(Connection& connection, WatchPlan& plan, const InformerFlags& flags,
                  Clock& clock);
  /// Plans the informers of new namespaces. Returns whether there are any.
  bool plan_new();
  bool may_join(const NamespacedType& type, const std::string& ns);
  void leave(InformerSet& informers);

  Connection& connection_;
  WatchPlan& plan_;
  Clock& clock_;
  const bool checks_access_;
  std::atomic<bool> is_changed_ = false;
  Clock::Mono due_ = Clock::kNever;
  std::map<std::string, Clock::Mono> first_seen_;  ///< new namespaces that cannot be joined yet
  std::set<std::string> left_out_;           ///< namespaces beyond the limit, already reported
  std::unique_ptr<NamespaceLabels> labels_;  ///< destroyed first: its informer sets is_changed_
};

}  // namespace kinf
