// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/config_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "kinf/base/ascii.h"
#include "kinf/base/files.h"
#include "kinf/base/limits.h"
#include "kinf/base/log.h"
#include "kinf/base/url.h"
#include "kinf/client/config_builder.h"
#include "kinf/client/config_selection.h"
#include "kinf/client/kubeconfig.h"

namespace kinf {
namespace {

enum class Source { flag_file, environment_files, service_account, default_file };

bool names_kubeconfig_entries(const ConfigOverrides& flags) {
  return !flags.context.empty() || !flags.cluster.empty() || !flags.user.empty() ||
         !flags.server.empty();
}

Source source_of(const ConfigEnvironment& environment, const ConfigFlags& flags) {
  if (flags.in_cluster) return Source::service_account;
  if (!flags.kubeconfig.empty()) return Source::flag_file;
  if (!environment.kubeconfig.empty()) return Source::environment_files;
  const bool pod =
      !names_kubeconfig_entries(flags.overrides) && is_in_cluster(environment.in_cluster);
  return pod ? Source::service_account : Source::default_file;
}

Result<Kubeconfig> load(Source source, const ConfigEnvironment& environment,
                        const ConfigFlags& flags) {
  if (source == Source::flag_file) return load_kubeconfig_file(flags.kubeconfig, environment.stop);
  if (source == Source::service_account) return Kubeconfig();
  std::vector<std::string> paths;
  if (source == Source::environment_files) {
    paths = split_path_list(environment.kubeconfig);
  } else if (!environment.home.empty()) {
    paths = {environment.home + "/.kube/config"};
  }
  Result<KubeconfigFiles> files = load_kubeconfig_files(paths, environment.stop);
  if (!files) return fail(files);
  if (source == Source::environment_files && !files->any_found && !files->missing.empty()) {
    log::warning("Config not found: {}", fmt::join(files->missing, ", "));
  }
  return std::move(files->config);
}

std::string with_tilde(const std::string& path, const std::string& home) {
  if (home.empty() || home == "/" || !path.starts_with(home + "/")) return path;
  return "~" + path.substr(home.size());
}

Result<void> check_in_cluster_flags(const ConfigFlags& flags) {
  const ConfigOverrides& overrides = flags.overrides;
  const std::pair<std::string_view, bool> excluded[] = {
      {"--kubeconfig", !flags.kubeconfig.empty()},
      {"--context", !overrides.context.empty()},
      {"--cluster", !overrides.cluster.empty()},
      {"--user", !overrides.user.empty()},
  };
  for (const auto& [flag, given] : excluded) {
    if (given) return fail(ErrorKind::usage, "--in-cluster and {} cannot be used together", flag);
  }
  return {};
}

Result<ClientConfig> choose(const ConfigEnvironment& environment, const ConfigFlags& flags) {
  if (flags.in_cluster) {
    if (auto checked = check_in_cluster_flags(flags); !checked) return fail(checked);
  }
  const InClusterEnvironment& pod = environment.in_cluster;
  const Source source = source_of(environment, flags);
  if (source == Source::service_account) return in_cluster_config(pod, flags.overrides);

  const Result<Kubeconfig> files = load(source, environment, flags);
  if (!files) return fail(files);
  Result<ClientConfig> config = build_client_config(*files, flags.overrides);
  if (!config) {
    if (!is_empty_config(config.error())) return config;
    const bool yields = source == Source::environment_files &&
                        !names_kubeconfig_entries(flags.overrides) && is_in_cluster(pod);
    if (yields) return in_cluster_config(pod, flags.overrides);
    const ConfigSelection chosen = select_config(*files, flags.overrides);
    if (!chosen.cluster_name.empty()) {
      return fail(unknown_cluster(chosen.cluster_name, chosen.context_name, *files));
    }
    const bool lacks_choice = chosen.context_name.empty() && !files->contexts.empty();
    return lacks_choice ? fail(no_context_selected(*files)) : config;
  }
  if (auto checked = check_user_is_identified(*files, *config); !checked) return fail(checked);
  config->source = with_tilde(config->source, environment.home);
  if (config->namespace_origin == NamespaceOrigin::built_in && is_in_cluster(pod)) {
    NamespaceChoice choice = in_cluster_namespace(pod);
    config->default_namespace = std::move(choice.name);
    config->namespace_origin = choice.origin;
  }
  return config;
}

}  // namespace

Result<ClientConfig> choose_client_config(const ConfigEnvironment& environment,
                                          const ConfigFlags& flags) {
  Result<ClientConfig> config = choose(environment, flags);
  if (config) config->tls.system_cas = find_system_cas(environment.system_cas, libcurl_cas());
  return config;
}

Result<Kubeconfig> choose_kubeconfig(const ConfigEnvironment& environment,
                                     const ConfigFlags& flags) {
  return load(source_of(environment, flags), environment, flags);
}

namespace {

/// Returns the service account as a kubeconfig, to which the usual flags and checks apply.
Kubeconfig as_kubeconfig(const InClusterEnvironment& environment, const std::string& token) {
  constexpr const char* kName = "in-cluster";
  Kubeconfig config;
  config.current_context = kName;
  KubeCluster& cluster = config.clusters[kName];
  cluster.server = "https://" + join_host_port(environment.service_host, environment.service_port);
  const std::string ca = environment.account_folder + "/ca.crt";
  if (const Result<void> readable = check_readable(ca); readable) {
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
