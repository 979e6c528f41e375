// SPDX-License-Identifier: Apache-2.0
// OwnerLoop: the base of controllers that own objects, such as ReplicaSets and their pods. Calls
// reconcile() for each owner that has changed, or whose children have.
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

/// Threads: one owner.
class OwnerLoop : public ClusterController {
 public:
  /// `type` is the storage key of the owners, `child` that of the objects they control. `component`
  /// is the name of the controller in Events. `adopts`: whether owners adopt children that match
  /// their selector and release others.
  OwnerLoop(Cluster& cluster, std::string type, std::string child, std::string component,
            bool adopts);

  void observe(const MirrorChange& change) override;
  void act() override;
  Clock::Mono next() const override;

 protected:
  /// Brings the children of `owner` closer to what it asks for, and updates its status.
  virtual void reconcile(const Json& owner) = 0;
  /// Called with the uid of an owner that is gone.
  virtual void forget(const std::string& uid) { (void)uid; }

  /// Schedules reconcile() after `delay`, divided by the speed of the sandbox.
  void again_after(const Json& owner, Cluster::Seconds delay);
  /// Returns whether `delay`, divided by the speed of the sandbox, has passed since `begin`. If
  /// not, schedules reconcile() for that time.
  bool has_passed(const Json& owner, Clock::Mono begin, Cluster::Seconds delay);
  /// Returns whether the pod has been ready for the owner's minReadySeconds. If it is ready, calls
  /// reconcile() again when they have passed.
  bool is_available(const Json& owner, const Json& pod);
  /// Calls reconcile() for all owners.
  void touch_all();
  /// Returns the children of an owner, after adoptions and releases.
  std::vector<StoredPtr> children(const Json& owner);
  /// Writes the status if it differs from that of `owner`.
  void write_status(const Json& owner, const Json& status);
  /// Creates `child` in the name of `owner`, with an owner reference and an Event.
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

/// Returns an owner reference to `owner` as its controller.
Json controller_reference_to(const Json& owner);
/// Returns the selector of `spec.selector`. An empty one matches nothing.
LabelSelector selector_of(const Json& owner);
/// Returns whether the pod has succeeded or failed.
bool has_ended(const Json& pod);
/// Returns whether the pod has not ended and is not being deleted.
bool is_active_pod(const Json& pod);
/// Returns whether the pod is being deleted and has not ended.
bool is_leaving_pod(const Json& pod);
bool is_ready_pod(const Json& pod);
/// Sorts pods so that those to delete first are first: without a node, pending, not ready, most
/// recently created.
void sort_for_deletion(std::vector<StoredPtr>& pods);
/// Sets `status[key]` to a count, which the API omits if it is 0.
void set_count(Json& status, const char* key, std::int64_t count);
/// Returns the first `most` of `all`, or fewer if there are not as many.
template <class T>
std::span<const T> first_of(const std::vector<T>& all, std::int64_t most) {
  const auto number = std::clamp<std::int64_t>(most, 0, std::ssize(all));
  return std::span(all).first(static_cast<std::size_t>(number));
}
/// Returns a new pod of a template, without a name. Children of a set share its namespace.
Json pod_of_template(const Json& owner, const Json& pod_template);

}  // namespace kinf::sandbox
