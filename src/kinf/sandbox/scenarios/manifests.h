// SPDX-License-Identifier: Apache-2.0
// Manifests: objects from files as kubectl reads them: YAML with several documents, JSON, Lists.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/sandbox/api/object_service.h"

namespace kinf::sandbox {

struct Manifest {
  Json object;
  std::string origin;  ///< `pods.yaml: document 2`
};

/// Reads files. For a folder, reads its .yaml, .yml and .json files sorted by name. Blocks on the
/// disk. Usage errors name the file and the line or document.
Result<std::vector<Manifest>> read_manifests(const std::vector<std::string>& paths);

/// Stores CustomResourceDefinitions first, then namespaces (missing ones are created), then the
/// rest. Status and times stay as given. An object that exists is an error, unless `keep` is set or
/// it is a namespace.
Result<> load_manifests(std::vector<Manifest> manifests, bool keep, ObjectService& objects,
                        const ApiTypes& types);

/// Creates the namespace unless it exists.
void ensure_namespace(ObjectService& objects, const ApiTypes& types, const std::string& name);

/// Checks that `object` has apiVersion, kind and a name, and that its labels and annotations are
/// strings, which YAML easily turns into other types. Returns a usage error otherwise.
Result<> check_manifest(const Json& object);
/// Reads a file of at most 64 MiB. A usage error if it cannot be read.
Result<std::string> read_manifest_file(const std::string& path);
/// Parses YAML or JSON documents; an empty document is null. A usage error names the line.
Result<std::vector<Json>> parse_documents(std::string_view text, bool is_json);

/// Returns the namespace of `object`: `default` if it names none, empty if the type is
/// cluster-scoped.
std::string namespace_of(const ApiType& type, const Json& object);

}  // namespace kinf::sandbox
