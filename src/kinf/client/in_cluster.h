// SPDX-License-Identifier: Apache-2.0
// The configuration of a pod: the API server's address from the environment, credentials from the
// service account. All functions block on the disk and may be called from any thread.
#pragma once

#include <string>

#include "kinf/base/error.h"
#include "kinf/client/config_builder.h"

namespace kinf {

/// The environment of a pod; read once in cli.
struct InClusterEnvironment {
  std::string service_host;   ///< KUBERNETES_SERVICE_HOST
  std::string service_port;   ///< KUBERNETES_SERVICE_PORT
  std::string pod_namespace;  ///< POD_NAMESPACE
  std::string account_folder = "/var/run/secrets/kubernetes.io/serviceaccount";
};

/// Whether this is a pod: both variables are set and there is a token file.
bool is_in_cluster(const InClusterEnvironment& environment);

/// Builds the configuration. Overrides that name entries of a kubeconfig are ignored. A token given
/// by flag replaces both token and token file. With --server, the service account's token is still
/// sent, but only over https. Errors: usage.
Result<ClientConfig> in_cluster_config(const InClusterEnvironment& environment,
                                       const ConfigOverrides& overrides);

/// Returns POD_NAMESPACE, else the service account's namespace, else `default`.
NamespaceChoice in_cluster_namespace(const InClusterEnvironment& environment);

}  // namespace kinf
