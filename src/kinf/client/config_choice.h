// SPDX-License-Identifier: Apache-2.0
// Chooses the source of the configuration: a flag, or else the files in $KUBECONFIG, or else the
// pod's service account, or else ~/.kube/config. kinf/cli calls this once per context. All
// functions block on the disk and may be called from any thread.
#pragma once

#include <string>

#include "kinf/base/error.h"
#include "kinf/client/client_config.h"
#include "kinf/client/config_builder.h"
#include "kinf/client/in_cluster.h"

namespace kinf {

/// The environment variables that determine the source. Read once in kinf/cli.
struct ConfigEnvironment {
  std::string kubeconfig;  ///< $KUBECONFIG
  std::string home;        ///< $HOME; may be empty
  InClusterEnvironment in_cluster;
  SystemCaEnvironment system_cas;
};

/// The flags that determine the source.
struct ConfigFlags {
  std::string kubeconfig;   ///< --kubeconfig
  bool in_cluster = false;  ///< --in-cluster
  ConfigOverrides overrides;
};

/// Returns the configuration to use. Unlike in client-go, the pod's service account takes
/// precedence over ~/.kube/config, unless --context, --cluster, --user or --server is given. As in
/// client-go, the service account is used if $KUBECONFIG configures nothing, and a configuration
/// without a namespace uses the pod's. Logs the missing files if no file in $KUBECONFIG exists.
/// Errors: usage.
Result<ClientConfig> choose_client_config(const ConfigEnvironment& environment,
                                          const ConfigFlags& flags);

/// Returns the merged kubeconfig files that choose_client_config() reads, for completion and hints.
/// Empty if it would use the service account. Errors: usage.
Result<Kubeconfig> choose_kubeconfig(const ConfigEnvironment& environment,
                                     const ConfigFlags& flags);

}  // namespace kinf
