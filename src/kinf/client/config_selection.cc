// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/config_selection.h"

#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ranges>

#include "kinf/base/files.h"
#include "kinf/base/hints.h"
#include "kinf/base/quote.h"
#include "kinf/base/url.h"
#include "kinf/client/config_choice.h"
#include "kinf/client/type_names.h"

namespace kinf {
namespace {

void lay_over(std::string& value, const std::string& flag) {
  if (!flag.empty()) value = flag;
}

/// Returns the names as `contexts: dev, prod`.
template <class Entry>
std::string listed(std::string_view plural, const std::map<std::string, Entry>& entries) {
  if (entries.empty()) return fmt::format("no {} are configured", plural);
  return fmt::format("{}: {}", plural, fmt::join(std::views::keys(entries), ", "));
}

template <class Entry>
Error does_not_exist(std::string_view what, std::string_view plural, const std::string& name,
                     const std::map<std::string, Entry>& entries) {
  Error error(ErrorKind::usage, fmt::format("{} {} does not exist", what, kinf::quoted(name)));
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const auto& [known, entry] : entries) near.emplace_back(edit_distance(name, known), known);
  error.hint = similar_names_hint(name, std::move(near)) + listed(plural, entries);
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
  // If a flag sets how to verify the server, it replaces all such settings of the kubeconfig.
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

  // Each assignment to `missing` replaces an earlier one, because client-go reports only one
  // missing name: the user's, else the context's, else the cluster's.
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

Error no_context_selected(const Kubeconfig& config) {
  Error error(ErrorKind::usage, "no context is selected: the kubeconfig has no current-context");
  error.hint = hint_for("use --context; ", "set ConfigOverrides::context; ") +
               listed("contexts", config.contexts);
  return error;
}

Error unknown_cluster(const std::string& name, const std::string& context,
                      const Kubeconfig& config) {
  return not_found_for(context, "cluster", "clusters", name, config.clusters);
}

namespace {

using Problems = std::vector<std::string>;

void check_file(std::string_view field, const std::string& path, const std::string& owner,
                Problems& out) {
  if (path.empty()) return;
  if (const Result<void> readable = check_readable(path); !readable) {
    out.push_back(fmt::format("unable to read {} {} for {} due to {}", field, path, owner,
                              readable.error().message));
  }
}

void check_certificate(const std::string& name, const KubeUser& user, Problems& out) {
  if (user.cert_file.empty() && user.cert_data.empty()) return;
  if (!user.cert_file.empty() && !user.cert_data.empty()) {
    out.push_back(fmt::format(
        "client-cert-data and client-cert are both specified for {}. client-cert-data will "
        "override.",
        name));
  }
  if (!user.key_file.empty() && !user.key_data.empty()) {
    out.push_back(fmt::format(
        "client-key-data and client-key are both specified for {}; client-key-data will override",
        name));
  }
  if (user.key_file.empty() && user.key_data.empty()) {
    out.push_back(
        fmt::format("client-key-data or client-key must be specified for {} to use the clientCert "
                    "authentication method.",
                    name));
  }
  check_file("client-cert", user.cert_file, name, out);
  check_file("client-key", user.key_file, name, out);
}

void check_exec(const std::string& name, const KubeUser& user, Problems& out) {
  if (!user.exec) return;
  const ExecConfig& exec = *user.exec;
  const auto missing = [&](std::string_view field) {
    out.push_back(
        fmt::format("{} must be specified for {} to use exec authentication plugin", field, name));
  };
  if (user.auth_provider) {
    out.push_back(fmt::format(
        "authProvider cannot be provided in combination with an exec plugin for {}", name));
  }
  if (exec.command.empty()) missing("command");
  if (exec.api_version.empty()) missing("apiVersion");
  for (const auto& [variable, value] : exec.env) {
    if (variable.empty()) missing("env variable name");
  }
  const std::string& mode = exec.interactive_mode;
  if (mode.empty()) {
    missing("interactiveMode");
  } else if (mode != "Never" && mode != "IfAvailable" && mode != "Always") {
    out.push_back(fmt::format("invalid interactiveMode for {}: {}", name, kinf::quoted(mode)));
  }
}

void check_user(const std::string& name, const KubeUser& user, Problems& out) {
  check_certificate(name, user, out);
  check_exec(name, user, out);
  if (!user.token.empty() && (!user.username.empty() || !user.password.empty())) {
    out.push_back(fmt::format(
        "more than one authentication method found for {}; found [token basicAuth], only one is "
        "allowed",
        name));
  }
  const Impersonation& as = user.impersonate;
  if (as.user.empty() && (!as.uid.empty() || !as.groups.empty() || !as.extra.empty())) {
    out.push_back(fmt::format(
        "requesting uid, groups or user-extra for {} without impersonating a user", name));
  }
}

void check_cluster(const std::string& name, const KubeCluster& cluster, Problems& out) {
  if (cluster.server.empty()) {
    out.push_back(name.empty() ? "default cluster has no server defined"
                               : fmt::format("no server found for cluster {}", kinf::quoted(name)));
  }
  if (!cluster.proxy_url.empty()) {
    if (const Result<void> proxy = check_proxy_url(cluster.proxy_url); !proxy) {
      out.push_back(fmt::format("invalid 'proxy-url' {} for cluster {}: {}",
                                kinf::quoted(without_secrets(cluster.proxy_url)),
                                kinf::quoted(name), proxy.error().message));
    }
  }
  if (!cluster.ca_file.empty() && !cluster.ca_data.empty()) {
    out.push_back(fmt::format(
        "certificate-authority-data and certificate-authority are both specified for {}. "
        "certificate-authority-data will override.",
        name));
  }
  check_file("certificate-authority", cluster.ca_file, name, out);
}

}  // namespace

Problems find_problems(const ConfigSelection& selection) {
  Problems problems;
  if (!selection.context_name.empty() && !selection.context_found) {
    problems.push_back(
        fmt::format("context was not found for specified context: {}", selection.context_name));
  }
  check_user(selection.user_name, selection.user, problems);
  if (!selection.cluster_blank) {
    check_cluster(selection.cluster_name, selection.cluster, problems);
  } else if (problems.empty()) {
    problems.emplace_back(
        "no configuration has been provided, try setting KUBERNETES_MASTER environment variable");
  } else {
    problems.emplace_back("cluster has no server defined");
  }
  return problems;
}

namespace {

/// Returns whether anything identifies the user (client-go: canIdentifyUser).
bool is_identified(const ClientConfig& config) {
  const TlsConfig& tls = config.tls;
  return !config.username.empty() || !config.token.empty() || !config.token_file.empty() ||
         !tls.cert_file.empty() || !tls.cert_data.empty() || config.exec || config.auth_provider;
}

std::unexpected<Error> unidentified(std::string message, std::string hint) {
  return fail(ErrorKind::usage, std::move(message)).with_hint(std::move(hint));
}

}  // namespace

Result<void> check_user_is_identified(const Kubeconfig& files, const ClientConfig& config) {
  const Result<Url> server = server_url(config);
  if (!server || server->scheme != "https" || is_identified(config)) return {};
  if (!config.password.empty()) {
    return unidentified(
        fmt::format("user {} has a password, but no username", kinf::quoted(config.user)),
        hint_for("set users[].user.username, or use --token",
                 "set users[].user.username, or ConfigOverrides::token"));
  }
  const auto user = files.users.find(config.user);
  if (user != files.users.end()) {
    if (!user->second.token_is_empty) return {};
    return unidentified(fmt::format("the token of user {} is empty", kinf::quoted(config.user)),
                        hint_for("set users[].user.token, or use --token",
                                 "set users[].user.token, or ConfigOverrides::token"));
  }
  if (config.user.empty()) return {};
  return fail(not_found_for(config.context, "user", "users", config.user, files.users));
}

}  // namespace kinf
