// SPDX-License-Identifier: Apache-2.0
// DaemonSets: keeps one pod on each node that accepts it, except on nodes that have a kubelet
// outside the sandbox. An update replaces at most maxUnavailable pods at a time; maxSurge is
// ignored. Source: kubernetes pkg/controller/daemon.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kinf/sandbox/controllers/daemon_pods.h"
#include "kinf/sandbox/controllers/owner_loop.h"
#include "kinf/sandbox/controllers/template_history.h"

namespace kinf::sandbox {

class DaemonSets : public OwnerLoop {
 public:
  explicit DaemonSets(Cluster& cluster)
      : OwnerLoop(cluster, "daemonsets.apps", "pods", /*adopts=*/true),
        history_(cluster, kRevisionHash) {}

 private:
  struct NodeView {
    DaemonPlacement placement;
    std::vector<StoredPtr> pods;  ///< the oldest first
  };
  struct View {
    const ObjectId& id;
    const Json& set;
    std::string hash;  ///< of the current template
    std::map<std::string, NodeView> nodes;
  };

  void observe(const MirrorChange& change) override;
  void reconcile(const ObjectId& id, const Json& set) override;
  View view_of(const ObjectId& id, const Json& set, const StoredObject& revision);
  /// Creates and deletes pods so that each node has the right number. Returns true if it has
  /// written.
  bool place_pods(const View& view);
  bool place_on(const View& view, const std::string& name, const NodeView& node);
  bool end_finished(const View& view, const StoredObject& pod);
  void roll(const View& view);
  Json status(const View& view);

  TemplateHistory history_;
};

}  // namespace kinf::sandbox
