// SPDX-License-Identifier: Apache-2.0
// KeyFormat: the format of object keys, such as `{ns}---{name}`.
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
  /// Creates the format that caches use: `namespace/name`, or `name` without a namespace.
  KeyFormat() = default;
  /// Parses a text with the fields `{ns}`, `{name}` and `{uid}`. Fails with a usage error for other
  /// fields, and if the text has neither `{name}` nor `{uid}`.
  static Result<KeyFormat> parse(std::string_view text);

  /// Returns the key of an object. If the object has no namespace, also omits the text between
  /// `{ns}` and the next field: `name`, not `---name`.
  std::string key(const Object& object) const;

 private:
  struct Piece {
    enum class Kind { text, ns, name, uid };
    Kind kind = Kind::text;
    std::string text;
  };
  std::vector<Piece> pieces_;  ///< empty: the format that caches use
};

}  // namespace kinf
