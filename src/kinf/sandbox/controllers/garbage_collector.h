// SPDX-License-Identifier: Apache-2.0
// GarbageCollector: deletes objects whose owners were deleted, and carries out foreground deletion
// and orphaning. A controller may create an object just after its owner was deleted: that one goes,
// too. Unlike the real one, it leaves objects alone whose owner it has never seen, because loaded
// manifests are often only a part of a cluster.
// Source: kubernetes pkg/controller/garbagecollector.
#pragma once

#include <deque>
#include <set>
#include <string>

#include "kinf/sandbox/controllers/cluster.h"

namespace kinf::sandbox {

class GarbageCollector : public ClusterController {
 public:
  explicit GarbageCollector(Cluster& cluster) : cluster_(cluster) {}

  void observe(const MirrorChange& change) override;
  void act() override;

 private:
  void note_deleted(const std::string& uid);
  void process_dependents(const std::string& gone);
  void process_owner(const std::string& uid);
  void drop_references(const ObjectId& id, const Json& dependent, const std::set<std::string>& to);

  Cluster& cluster_;
  std::set<std::string> gone_;            ///< uids of deleted owners to process
  std::set<std::string> deleted_;         ///< the uids of the last deleted objects
  std::deque<std::string> oldest_first_;  ///< the same
  std::set<std::string> ending_;          ///< uids of owners with a finalizer of the collector
};

}  // namespace kinf::sandbox
