// SPDX-License-Identifier: Apache-2.0
// KeyFormat: how keys of objects are written: `{ns}---{name}`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/base/error.h"

namespace kinf {

/// Threads: immutable.
class KeyFormat {
 public:
  /// The format of the caches: `namespace/name`, or `name` without a namespace.
  KeyFormat() = default;
  /// Parses text with `{ns}`, `{name}` and `{uid}`. Errors: usage, for other fields, and if neither
  /// `{name}` nor `{uid}` tells objects apart.
  static Result<KeyFormat> parse(std::string_view text);

  /// The key of an object without a namespace lacks the text between `{ns}` and its neighbour, too:
  /// `name`, not `---name`.
  std::string key(const Object& object) const;

 private:
  struct Piece {
    enum class Kind { text, ns, name, uid };
    Kind kind = Kind::text;
    std::string text;
  };
  std::vector<Piece> pieces_;  ///< empty: the format of the caches
};

}  // namespace kinf
