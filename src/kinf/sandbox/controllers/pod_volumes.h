// SPDX-License-Identifier: Apache-2.0
// PodVolumes: the directories of the sandbox's nodes, and whether the volumes of a pod can be
// mounted. A node begins with the directories of a small Linux system. A volume of the type
// DirectoryOrCreate, or without a type, creates its directory. Sees no real directory.
#pragma once

#include <map>
#include <set>
#include <string>

#include "kinf/sandbox/controllers/cluster.h"

namespace kinf::sandbox {

/// Threads: not thread-safe.
class PodVolumes {
 public:
  /// `mirror` must outlive this object.
  explicit PodVolumes(const ObjectMirror& mirror) : mirror_(mirror) {}

  /// Mounts the volumes of a pod on its node. Returns why that failed, as the kubelet says it in
  /// the Event FailedMount, or an empty string.
  std::string mount(const Json& pod);
  /// Forgets the directories of a node that was deleted.
  void forget(const std::string& node) { created_.erase(node); }

 private:
  std::string mount_claim(const std::string& node, const std::string& ns, const std::string& name,
                          const std::string& claim);
  std::string mount_path(const std::string& node, const std::string& name, const Json& host_path);
  bool has_directory(const std::string& node, const std::string& path) const;

  const ObjectMirror& mirror_;
  std::map<std::string, std::set<std::string>> created_;  ///< directories by node
};

}  // namespace kinf::sandbox
