// SPDX-License-Identifier: Apache-2.0
// Kubeconfig: the parsed and merged kubeconfig files, following client-go v0.37 (clientcmd).
// client/config_builder.h selects entries from it and checks them. All functions may be called from
// any thread.
#pragma once

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/client/client_config.h"

namespace kinf {

/// One entry of `clusters`. In all entries, `origin` is the file that contains the entry, and
/// `_data` fields are decoded. The load functions make paths absolute, relative to the folder of
/// that file.
struct KubeCluster {
  std::string server;
  std::string tls_server_name;
  bool insecure = false;
  std::string ca_file;
  std::string ca_data;
  std::string proxy_url;
  std::optional<bool> disable_compression;
  std::string exec_config;  ///< JSON of the extension client.authentication.k8s.io/exec, or empty
  std::string origin;
};

/// One entry of `users`.
struct KubeUser {
  std::string cert_file;
  std::string cert_data;
  std::string key_file;
  std::string key_data;
  std::string token;
  bool token_is_empty = false;  ///< the entry has a token, but its value is null or empty
  std::string token_file;
  Impersonation impersonate;
  std::string username;
  std::string password;
  std::optional<AuthProviderConfig> auth_provider;
  std::optional<ExecConfig> exec;  ///< as in the file, but without cluster_config
  std::string origin;
};

/// One entry of `contexts`.
struct KubeContext {
  std::string cluster;
  std::string user;
  std::string name_space;
  std::string origin;
};

/// The entries of all files, each with its name as the key.
struct Kubeconfig {
  std::string current_context;
  std::map<std::string, KubeCluster> clusters;
  std::map<std::string, KubeUser> users;
  std::map<std::string, KubeContext> contexts;
};

/// Parses the content of one file, YAML or JSON. Does not resolve paths. Sets `origin` in all
/// entries. Empty text is an empty configuration. Ignores unknown fields. Depth, memory and time
/// are limited. Errors: usage, for a wrong type, and for duplicate names in a list. Messages
/// contain no secrets.
Result<Kubeconfig> parse_kubeconfig(std::string_view text, const std::string& origin);

/// The result of load_kubeconfig_files().
struct KubeconfigFiles {
  Kubeconfig config;
  std::vector<std::string> missing;  ///< paths that do not exist
  bool any_found = false;
};

/// Reads and merges `paths`. The first file that contains a cluster, user or context defines the
/// complete entry. The first current-context wins. Skips empty and duplicate paths. Missing files
/// are not errors. Blocks on the disk. Errors: usage; a single error describes all files that
/// cannot be read. Returns the error `stopped` on stop, if it waits for a pipe.
Result<KubeconfigFiles> load_kubeconfig_files(const std::vector<std::string>& paths,
                                              const std::stop_token& stop = {});

/// Reads the file of --kubeconfig, which must exist. Blocks on the disk. Errors: usage, stopped.
Result<Kubeconfig> load_kubeconfig_file(const std::string& path, const std::stop_token& stop = {});

/// Splits `$KUBECONFIG` at colons. Returns no paths for an empty string.
std::vector<std::string> split_path_list(std::string_view list);

}  // namespace kinf
