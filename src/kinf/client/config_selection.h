// SPDX-License-Identifier: Apache-2.0
// Selects a context, cluster and user from a Kubeconfig, applies the flags to them, and checks the
// result. config_builder.cc uses this, and whatever reports an unknown context.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinf/client/config_builder.h"
#include "kinf/client/kubeconfig.h"

namespace kinf {

/// The selected entries, with the values of the flags applied.
struct ConfigSelection {
  std::string context_name;
  std::string cluster_name;
  std::string user_name;
  KubeContext context;
  KubeCluster cluster;
  KubeUser user;
  bool context_found = false;
  bool cluster_blank = false;  ///< neither the files nor the flags describe the cluster
  /// The error for a name that was given by flag and does not exist. If there are several, the one
  /// that client-go reports.
  std::optional<Error> missing;
};

/// Selects the entries. Does not access the disk.
ConfigSelection select_config(const Kubeconfig& config, const ConfigOverrides& overrides);

/// Returns all problems of the selected entries, with client-go's messages and in its order. Blocks
/// on the disk to check files.
std::vector<std::string> find_problems(const ConfigSelection& selection);

/// Returns the error for a context that does not exist. Its hint names similar contexts, and lists
/// all of them.
Error unknown_context(const std::string& name, const Kubeconfig& config);

/// Returns the error for a cluster that does not exist, although `context` names it.
Error unknown_cluster(const std::string& name, const std::string& context,
                      const Kubeconfig& config);

/// Returns the error for a user that does not exist, although `context` names it. Its hint names
/// similar users, and lists all of them.
Error unknown_user(const std::string& name, const std::string& context, const Kubeconfig& config);

}  // namespace kinf
