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
  std::string from;        ///< of move
  std::string_view value;  ///< of add and replace: JSON text, a piece of the new document
  DiffPath path;           ///< where the value is
};

/// Returns `add`, `remove`, `replace` or `move`.
std::string_view operation_word(PatchOperation::Kind kind);

/// Returns the operations that turn the old document into the new one, the order of its lists
/// included. They contain the views of `diff`.
std::vector<PatchOperation> json_patch(const ObjectDiff& diff);

}  // namespace kinf
