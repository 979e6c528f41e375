// SPDX-License-Identifier: Apache-2.0
// Reads values from objects, with a compiled path, a single query or an index function. Pure
// functions. Threads: any.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kinf/api/object.h"
#include "kinf/base/error.h"

namespace [[gnu::visibility("default")]] kinf {

/// A compiled JSONPath, for reading many objects. Reads a path of names and list elements directly
/// from the bytes of the document, within a few microseconds. A path with more, such as a filter,
/// takes about twenty times as long.
/// Threads: immutable; copies are cheap.
class Path {
 public:
  /// Accepts kubectl's syntax; the braces and the leading dot may be omitted:
  /// `.spec.containers[*].image`. Errors: usage.
  static Result<Path> parse(std::string_view text);

  /// Returns the values that the path finds in the object's document: strings without quotes,
  /// objects and lists as JSON. Omits nulls. A missing field has no values, and neither has a
  /// document that cannot be read.
  std::vector<std::string> values(const Object& object) const;

 private:
  struct Code;
  explicit Path(std::shared_ptr<const Code> code) : code_(std::move(code)) {}

  std::shared_ptr<const Code> code_;
};

/// Returns Path::values(). Parses the path in each call; use a Path or index_function() for many
/// objects. Errors: usage, for a wrong path.
Result<std::vector<std::string>> values(const Object& object, std::string_view path);

/// Returns a function for InformerOptions::indexers. `key` has the format of `kinf index --by`: a
/// label (`app`), `annotation:KEY`, a JSONPath (`.spec.nodeName`), or one of `@namespace @node
/// @owner @image @phase @ip @sa @secret @configmap @pvc`. Errors: usage, for an invalid key and for
/// `@root`, which needs the caches of several types.
Result<std::function<Result<std::vector<std::string>>(const Object&)>> index_function(
    std::string_view key);

}  // namespace kinf
