// SPDX-License-Identifier: Apache-2.0
// Selects a context, cluster and user from a Kubeconfig, applies the flags to them, and checks the
// result. Used by config_builder.cc, and for errors about unknown contexts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/client/client_config.h"
#include "kinf/client/config_builder.h"
#include "kinf/client/kubeconfig.h"

namespace kinf {

/// The selected entries, with the values of the flags applied.
struct ConfigSelection {
  std::string context_name;
  std::string cluster_name;
  std::string user_name;
  KubeContext context;
  KubeCluster cluster;
  KubeUser user;
  bool context_found = false;
  bool cluster_blank = false;  ///< neither the files nor the flags describe the cluster
  /// The error for a name that was given by flag and does not exist. If there are several, the one
  /// that client-go reports.
  std::optional<Error> missing;
};

/// Selects the entries and applies the flags. Does not access the disk.
ConfigSelection select_config(const Kubeconfig& config, const ConfigOverrides& overrides);

/// Returns all problems of the selected entries, with client-go's messages and in its order. Blocks
/// on the disk to check files.
std::vector<std::string> find_problems(const ConfigSelection& selection);

/// Returns the error for a context that does not exist. The hint names similar contexts, then lists
/// all contexts.
Error unknown_context(const std::string& name, const Kubeconfig& config);

/// Returns the error for a kubeconfig with contexts but without a current-context, when no flag
/// selects a context. Its hint lists the contexts.
Error no_context_selected(const Kubeconfig& config);

/// Returns the error for a cluster that `context` names but that does not exist.
Error unknown_cluster(const std::string& name, const std::string& context,
                      const Kubeconfig& config);

/// Checks the user of `config`, which was built from `files`. A context without a user, or whose
/// user has no credentials, is accepted as system:anonymous. So is every user if the server does
/// not use https, because such servers get no credentials. Errors: usage, if nothing identifies the
/// user and the user does not exist, has only a password, or has an empty token. Threads: any.
Result<void> check_user_is_identified(const Kubeconfig& files, const ClientConfig& config);

}  // namespace kinf
