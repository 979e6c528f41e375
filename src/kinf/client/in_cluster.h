// SPDX-License-Identifier: Apache-2.0
// InCluster: the API server as a pod sees it, through its service account.
#pragma once

#include <string>

#include "kinf/base/error.h"
#include "kinf/client/config_builder.h"

namespace kinf {

/// What a pod finds around itself; read once in cli and handed down.
struct InClusterEnvironment {
  std::string service_host;   ///< KUBERNETES_SERVICE_HOST
  std::string service_port;   ///< KUBERNETES_SERVICE_PORT
  std::string pod_namespace;  ///< POD_NAMESPACE
  std::string account_folder = "/var/run/secrets/kubernetes.io/serviceaccount";
};

/// Whether this looks like a pod: both variables and a token file. Blocks on the disk.
bool is_in_cluster(const InClusterEnvironment& environment);

/// Of the overrides all count but those that name entries of a kubeconfig. A token replaces token
/// and token file as a pair; with --server the token still goes along, but only over https.
/// Errors: usage.
Result<ClientConfig> in_cluster_config(const InClusterEnvironment& environment,
                                       const ConfigOverrides& overrides);

/// POD_NAMESPACE, else the service account's, else `default`.
NamespaceChoice in_cluster_namespace(const InClusterEnvironment& environment);

}  // namespace kinf
