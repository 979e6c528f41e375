// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/kubeconfig.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "kinf/base/limits.h"
#include "kinf/base/read_file.h"

namespace kinf {
namespace {

/// Adds the entries that `into` does not contain. The first file has precedence.
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

Result<> resolve_paths(Kubeconfig& config, const std::string& file) {
  std::error_code error;
  const auto absolute = std::filesystem::absolute(file, error);
  if (error) {
    return fail(ErrorKind::usage,
                fmt::format("could not determine the absolute path of config file {}: {}", file,
                            error.message()));
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

Result<Kubeconfig> read_one(const std::string& path) {
  const Result<std::string> text = read_file(path, limits::kKubeconfigBytes);
  if (!text) return std::unexpected(text.error());
  Result<Kubeconfig> config = parse_kubeconfig(*text, path);
  if (!config) return config;
  if (auto resolved = resolve_paths(*config, path); !resolved) {
    return std::unexpected(std::move(resolved).error());
  }
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

Result<KubeconfigFiles> load_kubeconfig_files(const std::vector<std::string>& paths) {
  KubeconfigFiles files;
  std::vector<Error> errors;
  std::set<std::string> seen;
  for (const std::string& path : paths) {
    if (path.empty() || !seen.insert(path).second) continue;
    Result<Kubeconfig> config = read_one(path);
    if (config) {
      files.any_found = true;
      merge(files.config, std::move(*config));
    } else if (config.error().kind == ErrorKind::not_found) {
      files.missing.push_back(path);
    } else {
      errors.push_back(
          std::move(config).error().within(fmt::format("error loading config file \"{}\"", path)));
    }
  }
  if (errors.empty()) return files;
  Error all(ErrorKind::usage, join_errors(errors));
  all.hint = errors.front().hint;
  return std::unexpected(std::move(all));
}

Result<Kubeconfig> load_kubeconfig_file(const std::string& path) {
  Result<KubeconfigFiles> files = load_kubeconfig_files({path});
  if (!files) return std::unexpected(std::move(files).error());
  if (!files->any_found) {
    Error missing(ErrorKind::usage, fmt::format("stat {}: no such file or directory", path));
    missing.hint = "use --kubeconfig or $KUBECONFIG to select another file, or use --sandbox";
    return std::unexpected(std::move(missing));
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

}  // namespace kinf
