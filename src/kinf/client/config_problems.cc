// SPDX-License-Identifier: Apache-2.0
// find_problems(): the checks of client-go's clientcmd/validation.go. Keeps its messages, which
// users and scripts know from kubectl.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kinf/base/quote.h"
#include "kinf/base/read_file.h"
#include "kinf/base/url.h"
#include "kinf/client/config_selection.h"
#include "kinf/client/proxy.h"

namespace kinf {
namespace {

using Problems = std::vector<std::string>;

void check_file(std::string_view field, const std::string& path, const std::string& owner,
                Problems& out) {
  if (path.empty()) return;
  if (const Result<> readable = check_readable(path); !readable) {
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
    if (const Result<> proxy = check_proxy_url(cluster.proxy_url); !proxy) {
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

}  // namespace kinf
