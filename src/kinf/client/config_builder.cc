// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/config_builder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kinf/base/ascii.h"
#include "kinf/base/duration.h"
#include "kinf/base/files.h"
#include "kinf/base/hints.h"
#include "kinf/base/limits.h"
#include "kinf/base/url.h"
#include "kinf/base/visible_text.h"
#include "kinf/client/config_choice.h"
#include "kinf/client/config_selection.h"

namespace kinf {
namespace {

constexpr std::string_view kNothingConfigured =
    "invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER "
    "environment variable";

Result<void> confirm_usable(const ConfigSelection& selection) {
  std::vector<std::string> problems = find_problems(selection);
  if (problems.empty()) return {};
  // As in Go's aggregated errors, each message occurs once.
  std::vector<std::string> texts;
  for (std::string& problem : problems) {
    if (std::ranges::find(texts, problem) == texts.end()) texts.push_back(std::move(problem));
  }
  std::string list = fmt::format("{}", fmt::join(texts, ", "));
  if (problems.size() > 1) list = "[" + list + "]";
  Error error(ErrorKind::usage, "invalid configuration: " + list);
  if (error.message == kNothingConfigured) {
    error.hint = hint_for(
        "select a kubeconfig with --kubeconfig or $KUBECONFIG, or use --server",
        "select a kubeconfig with $KUBECONFIG or ConfigFlags::kubeconfig, or run in a pod");
  }
  return fail(std::move(error));
}

/// Removes the query and fragment from a server URL that has a path, as client-go does.
std::string clean_host(const std::string& server) {
  const std::size_t mark = server.find("://");
  if (mark == std::string::npos) return server;
  const std::size_t end = std::min(server.find_first_of("?#"), server.size());
  const std::size_t path = server.find('/', mark + 3);
  if (path == std::string::npos || path + 1 >= end) return server;
  return to_lower(server.substr(0, mark)) + server.substr(mark, end - mark);
}

Result<void> fill_user(const KubeUser& user, const KubeCluster& cluster, ClientConfig& out) {
  out.token = user.token;
  out.token_file = user.token_file;
  if (user.token.empty() && !user.token_file.empty()) {
    Result<std::string> token = read_file(user.token_file, limits::kTokenBytes);
    if (!token) return fail(ErrorKind::usage, std::move(token).error().message);
    out.token = *std::move(token);
  }
  if (!user.cert_file.empty() || !user.cert_data.empty()) {
    out.tls.cert_file = user.cert_file;
    out.tls.cert_data = user.cert_data;
    out.tls.key_file = user.key_file;
    out.tls.key_data = user.key_data;
  }
  out.username = user.username;
  out.password = user.password;
  out.auth_provider = user.auth_provider;
  out.exec = user.exec;
  if (out.exec) {
    out.exec->install_hint = visible_text(out.exec->install_hint);
    out.exec->cluster_config = cluster.exec_config;
  }
  return {};
}

void fill_server_identity(const KubeCluster& cluster, ClientConfig& out) {
  out.tls.ca_file = cluster.ca_file;
  out.tls.ca_data = cluster.ca_data;
  out.tls.insecure = cluster.insecure;
  out.tls.server_name = cluster.tls_server_name;
}

NamespaceChoice namespace_of(const ConfigSelection& selection, const ConfigOverrides& overrides) {
  if (!overrides.name_space.empty()) return {overrides.name_space, NamespaceOrigin::flag};
  const std::string& name = selection.context.name_space;
  if (name.empty()) return {"default", NamespaceOrigin::built_in};
  return {name, NamespaceOrigin::context};
}

void fill_origin(const Kubeconfig& config, const ConfigSelection& selection, ClientConfig& out) {
  out.source = selection.context.origin;
  if (out.source.empty()) out.source = selection.cluster.origin;
  if (out.source.empty()) out.source = "--server";
  if (selection.context_found) out.context = selection.context_name;
  out.cluster = selection.cluster_name;
  out.user = selection.user_name;
  for (const auto& [name, context] : config.contexts) out.contexts.push_back(name);
}

}  // namespace

Result<ClientConfig> build_client_config(const Kubeconfig& config,
                                         const ConfigOverrides& overrides) {
  const ConfigSelection selection = select_config(config, overrides);
  if (selection.missing) return fail(*selection.missing);
  if (auto usable = confirm_usable(selection); !usable) return fail(usable);
  ClientConfig out;
  out.host = clean_host(selection.cluster.server);
  out.proxy_url = selection.cluster.proxy_url;
  out.disable_compression = selection.cluster.disable_compression;
  if (!overrides.timeout.empty()) {
    const auto timeout = parse_timeout(overrides.timeout);
    if (!timeout) return fail(timeout);
    out.request_timeout = *timeout;
  }
  if (!selection.user.impersonate.user.empty()) out.impersonate = selection.user.impersonate;

  // TLS settings are not set yet, so a host without a scheme counts as http here.
  const Result<Url> url = server_url(out);
  if (url && url->scheme == "https") {
    if (auto filled = fill_user(selection.user, selection.cluster, out); !filled) {
      return fail(filled);
    }
    fill_server_identity(selection.cluster, out);
  }
  NamespaceChoice name_space = namespace_of(selection, overrides);
  out.default_namespace = std::move(name_space.name);
  out.namespace_origin = name_space.origin;
  fill_origin(config, selection, out);
  return out;
}

bool is_empty_config(const Error& error) { return error.message == kNothingConfigured; }

Result<std::chrono::nanoseconds> parse_timeout(std::string_view text) {
  constexpr std::int64_t kLargestSeconds = 9'223'372'036;
  const auto seconds = parse_number<std::int64_t>(text);
  if (seconds && *seconds >= 0 && *seconds <= kLargestSeconds)
    return std::chrono::seconds(*seconds);
  const auto duration = parse_duration(text);
  if (duration && duration->count() >= 0) return *duration;
  return fail(ErrorKind::usage,
              "Invalid timeout value. Timeout must be a single integer in seconds, or an integer "
              "followed by a corresponding time unit (e.g. 1s | 2m | 3h)");
}

}  // namespace kinf
