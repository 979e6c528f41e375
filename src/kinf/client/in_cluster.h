// SPDX-License-Identifier: Apache-2.0
// Builds the configuration in a pod: the API server's address is in the environment, the
// credentials are those of the service account. All functions block on the disk and may be called
// from any thread.
#pragma once

#include <string>

#include "kinf/base/error.h"
#include "kinf/client/config_builder.h"

namespace kinf {

/// The environment of a pod. Read once in kinf/cli.
struct InClusterEnvironment {
  std::string service_host;   ///< KUBERNETES_SERVICE_HOST
  std::string service_port;   ///< KUBERNETES_SERVICE_PORT
  std::string pod_namespace;  ///< POD_NAMESPACE
  std::string account_folder = "/var/run/secrets/kubernetes.io/serviceaccount";
};

/// Returns whether this process runs in a pod: host and port are set, and there is a token file.
bool is_in_cluster(const InClusterEnvironment& environment);

/// Builds the configuration. Ignores overrides that name entries of a kubeconfig. Credentials given
/// by flag replace the service account's token and token file. With --server, the service account's
/// token is still sent, but only over https. Errors: usage.
Result<ClientConfig> in_cluster_config(const InClusterEnvironment& environment,
                                       const ConfigOverrides& overrides);

/// Returns POD_NAMESPACE, or else the service account's namespace, or else `default`.
NamespaceChoice in_cluster_namespace(const InClusterEnvironment& environment);

}  // namespace kinf
