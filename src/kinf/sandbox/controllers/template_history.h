// SPDX-License-Identifier: Apache-2.0
// TemplateHistory: the ControllerRevisions of DaemonSets and StatefulSets. Each revision contains
// one version of the owner's pod template, so that `kubectl rollout undo` can return to it. Source:
// kubernetes pkg/controller/history, pkg/controller/daemon/update.go.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kinf/sandbox/controllers/cluster.h"

namespace kinf::sandbox {

/// The label that says which revision a pod has: the template hash (DaemonSets) or the name of the
/// revision (StatefulSets). Revisions of DaemonSets have this label, too.
constexpr const char* kRevisionHash = "controller-revision-hash";
/// The label with the template hash, on the ReplicaSets of a Deployment and their pods.
constexpr const char* kTemplateHash = "pod-template-hash";

/// Threads: not thread-safe.
class TemplateHistory {
 public:
  /// `hash_label` is the label on revisions that contains the hash of the template.
  TemplateHistory(Cluster& cluster, std::string hash_label)
      : cluster_(cluster), hash_label_(std::move(hash_label)) {}

  /// Returns the revision of the owner's current template. Creates this revision if it is missing,
  /// and makes it the newest if another revision is newer. Returns null on failure.
  StoredPtr current(const Json& owner);
  /// Returns the owner's revision with this name, or null.
  StoredPtr named(const Json& owner, const std::string& name) const;
  /// Deletes the oldest revisions beyond the owner's revisionHistoryLimit, except those in `used`.
  void trim(const Json& owner, const std::set<std::string>& used);

 private:
  /// Returns the revisions of the owner, the newest last.
  std::vector<StoredPtr> all(const Json& owner) const;
  StoredPtr create(const Json& owner, std::int64_t number);

  Cluster& cluster_;
  const std::string hash_label_;
};

/// Returns the hash of a template, in the form of the label pod-template-hash.
std::string template_hash(const Json& pod_template);
/// Returns whether the templates are equal, apart from the label pod-template-hash.
bool is_same_template(const Json& one, const Json& other);

std::string revision_hash(const StoredObject& revision);
/// Returns the pod template of a revision.
Json template_of_revision(const Json& revision);

}  // namespace kinf::sandbox
