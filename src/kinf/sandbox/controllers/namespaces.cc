// SPDX-License-Identifier: Apache-2.0
// Namespaces: deletes the objects in each deleted namespace, then removes the namespace.
#include "kinf/sandbox/controllers/owner_loop.h"

#include <fmt/format.h>

#include "kinf/sandbox/api/object_condition.h"
#include "kinf/sandbox/api/object_deletion.h"
#include "kinf/sandbox/controllers/cluster.h"

namespace kinf::sandbox {
namespace {

class Namespaces : public ClusterController {
 public:
  using ClusterController::ClusterController;

  void observe(const MirrorChange& change) override {
    const auto& [type, key] = change.id;
    if (type == "namespaces") {
      const bool ends = change.now != nullptr && is_deleting(change.now->json);
      ends ? (void)ending_.insert(key.name) : (void)ending_.erase(key.name);
      if (ends) dirty_.insert(key.name);
    } else if (!key.ns.empty() && ending_.contains(key.ns)) {
      dirty_.insert(key.ns);
    }
  }

  void act() override {
    for (const std::string& name : std::exchange(dirty_, {})) {
      const StoredPtr ns = cluster_.mirror().find("namespaces", {"", name});
      if (ns != nullptr && is_deleting(ns->json)) empty(name, ns->json);
    }
  }

 private:
  /// Deletes the objects that are left in the namespace, including the objects that a scenario
  /// drives. Removes the namespace when it is empty.
  void empty(const std::string& name, const Json& ns) {
    std::map<std::string, int> left;
    for (const ObjectId& id : cluster_.mirror().in_namespace(name)) {
      const StoredPtr object = cluster_.mirror().find(id.first, id.second);
      ++left[id.first];
      if (!is_deleting(object->json)) cluster_.remove(id.first, object->json);
    }
    if (left.empty() && !has_finalizers(ns)) return cluster_.erase({"namespaces", {"", name}});
    std::string remaining;
    for (const auto& [type, count] : left) {
      remaining += fmt::format("{}{}. has {} resource instances", remaining.empty() ? "" : ", ",
                               type, count);
    }
    const std::string now = cluster_.timestamp();
    cluster_.edit_status(kControllerManager, "namespaces", ns, [&](Json& current) {
      Json& status = object_at(current, "status");
      status["phase"] = "Terminating";
      set_condition(
          status, "NamespaceContentRemaining",
          {left.empty() ? "False" : "True", left.empty() ? "ContentRemoved" : "SomeResourcesRemain",
           left.empty() ? "All content successfully removed"
                        : "Some resources are remaining: " + remaining},
          now);
    });
  }

  std::set<std::string> ending_;  ///< namespaces that are being deleted
  std::set<std::string> dirty_;   ///< namespaces in ending_ whose objects have changed
};

}  // namespace

std::unique_ptr<ClusterController> namespaces(Cluster& cluster) {
  return std::make_unique<Namespaces>(cluster);
}

}  // namespace kinf::sandbox
