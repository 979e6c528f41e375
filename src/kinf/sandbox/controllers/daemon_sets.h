// SPDX-License-Identifier: Apache-2.0
// DaemonSets: keeps one pod on each node that accepts it, except on nodes that have a kubelet
// outside the sandbox. An update replaces at most maxUnavailable pods at a time. With
// maxSurge it first creates the new pod beside the old one. Source: kubernetes
// pkg/controller/daemon.
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
    std::int64_t wanted = 0;  ///< nodes that should have a pod
    std::int64_t surge = 0;   ///< nodes that may have two pods during an update
  };

  void observe(const MirrorChange& change) override;
  void reconcile(const ObjectId& id, const Json& set) override;
  View view_of(const ObjectId& id, const Json& set, const StoredObject& revision);
  /// Creates and deletes pods so that each node has the right number. Returns true if it has
  /// written.
  bool place_pods(const View& view);
  bool place_on(const View& view, const std::string& name, const NodeView& node);
  bool create_on(const View& view, const std::string& node);
  /// Keeps one pod of the current template and one of an older one, if the old one is still needed.
  bool thin_out(const View& view, const std::vector<StoredPtr>& pods);
  bool end_finished(const View& view, const StoredObject& pod);
  void roll(const View& view);
  void roll_with_surge(const View& view);
  Json status(const View& view);

  TemplateHistory history_;
};

}  // namespace kinf::sandbox
