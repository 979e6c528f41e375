// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/config_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kinf/base/log.h"
#include "kinf/client/config_selection.h"
#include "kinf/client/user_check.h"

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
  if (source == Source::flag_file) return load_kubeconfig_file(flags.kubeconfig);
  if (source == Source::service_account) return Kubeconfig();
  std::vector<std::string> paths;
  if (source == Source::environment_files) {
    paths = split_path_list(environment.kubeconfig);
  } else if (!environment.home.empty()) {
    paths = {environment.home + "/.kube/config"};
  }
  Result<KubeconfigFiles> files = load_kubeconfig_files(paths);
  if (!files) return std::unexpected(std::move(files).error());
  if (source == Source::environment_files && !files->any_found && !files->missing.empty()) {
    log::warning("Config not found: {}", fmt::join(files->missing, ", "));
  }
  return std::move(files->config);
}

std::string with_tilde(const std::string& path, const std::string& home) {
  if (home.empty() || home == "/" || !path.starts_with(home + "/")) return path;
  return "~" + path.substr(home.size());
}

Result<> check_in_cluster_flags(const ConfigFlags& flags) {
  const ConfigOverrides& overrides = flags.overrides;
  const std::pair<std::string_view, bool> excluded[] = {
      {"--kubeconfig", !flags.kubeconfig.empty()},
      {"--context", !overrides.context.empty()},
      {"--cluster", !overrides.cluster.empty()},
      {"--user", !overrides.user.empty()},
  };
  for (const auto& [flag, given] : excluded) {
    if (given) {
      return fail(ErrorKind::usage,
                  fmt::format("--in-cluster and {} cannot be used together", flag));
    }
  }
  return {};
}

Result<ClientConfig> choose(const ConfigEnvironment& environment, const ConfigFlags& flags) {
  if (flags.in_cluster) {
    if (auto checked = check_in_cluster_flags(flags); !checked) {
      return std::unexpected(std::move(checked).error());
    }
  }
  const InClusterEnvironment& pod = environment.in_cluster;
  const Source source = source_of(environment, flags);
  if (source == Source::service_account) return in_cluster_config(pod, flags.overrides);

  const Result<Kubeconfig> files = load(source, environment, flags);
  if (!files) return std::unexpected(files.error());
  Result<ClientConfig> config = build_client_config(*files, flags.overrides);
  if (!config) {
    const bool yields = source == Source::environment_files && is_empty_config(config.error()) &&
                        !names_kubeconfig_entries(flags.overrides) && is_in_cluster(pod);
    if (yields) return in_cluster_config(pod, flags.overrides);
    const ConfigSelection chosen = select_config(*files, flags.overrides);
    if (is_empty_config(config.error()) && !chosen.cluster_name.empty()) {
      return std::unexpected(unknown_cluster(chosen.cluster_name, chosen.context_name, *files));
    }
    return config;
  }
  if (auto checked = check_user_is_identified(*files, *config); !checked) {
    return std::unexpected(std::move(checked).error());
  }
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

}  // namespace kinf
