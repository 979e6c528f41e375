// SPDX-License-Identifier: Apache-2.0
// Chooses the source of the configuration: a flag, or else the files in $KUBECONFIG, or else the
// pod's service account, or else ~/.kube/config. kinf/cli calls choose_client_config() once per
// context. All functions block on the disk and may be called from any thread.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/client/client_config.h"

namespace [[gnu::visibility("default")]] kinf {

struct Kubeconfig;       // client/kubeconfig.h
struct NamespaceChoice;  // client/config_builder.h

/// The values of kubectl's flags. Empty or false means that the flag was not given. Paths are
/// relative to the working directory.
struct ConfigOverrides {
  std::string context;
  std::string cluster;
  std::string user;
  std::string name_space;
  std::string server;
  std::string token;
  std::string username;
  std::string password;
  std::string as;
  std::string as_uid;
  std::vector<std::string> as_groups;
  bool insecure = false;
  std::string tls_server_name;
  std::string proxy_url;
  std::string timeout;
  bool disable_compression = false;
  std::string ca_file;
  std::string client_cert;
  std::string client_key;
};

// Builds the configuration in a pod: the API server's address is in the environment, and the
// credentials are those of the service account. All functions block on the disk and may be called
// from any thread.

/// The environment of a pod. Filled in by read_client_environment().
struct InClusterEnvironment {
  std::string service_host;   ///< KUBERNETES_SERVICE_HOST
  std::string service_port;   ///< KUBERNETES_SERVICE_PORT
  std::string pod_namespace;  ///< POD_NAMESPACE
  std::string account_folder = "/var/run/secrets/kubernetes.io/serviceaccount";
};

/// Returns whether this process runs in a pod: service host and port are set, and a token file
/// exists.
bool is_in_cluster(const InClusterEnvironment& environment);

/// Builds the configuration of a pod. Ignores overrides that name entries of a kubeconfig.
/// Credentials given by flag replace the service account's token and token file. With --server, the
/// service account's token is still sent, but only over https. Errors: usage.
Result<ClientConfig> in_cluster_config(const InClusterEnvironment& environment,
                                       const ConfigOverrides& overrides);

/// Returns POD_NAMESPACE, or else the service account's namespace, or else `default`.
NamespaceChoice in_cluster_namespace(const InClusterEnvironment& environment);

/// The environment variables that determine the source of the configuration. Filled in by
/// read_client_environment().
struct ConfigEnvironment {
  std::string kubeconfig;  ///< $KUBECONFIG
  std::string home;        ///< $HOME; may be empty
  InClusterEnvironment in_cluster;
  SystemCaEnvironment system_cas;
  std::stop_token stop{};  ///< ends the wait for a kubeconfig that is a pipe
};

/// The flags that determine the source of the configuration.
struct ConfigFlags {
  std::string kubeconfig;   ///< --kubeconfig
  bool in_cluster = false;  ///< --in-cluster
  ConfigOverrides overrides;
  std::string user_agent{};  ///< see ClientConfig::user_agent; kubectl has no flag for it
};

/// Returns the configuration to use. Unlike in client-go, the pod's service account takes
/// precedence over ~/.kube/config, unless --context, --cluster, --user or --server is given. As in
/// client-go, the service account is used if $KUBECONFIG configures nothing, and a configuration
/// without a namespace uses the pod's. Logs the missing files if no file in $KUBECONFIG exists.
/// Errors: usage.
Result<ClientConfig> choose_client_config(const ConfigEnvironment& environment,
                                          const ConfigFlags& flags);

/// Returns the merged kubeconfig files that choose_client_config() reads, for completion and hints.
/// Returns an empty Kubeconfig if choose_client_config() uses the service account. Errors: usage.
Result<Kubeconfig> choose_kubeconfig(const ConfigEnvironment& environment,
                                     const ConfigFlags& flags);

// ClientEnvironment: the part of the process environment that a connection to an API server uses.

struct ClientEnvironment {
  std::vector<std::string> all;  ///< all variables as NAME=value, for credential plugins
  ConfigEnvironment config;
  ProxyEnvironment proxies;
  bool stdin_is_terminal = false;  ///< whether a credential plugin may ask the user
};

/// Reads the environment of this process. Do not call it while another thread changes variables.
ClientEnvironment read_client_environment();

}  // namespace kinf
