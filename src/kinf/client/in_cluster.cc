// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/in_cluster.h"

#include <filesystem>

#include "kinf/base/limits.h"
#include "kinf/base/log.h"
#include "kinf/base/read_file.h"
#include "kinf/base/trimmed.h"
#include "kinf/base/url.h"

namespace kinf {
namespace {

/// Returns the service account as a kubeconfig, so that flags and checks work in the same way.
Kubeconfig as_kubeconfig(const InClusterEnvironment& environment, const std::string& token) {
  constexpr const char* kName = "in-cluster";
  Kubeconfig config;
  config.current_context = kName;
  KubeCluster& cluster = config.clusters[kName];
  cluster.server = "https://" + join_host_port(environment.service_host, environment.service_port);
  const std::string ca = environment.account_folder + "/ca.crt";
  if (const Result<> readable = check_readable(ca); readable) {
    cluster.ca_file = ca;
  } else {
    log::warning("cannot use the in-cluster CA, using the system's CAs: {}",
                 readable.error().message);
  }
  KubeUser& user = config.users[kName];
  user.token = token;
  user.token_file = environment.account_folder + "/token";
  config.contexts[kName] = {kName, kName, "", ""};
  return config;
}

}  // namespace

bool is_in_cluster(const InClusterEnvironment& environment) {
  if (environment.service_host.empty() || environment.service_port.empty()) return false;
  std::error_code error;
  const auto status = std::filesystem::status(environment.account_folder + "/token", error);
  return std::filesystem::exists(status) && !std::filesystem::is_directory(status);
}

Result<ClientConfig> in_cluster_config(const InClusterEnvironment& environment,
                                       const ConfigOverrides& overrides) {
  if (environment.service_host.empty() || environment.service_port.empty()) {
    return fail(ErrorKind::usage,
                "unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and "
                "KUBERNETES_SERVICE_PORT must be defined");
  }
  const Result<std::string> token =
      read_file(environment.account_folder + "/token", limits::kTokenBytes);
  if (!token) return fail(ErrorKind::usage, token.error().message);

  Kubeconfig account = as_kubeconfig(environment, *token);
  KubeUser& user = account.users.begin()->second;
  const bool own_identity = !overrides.token.empty() || !overrides.username.empty() ||
                            !overrides.password.empty() || !overrides.client_cert.empty();
  if (own_identity) {
    user.token.clear();
    user.token_file.clear();
  }
  Result<ClientConfig> config = build_client_config(account, overrides);
  if (!config) return config;
  config->source = "in-cluster";
  config->context.clear();
  config->contexts.clear();
  if (config->namespace_origin != NamespaceOrigin::flag) {
    NamespaceChoice choice = in_cluster_namespace(environment);
    config->default_namespace = std::move(choice.name);
    config->namespace_origin = choice.origin;
  }
  return config;
}

NamespaceChoice in_cluster_namespace(const InClusterEnvironment& environment) {
  if (!environment.pod_namespace.empty()) {
    return {environment.pod_namespace, NamespaceOrigin::service_account};
  }
  const auto text = read_file(environment.account_folder + "/namespace", limits::kTokenBytes);
  std::string name(text ? trimmed(*text) : std::string_view());
  if (name.empty()) return {"default", NamespaceOrigin::built_in};
  return {std::move(name), NamespaceOrigin::service_account};
}

}  // namespace kinf
