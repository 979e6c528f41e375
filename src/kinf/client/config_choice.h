// SPDX-License-Identifier: Apache-2.0
// Which configuration is used at all: what was named by flag, else the files of $KUBECONFIG, else
// the pod's service account, else ~/.kube/config. The one call that cli makes per context.
#pragma once

#include <string>

#include "kinf/base/error.h"
#include "kinf/client/client_config.h"
#include "kinf/client/config_builder.h"
#include "kinf/client/in_cluster.h"

namespace kinf {

/// Read once in cli.
struct ConfigEnvironment {
  std::string kubeconfig;  ///< $KUBECONFIG
  std::string home;        ///< $HOME; empty = there is none
  InClusterEnvironment in_cluster;
};

struct ConfigFlags {
  std::string kubeconfig;   ///< --kubeconfig
  bool in_cluster = false;  ///< --in-cluster
  ConfigOverrides overrides;
};

/// Unlike client-go, the pod's service account comes before ~/.kube/config, unless a flag names a
/// context, cluster, user or server: those are about a kubeconfig. As there, a $KUBECONFIG that
/// configures nothing gives way to the service account, and a config without a namespace takes the
/// pod's. Blocks on the disk; says in the log when files of $KUBECONFIG are missing. Errors: usage.
Result<ClientConfig> choose_client_config(const ConfigEnvironment& environment,
                                          const ConfigFlags& flags);

/// The merged files that choose_client_config() would take a context from, for completion and
/// hints; empty when the service account would be used. Errors: usage.
Result<Kubeconfig> choose_kubeconfig(const ConfigEnvironment& environment,
                                     const ConfigFlags& flags);

}  // namespace kinf
