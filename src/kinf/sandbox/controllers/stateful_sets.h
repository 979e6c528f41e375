// SPDX-License-Identifier: Apache-2.0
// StatefulSets: keeps pods with numbers, from the first to the last. OrderedReady waits for each
// pod before it creates the next one. An update replaces one pod at a time, the last one first.
// Claims stay when pods go, as the default of persistentVolumeClaimRetentionPolicy is; other values
// have no effect. Source: kubernetes pkg/controller/statefulset/stateful_set_control.go.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "kinf/sandbox/controllers/owner_loop.h"
#include "kinf/sandbox/controllers/stateful_pods.h"
#include "kinf/sandbox/controllers/template_history.h"

namespace kinf::sandbox {

class StatefulSets : public OwnerLoop {
 public:
  explicit StatefulSets(Cluster& cluster)
      : OwnerLoop(cluster, "statefulsets.apps", "pods", /*adopts=*/true),
        history_(cluster, "controller.kubernetes.io/hash") {}

 private:
  struct View {
    const ObjectId& id;
    const Json& set;
    StoredPtr current;  ///< the revision before an update
    StoredPtr update;   ///< the revision of the template
    bool is_ordered = true;
    std::vector<StoredPtr> replicas;   ///< by number; null: missing
    std::vector<StoredPtr> condemned;  ///< those that are too many, the last one first
  };

  void reconcile(const ObjectId& id, const Json& set) override;
  View view_of(const ObjectId& id, const Json& set);
  /// Creates missing pods. Returns false if the rest has to wait.
  bool fill(const View& view);
  /// Deletes pods that are too many. Returns false if the rest has to wait.
  bool shrink(const View& view);
  /// Replaces an old pod. Returns true if it has.
  bool roll(const View& view);
  void create(const View& view, std::int64_t index);
  void remove(const View& view, const StoredObject& pod);
  bool is_healthy(const View& view, const StoredPtr& pod);
  StoredPtr first_unhealthy(const View& view);
  /// `rolled`: the pod that roll() deletes does not count as current any more.
  Json status(const View& view, bool rolled);
  void report(const View& view, const std::string& verb, const std::string& what);
  std::set<std::string> used_revisions(const View& view) const;

  TemplateHistory history_;
};

}  // namespace kinf::sandbox
