// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/kubeconfig.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "kinf/base/base64.h"
#include "kinf/base/files.h"
#include "kinf/base/hints.h"
#include "kinf/base/limits.h"
#include "kinf/base/yaml_document.h"

namespace kinf {
namespace {

/// Adds the entries of `from` whose names `into` does not contain, because the first file takes
/// precedence.
void merge(Kubeconfig& into, Kubeconfig&& from) {
  into.clusters.merge(from.clusters);
  into.users.merge(from.users);
  into.contexts.merge(from.contexts);
  if (into.current_context.empty()) into.current_context = std::move(from.current_context);
}

void resolve(std::string& path, const std::filesystem::path& folder) {
  if (path.empty() || path.front() == '/') return;
  path = (folder / path).lexically_normal().string();
  while (path.size() > 1 && path.back() == '/') path.pop_back();
}

Result<void> resolve_paths(Kubeconfig& config, const std::string& file) {
  std::error_code error;
  const auto absolute = std::filesystem::absolute(file, error);
  if (error) {
    return fail(ErrorKind::usage, "could not determine the absolute path of config file {}: {}",
                file, error.message());
  }
  const std::filesystem::path folder = absolute.lexically_normal().parent_path();
  for (auto& [name, cluster] : config.clusters) resolve(cluster.ca_file, folder);
  for (auto& [name, user] : config.users) {
    resolve(user.cert_file, folder);
    resolve(user.key_file, folder);
    resolve(user.token_file, folder);
    // A command without a slash is looked up in PATH.
    if (user.exec && user.exec->command.contains('/')) resolve(user.exec->command, folder);
  }
  return {};
}

Result<Kubeconfig> read_one(const std::string& path, const std::stop_token& stop) {
  const Result<std::string> text = read_file(path, limits::kKubeconfigBytes, stop);
  if (!text) return fail(text);
  Result<Kubeconfig> config = parse_kubeconfig(*text, path);
  if (!config) return config;
  if (auto resolved = resolve_paths(*config, path); !resolved) return fail(resolved);
  return config;
}

/// Joins errors like Go's aggregated errors: a single error is unchanged; several are in brackets,
/// each text once.
std::string join_errors(const std::vector<Error>& errors) {
  if (errors.size() == 1) return errors.front().message;
  std::vector<std::string> texts;
  for (const Error& error : errors) {
    if (std::ranges::find(texts, error.message) == texts.end()) texts.push_back(error.message);
  }
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

}  // namespace

Result<KubeconfigFiles> load_kubeconfig_files(const std::vector<std::string>& paths,
                                              const std::stop_token& stop) {
  KubeconfigFiles files;
  std::vector<Error> errors;
  std::set<std::string> seen;
  for (const std::string& path : paths) {
    if (path.empty() || !seen.insert(path).second) continue;
    Result<Kubeconfig> config = read_one(path, stop);
    if (config) {
      files.any_found = true;
      merge(files.config, std::move(*config));
    } else if (config.error().kind == ErrorKind::not_found) {
      files.missing.push_back(path);
    } else if (config.error().kind == ErrorKind::stopped) {
      return fail(config);
    } else {
      errors.push_back(
          std::move(config).error().within(fmt::format("error loading config file \"{}\"", path)));
    }
  }
  if (errors.empty()) return files;
  return fail(ErrorKind::usage, join_errors(errors)).with_hint(errors.front().hint);
}

Result<Kubeconfig> load_kubeconfig_file(const std::string& path, const std::stop_token& stop) {
  Result<KubeconfigFiles> files = load_kubeconfig_files({path}, stop);
  if (!files) return fail(files);
  if (!files->any_found) {
    return fail(ErrorKind::usage, "stat {}: no such file or directory", path)
        .with_hint(
            hint_for("use --kubeconfig or $KUBECONFIG to select another file, or use --sandbox",
                     "use $KUBECONFIG or ConfigFlags::kubeconfig to select another file"));
  }
  return std::move(files->config);
}

std::vector<std::string> split_path_list(std::string_view list) {
  std::vector<std::string> paths;
  while (!list.empty()) {
    const std::size_t colon = list.find(':');
    paths.emplace_back(list.substr(0, colon));
    if (colon == std::string_view::npos) break;
    list.remove_prefix(colon + 1);
  }
  return paths;
}

namespace {

using Json = nlohmann::json;

constexpr std::string_view kExecExtension = "client.authentication.k8s.io/exec";

std::string_view kind_of(const Json& value) {
  if (value.is_string()) return "a string";
  if (value.is_boolean()) return "a boolean";
  if (value.is_number()) return "a number";
  return value.is_array() ? "a list" : "a map";
}

/// A map in the kubeconfig, read field by field. Records an error in `problem` for the first field
/// of a wrong type, and treats all later fields as missing. A null counts as missing.
class Section {
 public:
  Section(const Json& value, std::string path, std::optional<Error>& problem)
      : value_(&value), path_(std::move(path)), problem_(&problem) {
    if (!value.is_null() && !value.is_object()) mismatch(path_, "a map", value);
  }

  void read(std::string_view key, std::string& out) const {
    if (const Json* found = find(key)) take_text(*found, under(key), out);
  }
  void read(std::string_view key, bool& out) const {
    const Json* found = find(key);
    if (found == nullptr) return;
    if (!found->is_boolean()) return mismatch(under(key), "a boolean", *found);
    out = found->get<bool>();
  }
  void read(std::string_view key, std::optional<bool>& out) const {
    if (find(key) == nullptr) return;
    bool set = false;
    read(key, set);
    out = set;
  }
  /// Returns whether the map has the field, even if its value is null.
  bool has(std::string_view key) const { return value_->is_object() && value_->contains(key); }
  /// Reads and decodes a base64 field.
  void data(std::string_view key, std::string& out) const {
    std::string encoded;
    read(key, encoded);
    auto decoded = base64_decode(encoded);
    if (!decoded) return report(fmt::format("{}: illegal base64 data", under(key)), "");
    if (!encoded.empty()) out = *std::move(decoded);
  }
  void read(std::string_view key, std::vector<std::string>& out) const {
    each(key, [&](const Json& item, const std::string& path) {
      take_text(item, path, out.emplace_back());
    });
  }
  template <class Value>
  void read(std::string_view key, std::map<std::string, Value>& out) const {
    section(key, [&](const Section& map) {
      for (const auto& [name, value] : map.value_->items()) map.read(name, out[name]);
    });
  }
  /// Calls `read` with the map under `key`, if it exists.
  void section(std::string_view key, const std::function<void(const Section&)>& read) const {
    const Json* found = find(key);
    if (found == nullptr) return;
    const Section inner(*found, under(key), *problem_);
    if (found->is_object()) read(inner);
  }
  void sections(std::string_view key, const std::function<void(const Section&)>& read) const {
    each(key, [&](const Json& item, const std::string& path) {
      const Section inner(item, path, *problem_);
      if (!*problem_) read(inner);
    });
  }
  /// Returns the value of a field as JSON text; "" if it is missing.
  std::string json(std::string_view key) const {
    const Json* found = find(key);
    return found == nullptr ? "" : found->dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  const std::string& path() const { return path_; }
  void report(std::string message, std::string hint) const {
    if (*problem_) return;
    problem_->emplace(ErrorKind::usage, std::move(message));
    (*problem_)->hint = std::move(hint);
  }

 private:
  const Json* find(std::string_view key) const {
    if (*problem_ || !value_->is_object()) return nullptr;
    const auto found = value_->find(key);
    return found == value_->end() || found->is_null() ? nullptr : &*found;
  }
  std::string under(std::string_view key) const {
    return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
  }
  void each(std::string_view key,
            const std::function<void(const Json&, const std::string& path)>& read) const {
    const Json* found = find(key);
    if (found == nullptr) return;
    if (!found->is_array()) return mismatch(under(key), "a list", *found);
    std::size_t index = 0;
    for (const Json& item : *found) {
      read(item, fmt::format("{}[{}]", under(key), index++));
      if (*problem_) return;
    }
  }
  void take_text(const Json& value, const std::string& path, std::string& out) const {
    if (value.is_null()) return;
    if (!value.is_string()) return mismatch(path, "a string", value);
    out = value.get<std::string>();
  }
  void mismatch(const std::string& path, std::string_view wanted, const Json& got) const {
    const bool quotes_help = wanted == "a string" && got.is_primitive();
    report(fmt::format("{}: expected {}, got {}", path.empty() ? "kubeconfig" : path, wanted,
                       kind_of(got)),
           quotes_help ? fmt::format("put the value of {} in quotes", path) : "");
  }

  const Json* value_;
  std::string path_;
  std::optional<Error>* problem_;
};

/// Reads a list of named entries. Duplicate names are errors, as in client-go.
template <class Entry>
void read_named(const Section& from, std::string_view list, std::string_view field,
                std::map<std::string, Entry>& out,
                const std::function<void(const Section&, Entry&)>& read) {
  from.sections(list, [&](const Section& item) {
    std::string name;
    item.read("name", name);
    const auto [place, fresh] = out.try_emplace(name);
    if (!fresh) return item.report(fmt::format("duplicate name {:?} in list {}", name, list), "");
    item.section(field, [&](const Section& body) { read(body, place->second); });
  });
}

/// Checks that the names of the extensions are unique. Stores the extension for exec plugins in
/// `exec_config`, unless that is null.
void read_extensions(const Section& from, std::string* exec_config = nullptr) {
  std::set<std::string> names;
  from.sections("extensions", [&](const Section& item) {
    std::string name;
    item.read("name", name);
    if (!names.insert(name).second) {
      item.report(fmt::format("duplicate name {:?} in list {}", name, item.path()), "");
    }
    if (exec_config != nullptr && name == kExecExtension) *exec_config = item.json("extension");
  });
}

void read_cluster(const Section& from, KubeCluster& out) {
  from.read("server", out.server);
  from.read("tls-server-name", out.tls_server_name);
  from.read("insecure-skip-tls-verify", out.insecure);
  from.read("certificate-authority", out.ca_file);
  from.data("certificate-authority-data", out.ca_data);
  from.read("proxy-url", out.proxy_url);
  from.read("disable-compression", out.disable_compression);
  read_extensions(from, &out.exec_config);
}

void read_exec(const Section& from, ExecConfig& out) {
  out.interactive_mode.clear();
  from.read("command", out.command);
  from.read("args", out.args);
  from.sections("env", [&](const Section& variable) {
    auto& [name, value] = out.env.emplace_back();
    variable.read("name", name);
    variable.read("value", value);
  });
  from.read("apiVersion", out.api_version);
  from.read("installHint", out.install_hint);
  from.read("provideClusterInfo", out.provide_cluster_info);
  from.read("interactiveMode", out.interactive_mode);
  const bool has_default = out.api_version == "client.authentication.k8s.io/v1beta1" ||
                           out.api_version == "client.authentication.k8s.io/v1alpha1";
  if (out.interactive_mode.empty() && has_default) out.interactive_mode = "IfAvailable";
}

void read_user(const Section& from, KubeUser& out) {
  from.read("client-certificate", out.cert_file);
  from.data("client-certificate-data", out.cert_data);
  from.read("client-key", out.key_file);
  from.data("client-key-data", out.key_data);
  from.read("token", out.token);
  out.token_is_empty = from.has("token") && out.token.empty();
  from.read("tokenFile", out.token_file);
  from.read("as", out.impersonate.user);
  from.read("as-uid", out.impersonate.uid);
  from.read("as-groups", out.impersonate.groups);
  from.read("as-user-extra", out.impersonate.extra);
  from.read("username", out.username);
  from.read("password", out.password);
  from.section("auth-provider", [&](const Section& provider) {
    out.auth_provider.emplace();
    provider.read("name", out.auth_provider->name);
    provider.read("config", out.auth_provider->config);
  });
  from.section("exec", [&](const Section& exec) { read_exec(exec, out.exec.emplace()); });
  read_extensions(from);
}

void read_context(const Section& from, KubeContext& out) {
  from.read("cluster", out.cluster);
  from.read("user", out.user);
  from.read("namespace", out.name_space);
  read_extensions(from);
}

void check_type(const Section& document) {
  std::string kind = "Config";
  std::string version = "v1";
  document.read("kind", kind);
  document.read("apiVersion", version);
  if ((!kind.empty() && kind != "Config") || (!version.empty() && version != "v1")) {
    document.report(fmt::format("not a kubeconfig: kind {:?}, apiVersion {:?}, want Config and v1",
                                kind, version),
                    "");
  }
}

template <class Entry>
void set_origin(std::map<std::string, Entry>& entries, const std::string& origin) {
  for (auto& [name, entry] : entries) entry.origin = origin;
}

}  // namespace

Result<Kubeconfig> parse_kubeconfig(std::string_view text, const std::string& origin) {
  const Result<Json> tree = parse_yaml(text);
  if (!tree) return fail(tree);
  std::optional<Error> problem;
  Kubeconfig config;
  const Section document(*tree, "", problem);
  check_type(document);
  document.read("current-context", config.current_context);
  read_named<KubeCluster>(document, "clusters", "cluster", config.clusters, read_cluster);
  read_named<KubeUser>(document, "users", "user", config.users, read_user);
  read_named<KubeContext>(document, "contexts", "context", config.contexts, read_context);
  document.section("preferences", [](const Section& from) { read_extensions(from); });
  read_extensions(document);
  if (problem) return fail(*std::move(problem));
  set_origin(config.clusters, origin);
  set_origin(config.users, origin);
  set_origin(config.contexts, origin);
  return config;
}

}  // namespace kinf
