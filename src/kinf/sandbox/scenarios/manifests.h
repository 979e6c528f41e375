// SPDX-License-Identifier: Apache-2.0
// Manifests: objects from files that kubectl can read, too: YAML with several documents, JSON, and
// Lists.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/sandbox/api/object_service.h"

namespace kinf::sandbox {

struct Manifest {
  Json object;
  std::string origin;  ///< where the object was read, such as `pods.yaml: document 2`
};

/// Reads manifest files. For a folder, reads its .yaml, .yml and .json files, sorted by name.
/// Blocks on file I/O. Fails with a usage error that names the file and the line or document.
Result<std::vector<Manifest>> read_manifests(const std::vector<std::string>& paths);

/// Stores CustomResourceDefinitions first, then namespaces, then the other objects. Creates missing
/// namespaces. Keeps the status and times of the objects. Fails with a usage error if an object
/// exists, unless `keep` is true or the object is a namespace.
Result<void> load_manifests(std::vector<Manifest> manifests, bool keep, ObjectService& objects,
                            const ApiTypes& types);

/// Creates the namespace if it does not exist.
void ensure_namespace(ObjectService& objects, const ApiTypes& types, const std::string& name);

/// Checks that `object` has apiVersion, kind and a name, and that its namespace, labels and
/// annotations are strings, because YAML easily turns them into other types. Fails with a usage
/// error.
Result<void> check_manifest(const Json& object);
/// Parses YAML or JSON documents. An empty document becomes null. Fails with a usage error that
/// names the line.
Result<std::vector<Json>> parse_documents(std::string_view text, bool is_json);

/// Returns the namespace of `object` (`default` if it has none), or an empty string if the type is
/// cluster-scoped.
std::string namespace_of(const ApiType& type, const Json& object);

}  // namespace kinf::sandbox
