// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/config_selection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kinf/base/quote.h"
#include "kinf/client/similar_names.h"

namespace kinf {
namespace {

void lay_over(std::string& value, const std::string& flag) {
  if (!flag.empty()) value = flag;
}

template <class Entry>
Error does_not_exist(std::string_view what, std::string_view plural, const std::string& name,
                     const std::map<std::string, Entry>& entries) {
  Error error(ErrorKind::usage, fmt::format("{} {} does not exist", what, kinf::quoted(name)));
  std::vector<std::string> names;
  for (const auto& [known, entry] : entries) names.push_back(known);
  error.hint = names.empty() ? fmt::format("no {} are configured", plural)
                             : fmt::format("{}: {}", plural, fmt::join(names, ", "));
  std::vector<std::pair<std::size_t, std::string>> near;
  for (std::string& known : names) {
    const std::size_t distance = edit_distance(name, known);
    near.emplace_back(distance, std::move(known));
  }
  error.hint.insert(0, similar_names_hint(name, std::move(near)));
  return error;
}

template <class Entry>
Error not_found_for(const std::string& context, std::string_view what, std::string_view plural,
                    const std::string& name, const std::map<std::string, Entry>& entries) {
  Error error = does_not_exist(what, plural, name, entries);
  error.message = fmt::format("{} {} was not found for context {}", what, kinf::quoted(name),
                              kinf::quoted(context));
  return error;
}

void lay_over_user(KubeUser& user, const ConfigOverrides& flags) {
  lay_over(user.token, flags.token);
  lay_over(user.username, flags.username);
  lay_over(user.password, flags.password);
  lay_over(user.impersonate.user, flags.as);
  lay_over(user.impersonate.uid, flags.as_uid);
  if (!flags.as_groups.empty()) user.impersonate.groups = flags.as_groups;
  if (!flags.client_cert.empty()) {
    user.cert_file = flags.client_cert;
    user.cert_data.clear();
  }
  if (!flags.client_key.empty()) {
    user.key_file = flags.client_key;
    user.key_data.clear();
  }
}

void lay_over_cluster(KubeCluster& cluster, const ConfigOverrides& flags) {
  lay_over(cluster.server, flags.server);
  lay_over(cluster.proxy_url, flags.proxy_url);
  if (flags.disable_compression) cluster.disable_compression = true;
  // If a flag sets how to verify the server, it replaces all of the file's settings for that.
  if (flags.insecure || !flags.ca_file.empty()) {
    cluster.insecure = flags.insecure;
    cluster.ca_file = flags.ca_file;
    cluster.ca_data.clear();
  }
  if (!flags.tls_server_name.empty() || !flags.server.empty()) {
    cluster.tls_server_name = flags.tls_server_name;
  }
}

bool any_cluster_flag(const ConfigOverrides& flags) {
  return !flags.server.empty() || !flags.proxy_url.empty() || flags.disable_compression ||
         flags.insecure || !flags.ca_file.empty() || !flags.tls_server_name.empty();
}

void select_context(const Kubeconfig& config, const ConfigOverrides& flags, ConfigSelection& out) {
  out.context_name = flags.context.empty() ? config.current_context : flags.context;
  const auto found = config.contexts.find(out.context_name);
  out.context_found = found != config.contexts.end();
  if (out.context_found) out.context = found->second;
  lay_over(out.context.cluster, flags.cluster);
  lay_over(out.context.user, flags.user);
  lay_over(out.context.name_space, flags.name_space);
}

}  // namespace

ConfigSelection select_config(const Kubeconfig& config, const ConfigOverrides& overrides) {
  ConfigSelection out;
  select_context(config, overrides, out);
  out.cluster_name = out.context.cluster;
  out.user_name = out.context.user;

  // Each assignment to `missing` replaces an earlier one: client-go reports a missing user before a
  // context, and a context before a cluster.
  const auto cluster = config.clusters.find(out.cluster_name);
  if (cluster != config.clusters.end()) {
    out.cluster = cluster->second;
    lay_over_cluster(out.cluster, overrides);
  } else if (!overrides.cluster.empty()) {
    out.missing = does_not_exist("cluster", "clusters", out.cluster_name, config.clusters);
  } else {
    lay_over_cluster(out.cluster, overrides);
    out.cluster_blank = !any_cluster_flag(overrides);
  }
  if (!overrides.context.empty() && !out.context_found) {
    out.missing = does_not_exist("context", "contexts", out.context_name, config.contexts);
  }
  const auto user = config.users.find(out.user_name);
  if (user != config.users.end()) {
    out.user = user->second;
    lay_over_user(out.user, overrides);
  } else if (!overrides.user.empty()) {
    out.missing = does_not_exist("auth info", "users", out.user_name, config.users);
  } else {
    lay_over_user(out.user, overrides);
  }
  return out;
}

Error unknown_context(const std::string& name, const Kubeconfig& config) {
  return does_not_exist("context", "contexts", name, config.contexts);
}

Error unknown_cluster(const std::string& name, const std::string& context,
                      const Kubeconfig& config) {
  return not_found_for(context, "cluster", "clusters", name, config.clusters);
}

Error unknown_user(const std::string& name, const std::string& context, const Kubeconfig& config) {
  return not_found_for(context, "user", "users", name, config.users);
}

}  // namespace kinf
