// SPDX-License-Identifier: Apache-2.0
// Manifests: objects from files as kubectl takes them: YAML with several documents, JSON, Lists.
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

/// What the files hold; of a folder all .yaml, .yml and .json files in it, in the order of their
/// names. Blocks on the disk. Errors (usage) name file and line or document.
Result<std::vector<Manifest>> read_manifests(const std::vector<std::string>& paths);

/// CustomResourceDefinitions first, then namespaces (those that are named and not there are made),
/// then the rest; status and times stay as given. `keep`: what is there already stays as it is,
/// as namespaces always do, else that is an error.
Result<> load_manifests(std::vector<Manifest> manifests, bool keep, ObjectService& objects,
                        const ApiTypes& types);

/// Makes the namespace unless it is there.
void ensure_namespace(ObjectService& objects, const ApiTypes& types, const std::string& name);

/// Whether it says what it is: apiVersion, kind and a name; and whether text is text in its
/// metadata, where YAML takes it easily for something else. A usage error says what is wrong.
Result<> check_manifest(const Json& object);
/// The text of a file of at most 64 MiB; a usage error if it cannot be read.
Result<std::string> read_manifest_file(const std::string& path);
/// The documents of a text, null for empty ones; a usage error with the line.
Result<std::vector<Json>> parse_documents(std::string_view text, bool is_json);

/// `object`'s namespace: what it names, `default` if it names none, empty if the type has none.
std::string namespace_of(const ApiType& type, const Json& object);

}  // namespace kinf::sandbox
