// SPDX-License-Identifier: Apache-2.0
// Deployments: keeps one ReplicaSet for each version of a Deployment's template, and moves the
// replicas to the newest.
// Source: kubernetes pkg/controller/deployment.
#pragma once

#include "kinf/sandbox/controllers/owner_loop.h"
#include "kinf/sandbox/controllers/rollout_counts.h"

namespace kinf::sandbox {

class Deployments : public OwnerLoop {
 public:
  explicit Deployments(Cluster& cluster)
      : OwnerLoop(cluster, "deployments.apps", "replicasets.apps", /*adopts=*/true) {}

 private:
  /// A Deployment and its ReplicaSets.
  struct View {
    const ObjectId& id;
    const Json& deployment;
    std::vector<StoredPtr> old;  ///< from the oldest to the newest
    StoredPtr fresh;             ///< the set of the current template; may be null
    std::int64_t replicas = 0;
    RolloutLimits limits;
    bool is_stale = false;  ///< a set was created that the view does not have
  };

  void observe(const MirrorChange& change) override;
  void reconcile(const ObjectId& id, const Json& deployment) override;
  View view_of(const ObjectId& id, const Json& deployment);
  /// Creates the set of the current template, or gives it the next revision.
  bool prepare_new_set(View& view);
  /// Returns false on failure.
  bool create_set(const View& view, const std::string& revision, std::int64_t size);
  void set_revision(const View& view, const std::string& revision);
  bool scale_all(const View& view);
  void roll(const View& view);
  void recreate(View& view);
  void scale(const View& view, const StoredObject& set, std::int64_t size);
  void report_scaled(const View& view, const std::string& set, std::int64_t before,
                     std::int64_t after);
  void drop_history(const View& view);
  Json status(const View& view);
  void set_progressing(const View& view, Json& status);

  /// When a rollout last moved on, by the uid of the Deployment.
  std::map<std::string, Clock::Mono> moved_at_;
};

/// Returns the label pod-template-hash for a template.
std::string template_hash(const Json& pod_template);
/// Returns true if the templates are equal, apart from the label pod-template-hash.
bool is_same_template(const Json& one, const Json& other);

}  // namespace kinf::sandbox
