// SPDX-License-Identifier: Apache-2.0
// Kubeconfig: the files kubectl reads, parsed and merged as client-go v0.37 does (clientcmd). What
// is chosen from it, and whether that is usable, is client/config_builder.h's business.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/client/client_config.h"

namespace kinf {

/// `origin` is the file an entry came from; in a loaded Kubeconfig every path is absolute, resolved
/// against that file's own folder. `_data` fields are decoded.
struct KubeCluster {
  std::string server;
  std::string tls_server_name;
  bool insecure = false;
  std::string ca_file;
  std::string ca_data;
  std::string proxy_url;
  bool disable_compression = false;
  std::string exec_config;  ///< JSON of the extension client.authentication.k8s.io/exec, or empty
  std::string origin;
};

struct KubeUser {
  std::string cert_file;
  std::string cert_data;
  std::string key_file;
  std::string key_data;
  std::string token;
  std::string token_file;
  Impersonation impersonate;
  std::string username;
  std::string password;
  std::optional<AuthProviderConfig> auth_provider;
  std::optional<ExecConfig> exec;  ///< as written; cluster_config stays empty
  std::string origin;
};

struct KubeContext {
  std::string cluster;
  std::string user;
  std::string name_space;
  std::string origin;
};

/// Threads: a value.
struct Kubeconfig {
  std::string current_context;
  std::map<std::string, KubeCluster> clusters;
  std::map<std::string, KubeUser> users;
  std::map<std::string, KubeContext> contexts;
};

/// One file's content, YAML or JSON; paths stay as written, `origin` goes into every entry. Empty
/// text is an empty config, unknown fields are ignored, a name twice in a list is an error. Holds
/// out against hostile text: bounded depth, memory and time. Errors (usage) show no value that
/// could be secret.
Result<Kubeconfig> parse_kubeconfig(std::string_view text, const std::string& origin);

struct KubeconfigFiles {
  Kubeconfig config;
  std::vector<std::string> missing;  ///< of the paths given, those that are not there
  bool any_found = false;
};

/// Reads and merges `paths`: for each cluster, user and context the first file that names it gives
/// the whole entry; the first current-context wins. Empty and repeated paths are passed over,
/// missing files reported. All unreadable files stand in one error (usage). Blocks on the disk.
Result<KubeconfigFiles> load_kubeconfig_files(const std::vector<std::string>& paths);

/// The one file of --kubeconfig, which must exist.
Result<Kubeconfig> load_kubeconfig_file(const std::string& path);

/// `$KUBECONFIG` at its colons; an empty text is no path at all.
std::vector<std::string> split_path_list(std::string_view list);

}  // namespace kinf
