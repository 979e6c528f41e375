// SPDX-License-Identifier: Apache-2.0
// The context, cluster and user that a Kubeconfig and the flags select, with the values of the
// flags, and the check that they can be used. Only config_builder.cc uses this.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinf/client/config_builder.h"
#include "kinf/client/kubeconfig.h"

namespace kinf {

/// The selected entries, overridden by the flags.
struct ConfigSelection {
  std::string context_name;
  std::string cluster_name;
  std::string user_name;
  KubeContext context;
  KubeCluster cluster;
  KubeUser user;
  bool context_found = false;
  bool cluster_blank = false;  ///< neither the files nor a flag describe the cluster
  /// A name was given by flag and does not exist. Of several, the one that client-go reports.
  std::optional<Error> missing;
};

/// Selects the entries. Does not touch the disk.
ConfigSelection select_config(const Kubeconfig& config, const ConfigOverrides& overrides);

/// Returns everything that is wrong with the selected entries, with client-go's messages in its
/// order. Blocks on the disk to check files.
std::vector<std::string> find_problems(const ConfigSelection& selection);

}  // namespace kinf
