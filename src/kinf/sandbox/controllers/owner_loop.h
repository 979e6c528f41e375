// SPDX-License-Identifier: Apache-2.0
// OwnerLoop: the base of controllers that own objects, such as ReplicaSets and their pods. Calls
// reconcile() for each owner that has changed, or whose children have.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "kinf/api/selectors.h"
#include "kinf/sandbox/controllers/cluster.h"

namespace kinf::sandbox {

constexpr const char* kControllerManager = "kube-controller-manager";

/// Threads: one owner.
class OwnerLoop : public ClusterController {
 public:
  /// `type` is the storage key of the owners, `child` that of the objects they control. `adopts`:
  /// whether owners adopt children that match their selector and release others.
  OwnerLoop(Cluster& cluster, std::string type, std::string child, bool adopts);

  void observe(const MirrorChange& change) override;
  void act() override;
  Clock::Mono next() const override;

 protected:
  /// Brings the children of `owner` closer to what it asks for, and updates its status.
  virtual void reconcile(const ObjectId& id, const Json& owner) = 0;

  /// Calls reconcile() again after `delay`, at speed 1.
  void again_after(const ObjectId& id, Cluster::Seconds delay);
  /// Returns whether `delay`, at speed 1, has passed since `begin`. Otherwise calls reconcile()
  /// again when it has.
  bool has_passed(const ObjectId& id, Clock::Mono begin, Cluster::Seconds delay);
  /// Returns whether the pod has been ready for the owner's minReadySeconds. If it is ready, calls
  /// reconcile() again when they have passed.
  bool is_available(const ObjectId& id, const Json& owner, const Json& pod);
  /// Calls reconcile() for all owners.
  void touch_all();
  /// Returns the children of an owner, after adoptions and releases.
  std::vector<StoredPtr> children(const ObjectId& id, const Json& owner);
  /// Writes the status if it differs from that of `owner`.
  void write_status(const ObjectId& id, const Json& owner, const Json& status);
  /// Creates `child` in the name of `owner`, with an owner reference and an Event.
  StoredPtr create_child(const Json& owner, Json child, const std::string& component);
  /// Deletes a child and writes an Event. Returns false on failure.
  bool delete_child(const Json& owner, const StoredObject& child, const std::string& component);

  Cluster& cluster_;

 private:
  void plan(const ObjectKey& key, Clock::Mono at);
  void adopt(const ObjectId& id, const Json& owner);
  void set_owned(const Json& owner, const StoredObject& child, bool is_owned);

  const std::string type_;
  const std::string child_;
  const bool adopts_;
  std::set<ObjectKey> dirty_;
  std::set<ObjectKey> orphans_;  ///< possible children without a controller
  std::map<ObjectKey, Clock::Mono> later_;
};

/// Returns an owner reference to `owner` as its controller.
Json controller_reference_to(const Json& owner);
/// Returns the selector of `spec.selector`. An empty one matches nothing.
LabelSelector selector_of(const Json& owner);
bool selects(const LabelSelector& selector, const Json& object);
/// Returns whether the pod has succeeded or failed.
bool has_ended(const Json& pod);
/// Returns whether the pod has not ended and is not being deleted.
bool is_active_pod(const Json& pod);
bool is_ready_pod(const Json& pod);
/// Sorts pods so that those to delete first are first: without a node, pending, not ready, most
/// recently created.
void sort_for_deletion(std::vector<StoredPtr>& pods);
/// Returns a new pod of a template, without a name. Children of a set share its namespace.
Json pod_of_template(const Json& owner, const Json& pod_template);

}  // namespace kinf::sandbox
