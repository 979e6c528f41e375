// SPDX-License-Identifier: Apache-2.0
// Parses TYPE[,TYPE…] [NAME…] or TYPE/NAME …, the arguments that select objects.
#pragma once

#include <string>
#include <vector>

#include "kinf/base/error.h"

namespace kinf {

struct RequestedType {
  /// Stands for all namespaced types, custom ones included.
  static constexpr std::string_view kAll = "*";

  std::string type;                ///< `po`, `pods`, `deployments.apps`
  std::vector<std::string> names;  ///< empty means all objects of the type

  /// Returns true if it stands for all namespaced types.
  bool is_all() const { return type == kAll; }
  /// Returns true if at least one of the names is not a glob.
  bool has_exact_name() const;

  friend bool operator==(const RequestedType&, const RequestedType&) = default;
};

/// Parses the arguments. Returns each type once, in the order in which they are first named. Fails
/// with a usage error in kubectl's wording.
Result<std::vector<RequestedType>> parse_type_args(const std::vector<std::string>& args);

/// Returns the non-empty parts of a comma-separated list.
std::vector<std::string> split_commas(std::string_view text);

}  // namespace kinf
