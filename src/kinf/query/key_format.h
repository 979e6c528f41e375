// SPDX-License-Identifier: Apache-2.0
// KeyFormat: how the keys of objects are written: `{ns}---{name}`.
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
  /// `namespace/name`, or `name` alone.
  KeyFormat() = default;
  /// Text with `{ns}`, `{name}` and `{uid}`, at least one of the last two; a usage error else.
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
  std::vector<Piece> pieces_;  ///< none: as the caches write keys
};

}  // namespace kinf
