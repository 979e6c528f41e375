// SPDX-License-Identifier: Apache-2.0
// The context, cluster and user that a Kubeconfig and the flags select, with the flags laid over
// them, and the check whether they can be used. For config_builder only.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinf/client/config_builder.h"
#include "kinf/client/kubeconfig.h"

namespace kinf {

struct ConfigSelection {
  std::string context_name;
  std::string cluster_name;
  std::string user_name;
  KubeContext context;
  KubeCluster cluster;
  KubeUser user;
  bool context_found = false;
  bool cluster_blank = false;  ///< neither the files nor a flag say anything about the cluster
  /// A name given by flag that does not exist, the one client-go would complain about.
  std::optional<Error> missing;
};

ConfigSelection select_config(const Kubeconfig& config, const ConfigOverrides& overrides);

/// Everything that is wrong with what was selected, in client-go's words and order.
std::vector<std::string> find_problems(const ConfigSelection& selection);

}  // namespace kinf
