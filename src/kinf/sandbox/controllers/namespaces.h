// SPDX-License-Identifier: Apache-2.0
// Namespaces: empties deleted namespaces and removes them when nothing is left in them.
#pragma once

#include <set>
#include <string>

#include "kinf/sandbox/controllers/cluster.h"

namespace kinf::sandbox {

class Namespaces : public ClusterController {
 public:
  explicit Namespaces(Cluster& cluster) : cluster_(cluster) {}

  void observe(const MirrorChange& change) override;
  void act() override;

 private:
  void empty(const std::string& name, const Json& ns);

  Cluster& cluster_;
  std::set<std::string> ending_;  ///< namespaces that are being deleted
  std::set<std::string> dirty_;   ///< those of them in which something changed
};

}  // namespace kinf::sandbox
