// SPDX-License-Identifier: Apache-2.0
// Parses what selects objects: the arguments TYPE[,TYPE…] [NAME…] or TYPE/NAME …, or manifests.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

struct RequestedType {
  /// Stands for all namespaced types, custom ones included.
  static constexpr std::string_view kAll = "*";

  std::string type;                ///< `po`, `pods`, `deployments.apps`
  std::vector<std::string> names;  ///< empty means all objects of the type
  /// The namespace in a manifest. nullopt means the namespaces of the command.
  std::optional<std::string> ns{};

  /// Returns true if it stands for all namespaced types.
  bool is_all() const { return type == kAll; }
  /// Returns true if at least one of the names is not a glob.
  bool has_exact_name() const;

  friend bool operator==(const RequestedType&, const RequestedType&) = default;
};

/// Parses the arguments. Returns each type once, in the order in which they are first named. Fails
/// with a usage error in kubectl's wording.
Result<std::vector<RequestedType>> parse_type_args(const std::vector<std::string>& args);

/// The manifests that select objects (-f).
struct ManifestFlags {
  std::vector<std::string> files;  ///< files and folders; `-` is the standard input
  bool recursive = false;          ///< also read the folders in folders
};

/// Reads the objects that manifests name, in their order, each with its type as KIND.VERSION.GROUP.
/// Blocks on the disk and on the standard input. Errors: usage, with the file and the document.
Result<std::vector<RequestedType>> read_manifest_args(const ManifestFlags& manifests);

/// Returns whether the manifests are a single file, for whose single object kubectl prints no List.
Result<bool> may_be_one_object(const ManifestFlags& manifests);

/// Returns the non-empty parts of a comma-separated list.
std::vector<std::string> split_commas(std::string_view text);

}  // namespace kinf
