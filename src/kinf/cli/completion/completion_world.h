// SPDX-License-Identifier: Apache-2.0
// CompletionWorld: provides the words that kinf does not know itself: the entries of the
// kubeconfig, the aliases, and the types and objects of the server. Tests use a fake.
#pragma once

#include <string>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/cli/settings/settings.h"

namespace kinf {

struct ApiResource;

/// Which part of the objects completion needs.
enum class ObjectPart { metadata, whole };

/// Functions that fail return empty results. Functions may block on requests.
/// Threads: one owner.
class CompletionWorld {
 public:
  virtual ~CompletionWorld() = default;
  /// These functions return names in the kubeconfig, sorted.
  virtual std::vector<std::string> contexts() = 0;
  virtual std::vector<std::string> clusters() = 0;
  virtual std::vector<std::string> users() = 0;
  /// Returns the aliases in the configuration file.
  virtual std::vector<Alias> aliases() = 0;
  /// Returns all types of the server, the core group first.
  virtual std::vector<ApiResource> types() = 0;
  virtual std::vector<std::string> namespaces() = 0;
  /// Returns objects of `types` (`po`, `deployments.apps`) in the namespace of the command line.
  /// According to `part`, returns the metadata of the objects on the first page, or a few whole
  /// objects.
  virtual std::vector<ObjectPtr> objects(const std::vector<std::string>& types,
                                         ObjectPart part) = 0;
};

}  // namespace kinf
