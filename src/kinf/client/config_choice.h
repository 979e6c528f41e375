// SPDX-License-Identifier: Apache-2.0
// Chooses where the configuration comes from: a flag, else the files of $KUBECONFIG, else the pod's
// service account, else ~/.kube/config. cli calls this once per context.
// All functions block on the disk and may be called from any thread.
#pragma once

#include <string>

#include "kinf/base/error.h"
#include "kinf/client/client_config.h"
#include "kinf/client/config_builder.h"
#include "kinf/client/in_cluster.h"

namespace kinf {

/// The environment that decides; read once in cli.
struct ConfigEnvironment {
  std::string kubeconfig;  ///< $KUBECONFIG
  std::string home;        ///< $HOME; empty: there is none
  InClusterEnvironment in_cluster;
};

/// The flags that decide.
struct ConfigFlags {
  std::string kubeconfig;   ///< --kubeconfig
  bool in_cluster = false;  ///< --in-cluster
  ConfigOverrides overrides;
};

/// Returns the configuration to use. Unlike in client-go, the pod's service account wins over
/// ~/.kube/config, unless a flag names a context, cluster, user or server of a kubeconfig. As in
/// client-go, the service account is used when $KUBECONFIG configures nothing, and a configuration
/// without a namespace takes the pod's. Logs missing files of $KUBECONFIG. Errors: usage.
Result<ClientConfig> choose_client_config(const ConfigEnvironment& environment,
                                          const ConfigFlags& flags);

/// Returns the merged files from which choose_client_config() would take a context, for completion
/// and hints. Empty if it would use the service account. Errors: usage.
Result<Kubeconfig> choose_kubeconfig(const ConfigEnvironment& environment,
                                     const ConfigFlags& flags);

}  // namespace kinf
