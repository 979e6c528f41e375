// SPDX-License-Identifier: Apache-2.0
// Manifests: files with objects that kubectl can read, too: YAML with several documents, JSON, and
// Lists. Finds and reads the files, and takes Lists apart.
//
// Threads: any. The functions that read files block on the disk.
#pragma once

#include <string>
#include <vector>

#include "kinf/base/error.h"
#include "kinf/kubernetes/json_fields.h"

namespace kinf {

/// Returns the files at `path`: the path itself, or for a folder its .yaml, .yml and .json files,
/// sorted by name. `recursive` adds those of the folders in it, but does not follow symbolic links
/// to folders. Errors: usage, also for a folder without such files.
Result<std::vector<std::string>> manifest_files(const std::string& path, bool recursive = false);

/// Reads a file of at most limits::kManifestBytes, or with `-` the standard input, whose writer it
/// waits for. Errors: usage.
Result<std::string> read_manifest_file(const std::string& path);

/// Returns whether a document is a List, such as a List or PodList.
template <class Json>
bool is_list(const Json& document) {
  return document.is_object() && fields::field(document, "items").is_array() &&
         fields::text(fields::field(document, "kind")).ends_with("List");
}

/// Adds kind and apiVersion to an item of a typed list such as PodList, because such items may omit
/// them.
template <class Json>
Json list_item(const Json& list, Json item) {
  const std::string kind = fields::text(fields::field(list, "kind"));
  if (kind == "List" || !item.is_object()) return item;
  if (!item.contains("kind")) item["kind"] = kind.substr(0, kind.size() - 4);
  if (!item.contains("apiVersion")) item["apiVersion"] = fields::field(list, "apiVersion");
  return item;
}

}  // namespace kinf
