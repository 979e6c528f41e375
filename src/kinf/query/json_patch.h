// SPDX-License-Identifier: Apache-2.0
// Makes a JSON patch (RFC 6902) from the differences of two documents.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/query/diff.h"

namespace kinf {

struct PatchOperation {
  enum class Kind { add, remove, replace, move };

  Kind kind = Kind::replace;
  std::string pointer;     ///< a JSON Pointer (RFC 6901)
  std::string from;        ///< the old JSON Pointer of a moved item; empty for other operations
  std::string_view value;  ///< the JSON text of add and replace, a piece of the new document
  DiffPath path;           ///< the path of the value, or of the list whose items change
};

/// Returns `add`, `remove`, `replace` or `move`.
std::string_view operation_word(PatchOperation::Kind kind);

/// Returns the operations that turn the old document into the new one, including the order of its
/// lists. PatchOperation::value has views from `diff`.
std::vector<PatchOperation> json_patch(const ObjectDiff& diff);

}  // namespace kinf
