// SPDX-License-Identifier: Apache-2.0
// OwnerLoop: the base of controllers that own objects, such as ReplicaSets and their pods. Calls
// reconcile() for each owner that has changed or whose children have changed.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kinf/sandbox/api/object_filter.h"
#include "kinf/sandbox/controllers/cluster.h"

namespace kinf::sandbox {

/// Threads: not thread-safe.
class OwnerLoop : public ClusterController {
 public:
  /// `type` is the storage key of the owners, and `child` is the storage key of the objects that
  /// they control. `component` is the name of the controller in Events. If `adopts` is true, owners
  /// adopt children that match their selector, and release children that do not.
  OwnerLoop(Cluster& cluster, std::string type, std::string child, std::string component,
            bool adopts);

  void observe(const MirrorChange& change) override;
  void act() override;
  Clock::Mono next() const override;

 protected:
  /// Brings the children of `owner` closer to its spec, and updates its status.
  virtual void reconcile(const Json& owner) = 0;
  /// Called with the uid of an owner that was deleted.
  virtual void forget(const std::string& uid) { (void)uid; }

  /// Schedules reconcile() after `delay`, divided by the speed of the sandbox.
  void again_after(const Json& owner, Cluster::Seconds delay);
  /// Returns whether `delay`, divided by the speed of the sandbox, has passed since `begin`. If
  /// not, schedules reconcile() for that time.
  bool has_passed(const Json& owner, Clock::Mono begin, Cluster::Seconds delay);
  /// Returns whether the pod has been ready for the owner's minReadySeconds. If the pod is ready
  /// but minReadySeconds have not passed yet, schedules reconcile() for later.
  bool is_available(const Json& owner, const Json& pod);
  /// Schedules reconcile() for all owners.
  void touch_all();
  /// Returns the children of an owner, after adoptions and releases.
  std::vector<StoredPtr> children(const Json& owner);
  /// Writes `status` to the owner if it differs from the owner's present status.
  void write_status(const Json& owner, const Json& status);
  /// Creates `child` for `owner`, with an owner reference and an Event.
  StoredPtr create_child(const Json& owner, Json child);
  /// Deletes a child and writes an Event. Returns false on failure.
  bool delete_child(const Json& owner, const StoredObject& child);
  /// Writes an Event about `owner`.
  void report(const Json& owner, std::string reason, std::string message,
              const char* type = "Normal");
  void warn(const Json& owner, std::string reason, std::string message) {
    report(owner, std::move(reason), std::move(message), "Warning");
  }

  const std::string type_;

 private:
  void plan(const ObjectKey& key, Clock::Mono at);
  void adopt(const Json& owner);
  void set_owned(const Json& owner, const StoredObject& child, bool is_owned);

  const std::string child_;
  const std::string component_;
  const bool adopts_;
  std::set<ObjectKey> dirty_;
  std::set<ObjectKey> orphans_;  ///< possible children without a controller
  std::map<ObjectKey, Clock::Mono> later_;
};

/// Returns an owner reference to `owner` with `controller: true`.
Json controller_reference_to(const Json& owner);
/// Returns the selector in `spec.selector`. An empty selector matches nothing.
LabelSelector selector_of(const Json& owner);
/// Returns whether the pod has succeeded or failed.
bool has_ended(const Json& pod);
/// Returns whether the pod has not ended and is not being deleted.
bool is_active_pod(const Json& pod);
/// Returns whether the pod is being deleted and has not ended.
bool is_leaving_pod(const Json& pod);
bool is_ready_pod(const Json& pod);
/// Sorts pods in the order in which to delete them: first pods without a node, then pods that are
/// not running, then pods that are not ready, and of equal pods the most recently changed.
void sort_for_deletion(std::vector<StoredPtr>& pods);
/// Sets `status[key]` to `count`. Does nothing if `count` is 0, because the API omits zeros.
void set_count(Json& status, const char* key, std::int64_t count);
/// Returns the first elements of `all`, at most `most`.
template <class T>
std::span<const T> first_of(const std::vector<T>& all, std::int64_t most) {
  const auto number = std::clamp<std::int64_t>(most, 0, std::ssize(all));
  return std::span(all).first(static_cast<std::size_t>(number));
}
/// Returns a new pod from a template, in the namespace of `owner`. The server generates its name.
Json pod_of_template(const Json& owner, const Json& pod_template);

}  // namespace kinf::sandbox
