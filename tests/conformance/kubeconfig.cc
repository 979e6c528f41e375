// SPDX-License-Identifier: Apache-2.0
// Component kubeconfig: files in a fresh folder, through loading, merging, choosing and building.
#include "kinf/client/kubeconfig.h"
#include "conformance/runner.h"
#include "fakes/temp_folder.h"
#include "kinf/client/config_builder.h"
#include "kinf/client/config_choice.h"

namespace kinf::conformance {
namespace {

using kinf::test::TempFolder;

/// The vectors write `${DIR}` where Go printed the folder.
std::string neutral(std::string text, const TempFolder& folder) {
  const std::string path = folder.path();
  for (std::size_t at = 0; (at = text.find(path, at)) != std::string::npos;) {
    text.replace(at, path.size(), "${DIR}");
  }
  return text;
}

std::string under(const TempFolder& folder, const std::string& name) {
  return name.empty() ? "" : folder.path(name);
}

ConfigOverrides overrides_from(Fields& fields, const TempFolder& folder) {
  ConfigOverrides flags;
  flags.context = fields.text_or("context", "");
  flags.cluster = fields.text_or("cluster", "");
  flags.user = fields.text_or("user", "");
  flags.name_space = fields.text_or("namespace", "");
  flags.server = fields.text_or("server", "");
  flags.token = fields.text_or("token", "");
  flags.username = fields.text_or("username", "");
  flags.password = fields.text_or("password", "");
  flags.as = fields.text_or("as", "");
  if (const Json* groups = fields.find("as_groups")) {
    flags.as_groups = groups->get<std::vector<std::string>>();
  }
  flags.insecure = fields.flag_or("insecure", false);
  flags.tls_server_name = fields.text_or("tls_server_name", "");
  flags.proxy_url = fields.text_or("proxy_url", "");
  flags.timeout = fields.text_or("timeout", "");
  flags.disable_compression = fields.flag_or("disable_compression", false);
  flags.ca_file = under(folder, fields.text_or("ca_file", ""));
  flags.client_cert = under(folder, fields.text_or("client_cert", ""));
  flags.client_key = under(folder, fields.text_or("client_key", ""));
  fields.expect_all_read();
  return flags;
}

Result<Kubeconfig> load(Fields& input, const TempFolder& folder) {
  const std::string explicit_path = under(folder, input.text_or("explicit", ""));
  std::vector<std::string> paths;
  const Json* list = input.find("kubeconfig_env");
  if (list != nullptr && !list->is_null()) {
    for (const Json& entry : *list) paths.push_back(under(folder, entry.get<std::string>()));
  }
  if (!explicit_path.empty()) return load_kubeconfig_file(explicit_path);
  Result<KubeconfigFiles> files = load_kubeconfig_files(paths);
  if (!files) return std::unexpected(std::move(files).error());
  return std::move(files->config);
}

template <class Entry>
Json names_of(const std::map<std::string, Entry>& entries) {
  Json names = Json::array();
  for (const auto& [name, entry] : entries) names.push_back(name);
  return names;
}

Json exec_of(const ExecConfig& exec) {
  Json env = Json::array();
  for (const auto& [name, value] : exec.env) env.push_back(Json::array({name, value}));
  return {{"command", exec.command},
          {"args", exec.args},
          {"env", std::move(env)},
          {"apiVersion", exec.api_version},
          {"interactiveMode", exec.interactive_mode},
          {"provideClusterInfo", exec.provide_cluster_info},
          {"installHint", exec.install_hint}};
}

/// Omits empty values.
Json result_of(const ClientConfig& config) {
  Json out = Json::object();
  const auto put = [&out](const char* key, const auto& value) {
    if (!value.empty()) out[key] = value;
  };
  put("host", config.host);
  put("ca_file", config.tls.ca_file);
  put("ca_data", config.tls.ca_data);
  put("cert_file", config.tls.cert_file);
  put("cert_data", config.tls.cert_data);
  put("key_file", config.tls.key_file);
  put("key_data", config.tls.key_data);
  put("tls_server_name", config.tls.server_name);
  if (config.tls.insecure) out["insecure"] = true;
  put("token", config.token);
  put("token_file", config.token_file);
  put("username", config.username);
  put("password", config.password);
  put("impersonate_user", config.impersonate.user);
  put("impersonate_uid", config.impersonate.uid);
  put("impersonate_groups", config.impersonate.groups);
  put("impersonate_extra", config.impersonate.extra);
  put("proxy_url", config.proxy_url);
  if (config.disable_compression.value_or(false)) out["disable_compression"] = true;
  using Milliseconds = std::chrono::duration<double, std::milli>;
  if (config.request_timeout.count() != 0) {
    out["timeout_ms"] = Milliseconds(config.request_timeout).count();
  }
  if (config.exec) out["exec"] = exec_of(*config.exec);
  if (config.auth_provider) {
    out["auth_provider"] = {{"name", config.auth_provider->name},
                            {"config", config.auth_provider->config}};
  }
  return out;
}

class KubeconfigRunner final : public TableRunner {
 public:
  Json evaluate(Fields& input, Fields& config, const Json& expect) override {
    (void)config;
    const TempFolder folder;
    if (const Json* files = input.find("files"); files != nullptr && !files->is_null()) {
      for (const auto& [name, content] : files->items()) {
        folder.write(name, content.get<std::string>());
      }
    }
    Fields override_fields(input.find("overrides"), "overrides");
    const ConfigOverrides flags = overrides_from(override_fields, folder);
    const Result<Kubeconfig> loaded = load(input, folder);

    Json got = loaded ? outcome_of(*loaded, flags) : refusal_of(loaded.error());
    // Messages from Go's standard library are not compared.
    const bool portable = expect.value("error_text_portable", true);
    if (!portable) got["error_text_portable"] = false;
    for (const char* key : {"error", "raw_error"}) {
      if (!got.contains(key) || !got[key].is_string()) continue;
      got[key] = portable ? neutral(got[key].get<std::string>(), folder)
                          : expect.value(key, "no error at all");
    }
    if (got.contains("result")) got["result"] = neutral_tree(got["result"], folder);
    return got;
  }

 private:
  static Json refusal_of(const Error& error) {
    return {{"raw_error", error.message},
            {"error", error.message},
            {"is_empty_config", is_empty_config(error)}};
  }

  static Json outcome_of(const Kubeconfig& loaded, const ConfigOverrides& flags) {
    Json got = {{"clusters", names_of(loaded.clusters)},
                {"users", names_of(loaded.users)},
                {"contexts", names_of(loaded.contexts)},
                {"current_context", loaded.current_context}};
    const Result<ClientConfig> built = build_client_config(loaded, flags);
    got["error"] = built ? Json() : Json(built.error().message);
    if (!built) {
      got["is_empty_config"] = is_empty_config(built.error());
      return got;
    }
    got["result"] = result_of(*built);
    got["namespace"] = built->default_namespace;
    got["namespace_overridden"] = built->namespace_origin == NamespaceOrigin::flag;
    return got;
  }

  static Json neutral_tree(const Json& value, const TempFolder& folder) {
    if (value.is_string()) return neutral(value.get<std::string>(), folder);
    if (!value.is_structured()) return value;
    Json out = value;
    for (auto& item : out.items()) item.value() = neutral_tree(item.value(), folder);
    return out;
  }
};

const Registration kKubeconfig("kubeconfig", [] { return std::make_unique<KubeconfigRunner>(); });

}  // namespace
}  // namespace kinf::conformance
